// The parts of the engine that the window shows: widgets include this and never session itself.
#pragma once

#include "session/atomic_file.h"
#include "session/exports.h"
#include "session/node_text.h"
#include "session/pass_run.h"
#include "session/query_all.h"
#include "session/scene_builder.h"
#include "session/session.h"
#include "session/terminal_text.h"
