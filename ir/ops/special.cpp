// Special functions.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerSpecial(OpRegistry& ops) {
  ops.op("aten::digamma(Tensor self) -> Tensor", kOpPointwise).spelled("torch.digamma .digamma");
  ops.op("aten::digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::digamma_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".digamma_");
  ops.op("aten::erf(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.erf .erf");
  ops.op("aten::erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::erf_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.erf_ .erf_");
  ops.op("aten::erfc(Tensor self) -> Tensor", kOpPointwise).spelled("torch.erfc .erfc");
  ops.op("aten::erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::erfc_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.erfc_ .erfc_");
  ops.op("aten::erfinv(Tensor self) -> Tensor", kOpPointwise).spelled("torch.erfinv .erfinv");
  ops.op("aten::erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::erfinv_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".erfinv_");
  ops.op("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)", kOpPointwise)
      .spelled("torch.frexp .frexp");
  ops.op("aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent) -> "
         "(Tensor(a!) mantissa, Tensor(b!) exponent)", kOpPointwise);
  ops.op("aten::hypot(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.hypot .hypot");
  ops.op("aten::hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise).spelled(".hypot_");
  ops.op("aten::i0(Tensor self) -> Tensor", kOpPointwise).spelled("torch.i0 .i0");
  ops.op("aten::i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::i0_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.i0_ .i0_");
  ops.op("aten::igamma(Tensor self, Tensor other) -> Tensor", kOpPointwise).spelled("torch.igamma .igamma");
  ops.op("aten::igamma.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::igamma_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise).spelled(".igamma_");
  ops.op("aten::igammac(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.igammac .igammac");
  ops.op("aten::igammac.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::igammac_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise).spelled(".igammac_");
  ops.op("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch.ldexp .ldexp");
  ops.op("aten::ldexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.ldexp_ .ldexp_");
  ops.op("aten::lgamma(Tensor self) -> Tensor", kOpPointwise).spelled("torch.lgamma .lgamma");
  ops.op("aten::lgamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::lgamma_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled(".lgamma_");
  ops.op("aten::logit(Tensor self, float? eps=None) -> Tensor", kOpPointwise).spelled("torch.logit .logit");
  ops.op("aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.logit_ .logit_");
  ops.op("aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor", kOpPointwise);
  ops.op("aten::logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::mvlgamma(Tensor self, int p) -> Tensor", kOpPointwise).spelled("torch.mvlgamma .mvlgamma");
  ops.op("aten::mvlgamma.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)", kOpPointwise).spelled(".mvlgamma_");
  ops.op("aten::polygamma(int n, Tensor self) -> Tensor", kOpPointwise).spelled("torch.polygamma .polygamma");
  ops.op("aten::polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", kOpPointwise).spelled(".polygamma_");
  ops.op("aten::sinc(Tensor self) -> Tensor", kOpPointwise).spelled("torch.sinc .sinc");
  ops.op("aten::sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::sinc_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise).spelled("torch.sinc_ .sinc_");
  ops.op("aten::special_airy_ai(Tensor x) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_airy_ai torch.special.airy_ai");
  ops.op("aten::special_airy_ai.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_bessel_j0(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_bessel_j0 torch.special.bessel_j0");
  ops.op("aten::special_bessel_j0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_bessel_j1(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_bessel_j1 torch.special.bessel_j1");
  ops.op("aten::special_bessel_j1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_bessel_y0(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_bessel_y0 torch.special.bessel_y0");
  ops.op("aten::special_bessel_y0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_bessel_y1(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_bessel_y1 torch.special.bessel_y1");
  ops.op("aten::special_bessel_y1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_chebyshev_polynomial_t torch.special.chebyshev_polynomial_t");
  ops.op("aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_chebyshev_polynomial_u torch.special.chebyshev_polynomial_u");
  ops.op("aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_chebyshev_polynomial_v torch.special.chebyshev_polynomial_v");
  ops.op("aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_chebyshev_polynomial_w torch.special.chebyshev_polynomial_w");
  ops.op("aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_digamma(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_digamma torch.special.digamma");
  ops.op("aten::special_digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_entr(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_entr torch.special.entr");
  ops.op("aten::special_entr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_erf(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_erf torch.special.erf");
  ops.op("aten::special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_erfc(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_erfc torch.special.erfc");
  ops.op("aten::special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_erfcx(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_erfcx torch.special.erfcx");
  ops.op("aten::special_erfcx.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_erfinv(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_erfinv torch.special.erfinv");
  ops.op("aten::special_erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_exp2(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_exp2 torch.special.exp2");
  ops.op("aten::special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_expit(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_expit torch.special.expit");
  ops.op("aten::special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_expm1(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_expm1 torch.special.expm1");
  ops.op("aten::special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_gammainc(Tensor self, Tensor other) -> Tensor")
      .spelled("torch._C._special.special_gammainc torch.special.gammainc");
  ops.op("aten::special_gammainc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_gammaincc(Tensor self, Tensor other) -> Tensor")
      .spelled("torch._C._special.special_gammaincc torch.special.gammaincc");
  ops.op("aten::special_gammaincc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_gammaln(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_gammaln torch.special.gammaln");
  ops.op("aten::special_gammaln.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_hermite_polynomial_h torch.special.hermite_polynomial_h");
  ops.op("aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_h.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_h.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_h.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_hermite_polynomial_he torch.special.hermite_polynomial_he");
  ops.op("aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_he.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_he.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_hermite_polynomial_he.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_i0(Tensor self) -> Tensor").spelled("torch._C._special.special_i0 torch.special.i0");
  ops.op("aten::special_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_i0e(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_i0e torch.special.i0e");
  ops.op("aten::special_i0e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_i1(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_i1 torch.special.i1");
  ops.op("aten::special_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_i1e(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_i1e torch.special.i1e");
  ops.op("aten::special_i1e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_laguerre_polynomial_l torch.special.laguerre_polynomial_l");
  ops.op("aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_laguerre_polynomial_l.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_laguerre_polynomial_l.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_laguerre_polynomial_l.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_legendre_polynomial_p torch.special.legendre_polynomial_p");
  ops.op("aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_legendre_polynomial_p.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_legendre_polynomial_p.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_legendre_polynomial_p.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_log1p(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_log1p torch.special.log1p");
  ops.op("aten::special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_log_ndtr(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_log_ndtr torch.special.log_ndtr");
  ops.op("aten::special_log_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
      .spelled("torch._C._special.special_log_softmax torch.special.log_softmax");
  ops.op("aten::special_logit(Tensor self, float? eps=None) -> Tensor")
      .spelled("torch._C._special.special_logit torch.special.logit");
  ops.op("aten::special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor")
      .spelled("torch._C._special.special_logsumexp torch.special.logsumexp");
  ops.op("aten::special_logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_modified_bessel_i0(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_modified_bessel_i0 torch.special.modified_bessel_i0");
  ops.op("aten::special_modified_bessel_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_modified_bessel_i1(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_modified_bessel_i1 torch.special.modified_bessel_i1");
  ops.op("aten::special_modified_bessel_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_modified_bessel_k0(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_modified_bessel_k0 torch.special.modified_bessel_k0");
  ops.op("aten::special_modified_bessel_k0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_modified_bessel_k1(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_modified_bessel_k1 torch.special.modified_bessel_k1");
  ops.op("aten::special_modified_bessel_k1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_multigammaln(Tensor self, int p) -> Tensor")
      .spelled("torch._C._special.special_multigammaln torch.special.multigammaln");
  ops.op("aten::special_multigammaln.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_ndtr(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_ndtr torch.special.ndtr");
  ops.op("aten::special_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_ndtri(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_ndtri torch.special.ndtri");
  ops.op("aten::special_ndtri.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_polygamma(int n, Tensor self) -> Tensor")
      .spelled("torch._C._special.special_polygamma torch.special.polygamma");
  ops.op("aten::special_polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_psi(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_psi torch.special.psi");
  ops.op("aten::special_psi.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_round(Tensor self, *, int decimals=0) -> Tensor")
      .spelled("torch._C._special.special_round torch.special.round");
  ops.op("aten::special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_scaled_modified_bessel_k0 "
               "torch.special.scaled_modified_bessel_k0");
  ops.op("aten::special_scaled_modified_bessel_k0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_scaled_modified_bessel_k1 "
               "torch.special.scaled_modified_bessel_k1");
  ops.op("aten::special_scaled_modified_bessel_k1.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_shifted_chebyshev_polynomial_t "
               "torch.special.shifted_chebyshev_polynomial_t");
  ops.op("aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_shifted_chebyshev_polynomial_u "
               "torch.special.shifted_chebyshev_polynomial_u");
  ops.op("aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_shifted_chebyshev_polynomial_v "
               "torch.special.shifted_chebyshev_polynomial_v");
  ops.op("aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_shifted_chebyshev_polynomial_w "
               "torch.special.shifted_chebyshev_polynomial_w");
  ops.op("aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor", kOpPointwise);
  ops.op("aten::special_shifted_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_sinc(Tensor self) -> Tensor")
      .spelled("torch._C._special.special_sinc torch.special.sinc");
  ops.op("aten::special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
      .spelled("torch._C._special.special_softmax torch.special.softmax");
  ops.op("aten::special_spherical_bessel_j0(Tensor x) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_spherical_bessel_j0 torch.special.spherical_bessel_j0");
  ops.op("aten::special_spherical_bessel_j0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_xlog1py(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_xlog1py torch.special.xlog1py");
  ops.op("aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise);
  ops.op("aten::special_xlog1py.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_xlog1py.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::special_xlog1py.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::special_xlogy(Tensor self, Tensor other) -> Tensor")
      .spelled("torch._C._special.special_xlogy torch.special.xlogy");
  ops.op("aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor");
  ops.op("aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor");
  ops.op("aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::special_zeta(Tensor self, Tensor other) -> Tensor", kOpPointwise)
      .spelled("torch._C._special.special_zeta torch.special.zeta");
  ops.op("aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", kOpPointwise);
  ops.op("aten::special_zeta.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::special_zeta.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::special_zeta.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::xlogy.OutScalar_Other(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise).spelled("torch.xlogy .xlogy");
  ops.op("aten::xlogy.OutScalar_Self(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
         kOpPointwise);
  ops.op("aten::xlogy.OutTensor(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", kOpPointwise);
  ops.op("aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::xlogy_.Scalar_Other(Tensor(a!) self, Scalar other) -> Tensor(a!)")
      .spelled("torch.xlogy_ .xlogy_");
  ops.op("aten::xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kOpPointwise);
}
// clang-format on

}  // namespace descry::ir
