// Site: one memory access in a kernel's machine code, and its source line.
//
// Its number is the low 16 bits of the return address of the call that reports the access. The
// numbers are unique: the text begins on a 64 KiB boundary and is at most 64 KiB long.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace histolab::kernels::emulator {

struct Region;

// The scope of a fence or an atomic operation: the threads of the whole device or of the block.
enum class Scope : std::uint8_t { device, block };

// `exchange` writes atomically and independently of the old value. It is the only atomic operation
// that is allowed on memory that no thread has written. `release` frees the memory: no thread may
// access it after that.
enum class AccessKind : std::uint8_t {
  load,
  volatile_load,
  store,
  release,
  atomic,
  compare_and_swap,
  exchange
};

[[nodiscard]] inline bool reads(AccessKind kind) {
  return kind != AccessKind::store && kind != AccessKind::release && kind != AccessKind::exchange;
}
[[nodiscard]] inline bool writes(AccessKind kind) { return kind >= AccessKind::store; }
[[nodiscard]] inline bool is_atomic(AccessKind kind) { return kind >= AccessKind::atomic; }
// Returns whether a thread can observe the progress of other threads by such an access.
[[nodiscard]] inline bool is_question(AccessKind kind) {
  return is_atomic(kind) || kind == AccessKind::volatile_load;
}
[[nodiscard]] inline bool is_plain(AccessKind kind) { return kind <= AccessKind::store; }

// The effect of an atomic operation on memory. Additions commute with each other. An overwrite does
// not commute with an addition: their order decides the result, although each is indivisible.
enum class AtomicEffect : std::uint8_t {
  // A compare-and-swap, an exchange whose result is used, an addition of 0, a minimum, ...
  other,
  // It adds or subtracts, integers or floating point.
  adds,
  // The new value does not depend on the old one, and the kernel drops the old one: like a store.
  overwrites,
};

struct Site {
  AccessKind kind = AccessKind::load;
  // Width of one lane's access in bytes. 0 if this is not a site, or if it is a range that no lane
  // has accessed yet.
  std::uint8_t bytes = 0;
  Scope scope = Scope::device;                // of an atomic operation
  bool is_volatile = false;                   // of a store
  AtomicEffect effect = AtomicEffect::other;  // of an atomic operation
  bool adds_one = false;                      // an atomicAdd of the constant 1
  // Only for atomic operations on integers: the kernel uses the result, or may use it
  // (call_facts.h).
  bool result_used = false;
  // Only for ranges: a set of widths in bytes, one bit each. A range of that length is one access.
  std::uint8_t wide = 0;
  // Only for checks: a callback may have reported the access. See BlockValues::ReportToCompare.
  std::uint8_t report_age = 0;
  bool report_is_range : 1 = false, report_writes : 1 = false;
  // For all other ranges, and for accesses that only a check found: a GPU splits the access as its
  // alignment requires.
  bool in_pieces : 1 = false;
  // Only for callbacks. `is_early`: the reported store is made only after the lane's next report.
  // `ends_early`: this is that next report.
  bool is_early : 1 = false, ends_early : 1 = false;
  // Only for the store of a check: the instruction reads first. The previous site is that read.
  bool is_update : 1 = false;
  // Only for checks: a callback has reported a write whose store comes later.
  bool store_is_due : 1 = false;
  bool is_local : 1 = false;  // on a line with accesses to a local array that a GPU keeps in memory
  // The largest number of records that one access has made here. If 0, each access makes one
  // record.
  std::uint32_t pieces = 0;
  std::int32_t line = 0;          // in the student's file; 0 if unknown
  std::uint32_t origin = 0;       // number of its Origin (debug_info.h); 0 if unknown
  const Region* usual = nullptr;  // the region of the last access, which speeds up the next lookup
};

// An access of several bytes in the source that the compiler reports as a range of bytes
// (kernels/worker/compiling/wide_accesses.h).
struct WideAccess {
  int line = 0;
  std::uint8_t bytes = 0;  // 2, 4, 8 or 16
};

// Returns whether both sites are one access in the source. The compiler may have duplicated it.
[[nodiscard]] inline bool same_in_source(const Site& a, const Site& b) {
  return a.line == b.line && (a.origin == b.origin || a.origin == 0 || b.origin == 0);
}

using SiteNumber = std::uint16_t;
// One value per SiteNumber, initially all bits zero. A launch has few sites, and unused values do
// not take up memory.
template <typename Value>
class PerSite {
 public:
  // Not by calloc(): it may return memory of its heap, and writes all of it then.
  PerSite()
      : values_(static_cast<Value*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (values_.get() == MAP_FAILED) {
      static_cast<void>(values_.release());
      throw std::bad_alloc{};
    }
  }
  // Uses the low 16 bits of `site`.
  [[nodiscard]] Value& operator[](std::uint64_t site) {
    return values_.get()[static_cast<SiteNumber>(site)];
  }
  [[nodiscard]] const Value& operator[](std::uint64_t site) const {
    return values_.get()[static_cast<SiteNumber>(site)];
  }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] static constexpr std::size_t size() { return count; }

 private:
  static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);
  static constexpr std::size_t count = 65536, bytes = count * sizeof(Value);
  struct Unmap {
    void operator()(Value* values) const { munmap(values, bytes); }
  };
  std::unique_ptr<Value, Unmap> values_;
};

using SiteTable = PerSite<Site>;

}  // namespace histolab::kernels::emulator
