// The runtime's functions that the compiler calls: before each access of a kernel, instead of
// memset and memcpy, and at the begin and end of functions for a debugger.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {

namespace {

// Rare cases are not inlined, so the callbacks below are a few instructions and need no stack.
// `noipa` hides that this function never returns: the compiler makes a tail call only of one that
// returns.
[[gnu::noipa, gnu::cold]] void beyond_window(std::uint64_t address, const void* return_address) {
  record(address, return_address);
}

[[gnu::noinline]] void access_slowly(std::uint64_t address, bool write,
                                     const void* return_address) {
  if (skips(address)) return;
  yield_before(write, address, !write, return_address);
  record(address, return_address);
  show(address, return_address);
}

template <bool write>
[[gnu::always_inline]] inline void access(void* p, const void* return_address) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (current.slow) [[unlikely]]
    return access_slowly(address, write, return_address);
  if (write ? current.stepping : current.wrote) {
    Lanes::suspend();
    current.wrote = write;
  }
  if (is_stray(address)) [[unlikely]]
    return beyond_window(address, return_address);
  if (!record_has_room(address, return_address)) [[unlikely]]
    pause_for_judgement();
}

void note_pieces(SiteNumber number, std::size_t pieces) {
  Site& site = (*current.sites)[number];
  if (pieces > 1) site.pieces = std::max(site.pieces, static_cast<std::uint32_t>(pieces));
}

// Records an access of a width that the compiler did not fix. It is one access if the source means
// one. Else it is split into words if it is aligned, or into bytes. The first call at a site
// decides for all. If a later call does not end at a word, the rest is recorded as bytes at the
// site `rest`.
void record_range(const volatile void* address, std::size_t bytes, std::uint64_t at,
                  std::uint64_t rest) {
  if (bytes == 0) return;
  const auto first = reinterpret_cast<std::uint64_t>(address);
  Site& site = (*current.sites)[static_cast<SiteNumber>(at)];
  if (site.bytes == 0) {
    site.in_pieces = !std::has_single_bit(bytes) || (site.wide & bytes) == 0;
    site.bytes = !site.in_pieces                    ? static_cast<std::uint8_t>(bytes)
                 : first % 4 == 0 && bytes % 4 == 0 ? 4
                                                    : 1;
  }
  if (is_stray(first) && !is_own(first, __builtin_frame_address(0)))
    current.runner->end_by_stray(first, static_cast<SiteNumber>(at));
  const std::size_t whole = bytes - bytes % site.bytes;
  note_pieces(static_cast<SiteNumber>(at), whole / site.bytes);
  note_pieces(static_cast<SiteNumber>(rest), bytes - whole);
  const auto each_piece = [&](auto&& tell) {
    for (std::size_t i = 0; i < whole; i += site.bytes) tell(i, reinterpret_cast<const void*>(at));
    for (std::size_t i = whole; i < bytes; ++i) tell(i, reinterpret_cast<const void*>(rest));
  };
  each_piece([&](std::size_t i, const void* place) { record(first + i, place); });
  if (current.shows)
    each_piece([&](std::size_t i, const void* place) { show(first + i, place, true, i != 0); });
  current.reports.last_range[writes(site.kind)] = {first, bytes, current.lanes->running()};
}

// For calls by the compiler. Each has a fixed length, so nothing is left for a second site.
void record_range(const volatile void* address, std::size_t bytes, const void* return_address) {
  const auto at = reinterpret_cast<std::uint64_t>(return_address);
  record_range(address, bytes, at, at);
}

// For memset and memcpy. See RuntimeFunction::ranges for their sites.
void record_read(const void* source, std::size_t bytes, const void* return_address) {
  const auto at = reinterpret_cast<std::uint64_t>(return_address);
  record_range(source, bytes, at - 3, at - 2);
}
void record_written(const void* destination, std::size_t bytes, const void* return_address) {
  const auto at = reinterpret_cast<std::uint64_t>(return_address);
  record_range(destination, bytes, at - 1, at);
}

}  // namespace

