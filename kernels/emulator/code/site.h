// Site: one place in a kernel's machine code that touches memory, and the source line it came from.
//
// A site's number is the low 16 bits of the return address of the call that reported the access; text begins on a
// 64 KiB boundary and is at most that long, so the number is unique. The kernel need not run to know what a site does:
// the loader sees which runtime function each call refers to.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace histolab::kernels::emulator {

struct Region;

// The threads that a fence or an atomic operation addresses: those of its block, or all.
enum class Scope : std::uint8_t { device, block };

// `exchange` writes atomically, whatever the memory held: only it may come first to memory that no
// thread has written. `release` gives the memory back: no thread may access it after that.
enum class AccessKind : std::uint8_t { load, volatile_load, store, release, atomic, compare_and_swap, exchange };

[[nodiscard]] inline bool reads(AccessKind kind) { return kind != AccessKind::store && kind != AccessKind::release && kind != AccessKind::exchange; }
[[nodiscard]] inline bool writes(AccessKind kind) { return kind >= AccessKind::store; }
[[nodiscard]] inline bool is_atomic(AccessKind kind) { return kind >= AccessKind::atomic; }
// Returns whether a thread can learn by it what others have done.
[[nodiscard]] inline bool is_question(AccessKind kind) {
  return is_atomic(kind) || kind == AccessKind::volatile_load;
}
[[nodiscard]] inline bool is_plain(AccessKind kind) { return kind <= AccessKind::store; }

// The effect of an atomic operation on memory. Additions commute with each other, and an overwrite with neither an addition nor what
// it wipes out: the order of the two decides the result, although each is indivisible.
enum class AtomicEffect : std::uint8_t {
  other,       // a compare-and-swap, an exchange whose result is used, an addition of 0, a minimum, ...: none of the two below
  adds,        // it adds or subtracts, also floating point
  overwrites,  // a value that does not depend on what was there, and the kernel drops what was: it stands for a plain store
};

struct Site {
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;  // width of one lane's access; 0: this is no site, or one of ranges that was not reached yet
  Scope scope = Scope::device;  // of an atomic operation
  bool is_volatile = false;     // a store's
  AtomicEffect effect = AtomicEffect::other;  // of an atomic operation
  bool adds_one = false;        // an atomicAdd of the constant 1
  bool result_used = false;     // of an atomic operation on integers: the kernel looks at what it returns, or that is not clear (call_facts.h)
  std::uint8_t wide = 0;        // of ranges: those of so many bytes (one bit each) are one access
  // Only of checks: a callback may have reported the access. See BlockValues::ReportToCompare.
  std::uint8_t report_age = 0;
  bool report_is_range : 1 = false, report_writes : 1 = false;
  // Of other ranges, and of accesses that only a check found: a GPU makes as many accesses as the
  // alignment asks for.
  bool in_pieces : 1 = false;
  // Only of callbacks: the store that it reports comes after the lane's next report; it is that report.
  bool is_early : 1 = false, ends_early : 1 = false;
  // Only of a check's store: the instruction reads first, and the read has the previous site.
  bool is_update : 1 = false;
  // Only of checks: a callback has reported a write whose store comes later.
  bool store_is_due : 1 = false;
  bool is_local : 1 = false;  // on a line with accesses to a local array that a GPU keeps in memory
  // The largest number of records that one access has made here. If 0, each access makes one
  // record.
  std::uint32_t pieces = 0;
  std::int32_t line = 0;   // of the student's file; 0 unknown
  std::uint32_t origin = 0;  // number of the place that it was made from (debug_info.h); 0 unknown
  const Region* usual = nullptr;  // where it last went: a guess that makes the next look-up cheap
};

// Returns whether they are one in the source, which the compiler may have copied.
[[nodiscard]] inline bool same_in_source(const Site& a, const Site& b) {
  return a.line == b.line && (a.origin == b.origin || a.origin == 0 || b.origin == 0);
}

using SiteNumber = std::uint16_t;
// A value for every SiteNumber, all bits zero until it is set. A launch has few sites, and unused
// values take no memory.
template <typename Value>
class PerSite {
 public:
  PerSite() : values_(static_cast<Value*>(std::calloc(count, sizeof(Value)))) {
    if (values_ == nullptr) throw std::bad_alloc{};
  }
  // Of the low 16 bits.
  [[nodiscard]] Value& operator[](std::uint64_t site) { return values_.get()[static_cast<SiteNumber>(site)]; }
  [[nodiscard]] const Value& operator[](std::uint64_t site) const { return values_.get()[static_cast<SiteNumber>(site)]; }
  [[nodiscard]] const Value* data() const { return values_.get(); }
  [[nodiscard]] static constexpr std::size_t size() { return count; }

 private:
  static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);
  static constexpr std::size_t count = 65536;
  struct Free {
    void operator()(Value* values) const { std::free(values); }
  };
  std::unique_ptr<Value, Free> values_;
};

using SiteTable = PerSite<Site>;

}  // namespace histolab::kernels::emulator
