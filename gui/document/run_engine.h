// The parts of the engine that run graphs. Include these through here: the tracer below them has a function
// with the name of a macro of Qt.
#pragma once

#pragma push_macro("emit")
#undef emit
#include "session/graph_run.h"
#include "session/run_compare.h"
#include "session/run_view.h"
#include "session/value_view.h"
#pragma pop_macro("emit")