namespace callbacks {

// One function serves every width: the site has the width.
RETURNS_BY_JUMP [[gnu::noinline]] void read(void* p) { access<false>(p, RETURN_ADDRESS); }
RETURNS_BY_JUMP [[gnu::noinline]] void write(void* p) { access<true>(p, RETURN_ADDRESS); }
[[gnu::noinline]] void read_range(void* p, std::size_t bytes) {
  record_range(p, bytes, RETURN_ADDRESS);
}
[[gnu::noinline]] void write_range(void* p, std::size_t bytes) {
  yield_before(true, reinterpret_cast<std::uint64_t>(p), false, RETURN_ADDRESS);
  record_range(p, bytes, RETURN_ADDRESS);
}

// Records that a lane passes a branch, so that rounds of a loop can be distinguished. Not an
// access.
[[gnu::noinline]] void passes() {
  const auto own = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (!record_has_room(own, RETURN_ADDRESS)) [[unlikely]]
    pause_for_judgement();
}

// If a kernel is compiled for a debugger, each of its functions calls these.
bool is_debugged_kernel(const void* function) {
  return reinterpret_cast<std::uint64_t>(function) - histolab_debug_view.kernel <
         histolab_debug_view.kernel_bytes;
}
[[gnu::noinline]] void enters(void* function, void*) {
  if (!current.entering || !is_debugged_kernel(function)) return;
  Lanes::note_site(site_of(RETURN_ADDRESS));
  Lanes::suspend();
}
// Suspends the lane at the end of its kernel, so that its last accesses are judged while it is
// there.
[[gnu::noinline]] void exits(void* function, void*) {
  if (!current.debugged || !is_debugged_kernel(function)) return;
  histolab_debug_view.exit_site = site_of(RETURN_ADDRESS);
  Lanes::note_site(site_of(RETURN_ADDRESS));
  Lanes::suspend();
}

// Returns true for a range of the lane's own stack, from the caller's frame on: it needs no record.
// Memory below that is in use by the runtime. Ends the launch if the range is on the stacks, but
// not in there.
bool is_own_range(const void* p, std::size_t bytes, const void* frame, const void* return_address) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (!is_in_stacks(address)) return false;
  // Skips the saved frame pointer and the return address.
  const std::uint64_t above = reinterpret_cast<std::uint64_t>(frame) + 16;
  const std::uint64_t end = (above | (Window::stack_bytes - 1)) + 1;
  if (!is_of_own_stack(address, above))
    current.runner->end_by_stray(address, site_of(return_address));
  if (bytes > end - address) current.runner->end_by_stray(end, site_of(return_address));
  return true;
}

[[gnu::noinline]] void* set(void* destination, int value, std::size_t bytes) {
  if (is_own_range(destination, bytes, __builtin_frame_address(0), RETURN_ADDRESS))
    return std::memset(destination, value, bytes);
  yield_before(true, reinterpret_cast<std::uint64_t>(destination), false, RETURN_ADDRESS);
  record_written(destination, bytes, RETURN_ADDRESS);
  return std::memset(destination, value, bytes);
}
[[gnu::noinline]] void* copy(void* destination, const void* source, std::size_t bytes) {
  const bool from_own = is_own_range(source, bytes, __builtin_frame_address(0), RETURN_ADDRESS);
  const bool to_own = is_own_range(destination, bytes, __builtin_frame_address(0), RETURN_ADDRESS);
  if (!from_own) record_read(source, bytes, RETURN_ADDRESS);
  if (!to_own) {
    yield_before(true, reinterpret_cast<std::uint64_t>(destination), false, RETURN_ADDRESS);
    record_written(destination, bytes, RETURN_ADDRESS);
  }
  return std::memmove(destination, source, bytes);
}

}  // namespace callbacks

void add_callbacks(RuntimeTable& table) {
  const void* read = address_of(&callbacks::read);
  const void* write = address_of(&callbacks::write);
  static constexpr struct {
    std::string_view read, volatile_read, write, volatile_write;
    std::uint8_t bytes;
  } widths[] = {
      {"__tsan_read1", "__tsan_volatile_read1", "__tsan_write1", "__tsan_volatile_write1", 1},
      {"__tsan_read2", "__tsan_volatile_read2", "__tsan_write2", "__tsan_volatile_write2", 2},
      {"__tsan_read4", "__tsan_volatile_read4", "__tsan_write4", "__tsan_volatile_write4", 4},
      {"__tsan_read8", "__tsan_volatile_read8", "__tsan_write8", "__tsan_volatile_write8", 8},
      {"__tsan_read16", "__tsan_volatile_read16", "__tsan_write16", "__tsan_volatile_write16", 16},
  };
  for (const auto& w : widths) {
    table[w.read] = {read, AccessKind::load, w.bytes};
    table[w.volatile_read] = {read, AccessKind::volatile_load, w.bytes};
    table[w.write] = table[w.volatile_write] = {write, AccessKind::store, w.bytes};
    table[w.volatile_write].is_volatile = true;
  }
  table["__tsan_vptr_update"] = {write, AccessKind::store, 8};  // objects with virtual functions
  table["__tsan_read_range"] = {address_of(callbacks::read_range), AccessKind::load, 0};
  table["__tsan_write_range"] = {address_of(callbacks::write_range), AccessKind::store, 0};
  table["__sanitizer_cov_trace_pc"] = {address_of(callbacks::passes), AccessKind::load, 1};
  table["__cyg_profile_func_enter"] = {address_of(callbacks::enters)};
  table["__cyg_profile_func_exit"] = {address_of(callbacks::exits)};
  table["memset"] = {address_of(callbacks::set), AccessKind::store, 1, 1};
  table["memcpy"] = table["memmove"] = {address_of(callbacks::copy), AccessKind::store, 1, 2};
}

}  // namespace histolab::kernels::emulator
