// Linked into the programs, not into the libraries: allocation goes through mimalloc, which keeps neighbours
// in time neighbours in memory, on huge pages where the system has them. Values of a large graph lie all over
// the memory, and the processor finds few small pages fast.
#include <mimalloc.h>

#include <new>

namespace {
struct LargePages {
  LargePages() { mi_option_set(mi_option_large_os_pages, 1); }  // a wish: nothing depends on it
} largePages;

void* orThrow(void* p) {
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

// mimalloc is built as C, whose `new` ends the program when there is no memory; ours has to be told.
void* operator new(std::size_t n) {
  return orThrow(mi_malloc(n));
}
void* operator new[](std::size_t n) {
  return orThrow(mi_malloc(n));
}
void* operator new(std::size_t n, std::align_val_t a) {
  return orThrow(mi_malloc_aligned(n, static_cast<std::size_t>(a)));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return orThrow(mi_malloc_aligned(n, static_cast<std::size_t>(a)));
}
void operator delete(void* p) noexcept {
  mi_free(p);
}
void operator delete[](void* p) noexcept {
  mi_free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  mi_free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  mi_free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  mi_free(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
  mi_free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  mi_free(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  mi_free(p);
}
