// Libraries for products of matrices and for convolutions: used where they are there and faster.
//
// They are looked for in the system when they are first wanted, so that programs which multiply nothing do
// not load them. Each call runs on the thread that makes it: work is shared out by threads.h alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace descry::runtime::library {

/// C = alpha op(A) op(B) + beta C of matrices row by row, `lda` numbers from row to row; op: transposed or
/// not.
template <class P>
using Multiply = void (*)(bool transposeA, bool transposeB, int64_t m, int64_t n, int64_t k, P alpha,
                          const P* a, int64_t lda, const P* b, int64_t ldb, P beta, P* c, int64_t ldc);

struct Products {
  Multiply<float> single = nullptr;
  Multiply<double> twice = nullptr;  ///< of double precision
};
/// None where no library has them.
Products products();

/// Which are used: `auto`, `none`, `onednn`, `openblas`; the environment variable DESCRY_LIBRARY says it at
/// first. `auto`: oneDNN, else OpenBLAS. False: there is no such word. Not while something runs.
bool choose(std::string_view which);
/// What is used, in words: `oneDNN 2.6.3`, or empty.
std::string inUse();

}  // namespace descry::runtime::library
