// Functions of mathematics that the standard library does not have, or not for all arguments: what scalar
// expressions of the op table may call. Doubles; NaN where a function is not defined, and infinity at a pole,
// as PyTorch returns them. Relative error below 1e-12 where the value is not near a zero of the function.
#pragma once

namespace descry::ir::eval {

double digamma(double x);
double erfInverse(double y);   ///< of [-1, 1]
double erfcInverse(double y);  ///< of [0, 2]
double erfcScaled(double x);   ///< exp(x * x) * erfc(x)
/// Sum over k of (k + q) to the power of -x (Hurwitz).
double zeta(double x, double q);
/// Regularized incomplete gamma functions; their sum is 1.
double gammaLower(double a, double x);
double gammaUpper(double a, double x);
/// Bessel functions of order 0 or 1. Scaled: times exp(-|x|) and exp(x).
double besselJ(int order, double x);
double besselY(int order, double x);
double besselIScaled(int order, double x);
double besselKScaled(int order, double x);
double airyAi(double x);

}  // namespace descry::ir::eval
