// Fourier transforms and linear algebra.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerFftLinalg(OpRegistry& ops) {
  ops.op("aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor");
  ops.op("aten::_cholesky_solve_helper.out(Tensor self, Tensor A, bool upper, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor")
      .spelled("torch._fft_c2c");
  ops.op("aten::_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
         kOpCore).spelled("torch._fft_c2r");
  ops.op("aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", kOpCore)
      .spelled("torch._fft_r2c");
  ops.op("aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()", kOpSideEffect)
      .spelled("torch._linalg_check_errors");
  ops.op("aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)")
      .spelled("torch._linalg_det");
  ops.op("aten::_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) -> "
         "(Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)");
  ops.op("aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, "
         "Tensor eigenvectors)").spelled("torch._linalg_eigh");
  ops.op("aten::_linalg_eigh.eigenvalues(Tensor A, str UPLO=\"L\", bool compute_v=True, *, "
         "Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, "
         "Tensor(b!) eigenvectors)");
  ops.op("aten::_linalg_eigvals(Tensor self) -> Tensor").spelled("torch._C._linalg._linalg_eigvals");
  ops.op("aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)")
      .spelled("torch._linalg_slogdet");
  ops.op("aten::_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, "
         "Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) pivots)");
  ops.op("aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
         "(Tensor result, Tensor LU, Tensor pivots, Tensor info)").spelled("torch._linalg_solve_ex");
  ops.op("aten::_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, "
         "Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) -> (Tensor(a!) result, "
         "Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)");
  ops.op("aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, "
         "str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)").spelled("torch._linalg_svd");
  ops.op("aten::_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, "
         "str? driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, "
         "Tensor(c!) Vh)");
  ops.op("aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, "
         "Tensor pivots, Tensor info)").spelled("torch._lu_with_info");
  ops.op("aten::_spsolve(Tensor A, Tensor B, *, bool left=True) -> Tensor")
      .spelled("torch._C._sparse._spsolve torch.sparse.spsolve");
  ops.op("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, "
         "int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor").spelled("torch._trilinear");
  ops.op("aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, "
         "int[] expand3, int[] sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor")
      .spelled("torch.addr .addr");
  ops.op("aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor(a!)").spelled(".addr_");
  ops.op("aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.bartlett_window");
  ops.op("aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.blackman_window");
  ops.op("aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor")
      .spelled("torch.cholesky_inverse .cholesky_inverse");
  ops.op("aten::cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor")
      .spelled("torch.cholesky_solve .cholesky_solve");
  ops.op("aten::cholesky_solve.out(Tensor self, Tensor input2, bool upper=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::corrcoef(Tensor self) -> Tensor").spelled("torch.corrcoef .corrcoef");
  ops.op("aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> "
         "Tensor").spelled("torch.cov .cov");
  ops.op("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor").spelled("torch.cross .cross");
  ops.op("aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor")
      .spelled("torch._C._nn.cross_entropy_loss");
  ops.op("aten::det(Tensor self) -> Tensor").spelled("torch.det .det");
  ops.op("aten::detach(Tensor(a) self) -> Tensor(a)").spelled("torch.detach .detach");
  ops.op("aten::detach_(Tensor(a!) self) -> Tensor(a!)", kOpInplaceView).spelled("torch.detach_ .detach_");
  ops.op("aten::detach_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.detach_copy");
  ops.op("aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_fft torch.fft.fft");
  ops.op("aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_fft2 torch.fft.fft2");
  ops.op("aten::fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch._C._fft.fft_fftfreq torch.fft.fftfreq");
  ops.op("aten::fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_fftn torch.fft.fftn");
  ops.op("aten::fft_fftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor")
      .spelled("torch._C._fft.fft_fftshift torch.fft.fftshift");
  ops.op("aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_hfft torch.fft.hfft");
  ops.op("aten::fft_hfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_hfft2 torch.fft.hfft2");
  ops.op("aten::fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_hfftn torch.fft.hfftn");
  ops.op("aten::fft_hfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ifft torch.fft.ifft");
  ops.op("aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ifft2 torch.fft.ifft2");
  ops.op("aten::fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ifftn torch.fft.ifftn");
  ops.op("aten::fft_ifftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor")
      .spelled("torch._C._fft.fft_ifftshift torch.fft.ifftshift");
  ops.op("aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ihfft torch.fft.ihfft");
  ops.op("aten::fft_ihfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ihfft2 torch.fft.ihfft2");
  ops.op("aten::fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_ihfftn torch.fft.ihfftn");
  ops.op("aten::fft_ihfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_irfft torch.fft.irfft");
  ops.op("aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_irfft2 torch.fft.irfft2");
  ops.op("aten::fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_irfftn torch.fft.irfftn");
  ops.op("aten::fft_irfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_rfft torch.fft.rfft");
  ops.op("aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_rfft2 torch.fft.rfft2");
  ops.op("aten::fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch._C._fft.fft_rfftfreq torch.fft.rfftfreq");
  ops.op("aten::fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor")
      .spelled("torch._C._fft.fft_rfftn torch.fft.rfftn");
  ops.op("aten::fft_rfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)").spelled("torch.geqrf .geqrf");
  ops.op("aten::geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) tau)");
  ops.op("aten::ger(Tensor self, Tensor vec2) -> Tensor").spelled("torch.ger .ger");
  ops.op("aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.hamming_window");
  ops.op("aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor");
  ops.op("aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, "
         "float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor");
  ops.op("aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, "
         "float beta, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.hann_window");
  ops.op("aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::inner(Tensor self, Tensor other) -> Tensor").spelled("torch.inner .inner");
  ops.op("aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::inverse(Tensor self) -> Tensor").spelled("torch.inverse .inverse");
  ops.op("aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
         "Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, "
         "int? length=None, bool return_complex=False) -> Tensor").spelled("torch.istft .istft");
  ops.op("aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.kaiser_window");
  ops.op("aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor");
  ops.op("aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::kron(Tensor self, Tensor other) -> Tensor").spelled("torch.kron .kron");
  ops.op("aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor", kOpReduction)
      .spelled("torch._C._linalg.linalg__powsum torch.linalg._powsum");
  ops.op("aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor")
      .spelled("torch._C._linalg.linalg_cholesky torch.linalg.cholesky");
  ops.op("aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> "
         "(Tensor L, Tensor info)").spelled("torch._C._linalg.linalg_cholesky_ex torch.linalg.cholesky_ex");
  ops.op("aten::linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False, "
         "Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info)");
  ops.op("aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor")
      .spelled("torch._C._linalg.linalg_cond torch.linalg.cond");
  ops.op("aten::linalg_cond.out(Tensor self, Scalar? p=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_cond.p_str(Tensor self, str p) -> Tensor");
  ops.op("aten::linalg_cond.p_str_out(Tensor self, str p, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor")
      .spelled("torch._C._linalg.linalg_cross torch.linalg.cross");
  ops.op("aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_det(Tensor A) -> Tensor").spelled("torch._C._linalg.linalg_det torch.linalg.det");
  ops.op("aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)")
      .spelled("torch._C._linalg.linalg_diagonal torch.linalg.diagonal");
  ops.op("aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)")
      .spelled("torch._C._linalg.linalg_eig torch.linalg.eig");
  ops.op("aten::linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> "
         "(Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)");
  ops.op("aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)")
      .spelled("torch._C._linalg.linalg_eigh torch.linalg.eigh");
  ops.op("aten::linalg_eigh.eigvals(Tensor self, str UPLO=\"L\", *, Tensor(a!) eigvals, "
         "Tensor(b!) eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)");
  ops.op("aten::linalg_eigvals(Tensor self) -> Tensor")
      .spelled("torch._C._linalg.linalg_eigvals torch.linalg.eigvals");
  ops.op("aten::linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor")
      .spelled("torch._C._linalg.linalg_eigvalsh torch.linalg.eigvalsh");
  ops.op("aten::linalg_eigvalsh.out(Tensor self, str UPLO=\"L\", *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor")
      .spelled("torch._C._linalg.linalg_householder_product torch.linalg.householder_product");
  ops.op("aten::linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_inv(Tensor A) -> Tensor").spelled("torch._C._linalg.linalg_inv torch.linalg.inv");
  ops.op("aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)")
      .spelled("torch._C._linalg.linalg_inv_ex torch.linalg.inv_ex");
  ops.op("aten::linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse, "
         "Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info)");
  ops.op("aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)")
      .spelled("torch._C._linalg.linalg_ldl_factor torch.linalg.ldl_factor");
  ops.op("aten::linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD, "
         "Tensor(b!) pivots) -> (Tensor(a!) LD, Tensor(b!) pivots)");
  ops.op("aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> "
         "(Tensor LD, Tensor pivots, Tensor info)")
      .spelled("torch._C._linalg.linalg_ldl_factor_ex torch.linalg.ldl_factor_ex");
  ops.op("aten::linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool check_errors=False, "
         "Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD, Tensor(b!) pivots, "
         "Tensor(c!) info)");
  ops.op("aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor")
      .spelled("torch._C._linalg.linalg_ldl_solve torch.linalg.ldl_solve");
  ops.op("aten::linalg_ldl_solve.out(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> "
         "(Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)", kOpDynamicShape)
      .spelled("torch._C._linalg.linalg_lstsq torch.linalg.lstsq");
  ops.op("aten::linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, "
         "Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) -> "
         "(Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values)",
         kOpDynamicShape);
  ops.op("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)")
      .spelled("torch._C._linalg.linalg_lu torch.linalg.lu");
  ops.op("aten::linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, "
         "Tensor(c!) U) -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)");
  ops.op("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)")
      .spelled("torch._C._linalg.linalg_lu_factor torch.linalg.lu_factor");
  ops.op("aten::linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots) -> "
         "(Tensor(a!) LU, Tensor(b!) pivots)");
  ops.op("aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> "
         "(Tensor LU, Tensor pivots, Tensor info)")
      .spelled("torch._C._linalg.linalg_lu_factor_ex torch.linalg.lu_factor_ex");
  ops.op("aten::linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False, "
         "Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots, "
         "Tensor(c!) info)");
  ops.op("aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, "
         "bool adjoint=False) -> Tensor").spelled("torch._C._linalg.linalg_lu_solve torch.linalg.lu_solve");
  ops.op("aten::linalg_lu_solve.out(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, "
         "bool adjoint=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matmul(Tensor self, Tensor other) -> Tensor")
      .spelled("torch._C._linalg.linalg_matmul torch.linalg.matmul");
  ops.op("aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_exp(Tensor self) -> Tensor")
      .spelled("torch._C._linalg.linalg_matrix_exp torch.linalg.matrix_exp");
  ops.op("aten::linalg_matrix_exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor")
      .spelled("torch._C._linalg.linalg_matrix_norm torch.linalg.matrix_norm");
  ops.op("aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, "
         "*, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], "
         "bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
  ops.op("aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], "
         "bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_power(Tensor self, int n) -> Tensor")
      .spelled("torch._C._linalg.linalg_matrix_power torch.linalg.matrix_power");
  ops.op("aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor")
      .spelled("torch._C._linalg.linalg_matrix_rank torch.linalg.matrix_rank");
  ops.op("aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
         "bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_matrix_rank.atol_rtol_float_out(Tensor self, *, float? atol=None, "
         "float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, "
         "Tensor? rtol=None, bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_matrix_rank.atol_rtol_tensor_out(Tensor input, *, Tensor? atol=None, "
         "Tensor? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_rank.out(Tensor self, float tol, bool hermitian=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_rank.out_tol_tensor(Tensor input, Tensor tol, bool hermitian=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_matrix_sqrth(Tensor self) -> Tensor")
      .spelled("torch._C._linalg.linalg_matrix_sqrth torch.linalg.matrix_sqrth");
  ops.op("aten::linalg_matrix_sqrth.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor")
      .spelled("torch._C._linalg.linalg_multi_dot torch.linalg.multi_dot");
  ops.op("aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor").spelled("torch._C._linalg.linalg_norm torch.linalg.norm");
  ops.op("aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor");
  ops.op("aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor")
      .spelled("torch._C._linalg.linalg_pinv torch.linalg.pinv");
  ops.op("aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, "
         "bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_pinv.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, "
         "bool hermitian=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
         "bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_pinv.atol_rtol_tensor_out(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
         "bool hermitian=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_pinv.out(Tensor self, float rcond, bool hermitian=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::linalg_pinv.out_rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor");
  ops.op("aten::linalg_polar(Tensor A) -> (Tensor U, Tensor H)")
      .spelled("torch._C._linalg.linalg_polar torch.linalg.polar");
  ops.op("aten::linalg_polar.out(Tensor A, *, Tensor(a!) U, Tensor(b!) H) -> (Tensor(a!) U, Tensor(b!) H)");
  ops.op("aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)")
      .spelled("torch._C._linalg.linalg_qr torch.linalg.qr");
  ops.op("aten::linalg_qr.out(Tensor A, str mode=\"reduced\", *, Tensor(a!) Q, Tensor(b!) R) -> "
         "(Tensor(a!) Q, Tensor(b!) R)");
  ops.op("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)")
      .spelled("torch._C._linalg.linalg_slogdet torch.linalg.slogdet");
  ops.op("aten::linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> "
         "(Tensor(a!) sign, Tensor(b!) logabsdet)");
  ops.op("aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor")
      .spelled("torch._C._linalg.linalg_solve torch.linalg.solve");
  ops.op("aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
         "(Tensor result, Tensor info)").spelled("torch._C._linalg.linalg_solve_ex torch.linalg.solve_ex");
  ops.op("aten::linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, "
         "Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)");
  ops.op("aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, "
         "bool unitriangular=False) -> Tensor")
      .spelled("torch._C._linalg.linalg_solve_triangular torch.linalg.solve_triangular");
  ops.op("aten::linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True, "
         "bool unitriangular=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, "
         "Tensor S, Tensor Vh)").spelled("torch._C._linalg.linalg_svd torch.linalg.svd");
  ops.op("aten::linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, "
         "Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)");
  ops.op("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor")
      .spelled("torch._C._linalg.linalg_svdvals torch.linalg.svdvals");
  ops.op("aten::linalg_svdvals.out(Tensor A, *, str? driver=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor")
      .spelled("torch._C._linalg.linalg_tensorinv torch.linalg.tensorinv");
  ops.op("aten::linalg_tensorinv.out(Tensor self, int ind=2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor")
      .spelled("torch._C._linalg.linalg_tensorsolve torch.linalg.tensorsolve");
  ops.op("aten::linalg_tensorsolve.out(Tensor self, Tensor other, int[]? dims=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor")
      .spelled("torch._C._linalg.linalg_vander torch.linalg.vander");
  ops.op("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor")
      .spelled("torch._C._linalg.linalg_vecdot torch.linalg.vecdot");
  ops.op("aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor", kOpReduction)
      .spelled("torch._C._linalg.linalg_vector_norm torch.linalg.vector_norm");
  ops.op("aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, "
         "*, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::logdet(Tensor self) -> Tensor").spelled("torch.logdet .logdet");
  ops.op("aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor")
      .spelled("torch.lu_solve .lu_solve");
  ops.op("aten::lu_solve.out(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, "
         "bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)").spelled("torch.lu_unpack");
  ops.op("aten::lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, "
         "bool unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, "
         "Tensor(b!) L, Tensor(c!) U)");
  ops.op("aten::matrix_H(Tensor(a) self) -> Tensor(a)");
  ops.op("aten::matrix_exp(Tensor self) -> Tensor").spelled("torch.matrix_exp .matrix_exp");
  ops.op("aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor");
  ops.op("aten::matrix_power(Tensor self, int n) -> Tensor").spelled("torch.matrix_power .matrix_power");
  ops.op("aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor").spelled("torch.nuclear_norm");
  ops.op("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor");
  ops.op("aten::nuclear_norm.dim_out(Tensor self, int[2] dim, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::nuclear_norm.out(Tensor self, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::orgqr(Tensor self, Tensor input2) -> Tensor").spelled("torch.orgqr .orgqr");
  ops.op("aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, "
         "bool transpose=False) -> Tensor").spelled("torch.ormqr .ormqr");
  ops.op("aten::ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, "
         "bool transpose=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::outer(Tensor self, Tensor vec2) -> Tensor").spelled("torch.outer .outer");
  ops.op("aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor")
      .spelled("torch.pinverse .pinverse");
  ops.op("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)").spelled("torch.slogdet .slogdet");
  ops.op("aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, "
         "Tensor(b!) logabsdet)");
  ops.op("aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
         "Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, "
         "bool? align_to_window=None) -> Tensor").spelled(".stft");
  ops.op("aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
         "Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, "
         "bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor");
  ops.op("aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)")
      .spelled("torch.svd .svd");
  ops.op("aten::svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U, Tensor(b!) S, "
         "Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V)");
  ops.op("aten::trace(Tensor self) -> Tensor").spelled("torch.trace .trace");
  ops.op("aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor");
  ops.op("aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
         "bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)")
      .spelled("torch.triangular_solve .triangular_solve");
  ops.op("aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
         "bool unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, "
         "Tensor(b!) cloned_coefficient)");
  ops.op("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor").spelled("torch.vander");
}
// clang-format on

}  // namespace descry::ir
