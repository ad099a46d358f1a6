// Products by OpenBLAS, where there is no oneDNN.
#pragma once

#include "runtime/library/library.h"

namespace descry::runtime::library {

Products openBlasProducts();

}  // namespace descry::runtime::library
