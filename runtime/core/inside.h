// Whether a thread is carrying out a part of a parallelFor: what it starts runs on it alone.
#pragma once

namespace descry::runtime {

bool insideParallel();

}  // namespace descry::runtime
