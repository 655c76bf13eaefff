#include "kernels/emulator/runtime.h"

#include <bit>
#include <cfloat>
#include <cstring>
#include <deque>
#include <string>

#include "kernels/emulator/block_runner.h"
#include "kernels/emulator/debugger.h"
#include "kernels/emulator/device_math.h"
#include "kernels/emulator/device_printf.h"
#include "kernels/emulator/guards.h"
#include "kernels/emulator/window.h"

namespace histolab::kernels::emulator {

constinit thread_local Current current;
constinit thread_local Uint3 thread_index{};

namespace {

// A lane that was suspended returns to where another lane's call never came from: the processor's prediction of returns is
// then wrong each time, and its prediction of jumps mostly right. Such functions return by a jump.
#define RETURNS_BY_JUMP [[gnu::function_return("thunk-extern")]]
asm(".pushsection .text\n"
    ".globl __x86_return_thunk\n"
    "__x86_return_thunk:\n\t"
    "popq %rcx\n\t"
    "jmpq *%rcx\n"
    ".popsection");

extern "C" void __x86_return_thunk();

inline SiteNumber site_of(const void* return_address) {
  return static_cast<SiteNumber>(reinterpret_cast<std::uint64_t>(return_address));
}

// Appends a record for the running lane. False: its log is full now, and it has to pause for judgement.
[[gnu::always_inline]] inline bool record_has_room(std::uint64_t address, const void* return_address) {
  *next_record = address | reinterpret_cast<std::uint64_t>(return_address) << 48;
  next_record += WarpLog::lanes;
  return !WarpLog::full(next_record);
}

[[gnu::always_inline]] inline bool is_stray(std::uint64_t address) { return address - current.window_begin >= current.window_size; }

// The lane's own stack lies outside of the window's range. `above`: its part that is in use.
bool is_own(std::uint64_t address, const void* above) { return is_of_own_stack(address, reinterpret_cast<std::uint64_t>(above)); }

[[gnu::noinline]] void pause_for_judgement(std::uint64_t address, const void* return_address) {
  current.runner->pause_for_judgement();
  current.told = address, current.told_bytes = 16;  // the log forgets it
  current.told_writes = writes((*current.sites)[site_of(return_address)].kind);
}

void record(std::uint64_t address, const void* return_address) {
  if (is_stray(address) && !is_own(address, __builtin_frame_address(0))) current.runner->end_by_stray(address, site_of(return_address));
  if (!record_has_room(address, return_address)) pause_for_judgement(address, return_address);
}

// Out of line: the callbacks below stay small.
[[gnu::noinline, gnu::cold]] void announce(const NextAccess& access) {
  current.next = access;
  Lanes::suspend();
}

// The lane gives way before a write, and before the first read after one; or before each access, and says which.
void give_way(bool write, std::uint64_t address, bool read, const void* return_address) {
  if (!current.stepping) return;
  if (current.debugged) [[unlikely]] Lanes::note_site(site_of(return_address));
  if (current.announces) [[unlikely]] return announce({address, read, write});
  if (write || current.wrote) Lanes::suspend();
  current.wrote = write;
}

// What was recorded is made now: nobody else runs before it is.
void show(std::uint64_t address, const void* return_address, bool updates = true, bool belongs_to_last = false) {
  if (current.shows) current.runner->access_now(address, site_of(return_address), updates, belongs_to_last);
}

// What seldom happens is out of line, so that the callbacks below are a few instructions and need no stack; that it never
// returns is hidden, since the compiler makes a jump only of a call that does.
[[gnu::noipa, gnu::cold]] void beyond_window(std::uint64_t address, const void* return_address) { record(address, return_address); }

[[gnu::noinline]] void access_watched(std::uint64_t address, bool write, const void* return_address) {
  give_way(write, address, !write, return_address);
  record(address, return_address);
  show(address, return_address);
}

template <bool stepping, bool write>
[[gnu::always_inline]] inline void access(void* p, const void* return_address) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if constexpr (stepping) {
    if (current.watched) [[unlikely]] return access_watched(address, write, return_address);
    if (write || current.wrote) Lanes::suspend();
    current.wrote = write;
  }
  if (is_stray(address)) [[unlikely]] return beyond_window(address, return_address);
  if (!record_has_room(address, return_address)) [[unlikely]] pause_for_judgement(address, return_address);
}

// An access whose width the compiler did not fix: one, where the source means one; else whole words where it is aligned, or
// bytes.
void record_range(const volatile void* address, std::size_t bytes, std::uint64_t return_address) {
  const auto first = reinterpret_cast<std::uint64_t>(address);
  if (is_stray(first) && !is_own(first, __builtin_frame_address(0))) current.runner->end_by_stray(first, static_cast<SiteNumber>(return_address));
  Site& site = (*current.sites)[static_cast<SiteNumber>(return_address)];
  if (site.bytes == 0) {
    site.in_pieces = !std::has_single_bit(bytes) || (site.wide & bytes) == 0;
    site.bytes = !site.in_pieces ? static_cast<std::uint8_t>(bytes) : first % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
  }
  const auto* const place = reinterpret_cast<const void*>(return_address);
  for (std::size_t i = 0; i < bytes; i += site.bytes) record(first + i, place);
  if (current.shows)
    for (std::size_t i = 0; i < bytes; i += site.bytes) show(first + i, place, true, i != 0);
  current.told = first, current.told_bytes = bytes, current.told_writes = writes(site.kind);
}

}  // namespace

#define RETURN_ADDRESS __builtin_return_address(0)

namespace callbacks {
// One body serves every width: the site knows it.
template <bool stepping>
requires(!stepping)
[[gnu::noinline]] void read(void* p) {
  access<false, false>(p, RETURN_ADDRESS);
}
template <bool stepping>
requires(!stepping)
[[gnu::noinline]] void write(void* p) {
  access<false, true>(p, RETURN_ADDRESS);
}
template <bool stepping>
requires stepping
RETURNS_BY_JUMP [[gnu::noinline]] void read(void* p) {
  access<true, false>(p, RETURN_ADDRESS);
}
template <bool stepping>
requires stepping
RETURNS_BY_JUMP [[gnu::noinline]] void write(void* p) {
  access<true, true>(p, RETURN_ADDRESS);
}
[[gnu::noinline]] void read_range(void* p, std::size_t bytes) {
  record_range(p, bytes, reinterpret_cast<std::uint64_t>(RETURN_ADDRESS));
}
[[gnu::noinline]] void write_range(void* p, std::size_t bytes) {
  give_way(true, reinterpret_cast<std::uint64_t>(p), false, RETURN_ADDRESS);
  record_range(p, bytes, reinterpret_cast<std::uint64_t>(RETURN_ADDRESS));
}
}  // namespace callbacks

namespace device {

bool lies_in_shared(const void* p) { return reinterpret_cast<std::uint64_t>(p) - current.window_begin - Window::image_bytes < Window::shared_bytes; }
bool lies_in_stacks(std::uint64_t address) { return address - current.window_begin - current.window_size < Window::max_stacks * Window::stack_bytes; }

template <class T, class F>
[[gnu::always_inline]] inline T apply(T* address, F&& next) {
  T old;
  std::memcpy(&old, address, sizeof old);  // misaligned is a finding, not a crash
  const T value = next(old);
  std::memcpy(address, &value, sizeof value);
  return old;
}

// With everything that seldom happens: someone who watches each step, a wild address, a full log.
template <class T, class F>
[[gnu::noinline]] T update_slowly(T* address, const void* return_address, F next) {
  if (current.watched) give_way(true, reinterpret_cast<std::uint64_t>(address), true, return_address);
  record(reinterpret_cast<std::uint64_t>(address), return_address);
  if (lies_in_stacks(reinterpret_cast<std::uint64_t>(address))) return T{};  // no GPU does it, which is told when the record is judged
  if (current.shows) {
    T old;
    std::memcpy(&old, address, sizeof old);
    const T value = next(old);
    show(reinterpret_cast<std::uint64_t>(address), return_address, std::memcmp(&old, &value, sizeof old) != 0);
  }
  return apply(address, next);
}

// The last row of a log is left to update_slowly, which may pause after it.
template <bool stepping, class T, class F>
[[gnu::always_inline]] inline T update(T* address, const void* return_address, F next) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if constexpr (stepping) {
    if (current.watched) [[unlikely]] return update_slowly(address, return_address, next);
    Lanes::suspend();
    current.wrote = true;
  }
  if (is_stray(a) || WarpLog::full(next_record + WarpLog::lanes)) [[unlikely]]
    return update_slowly(address, return_address, next);
  record_has_room(a, return_address);
  return apply(address, next);
}

#define ATOMIC(name, T, expression)                                                         \
  template <bool stepping>                                                                  \
  requires(!stepping)                                                                       \
  [[gnu::noinline]] T name(T* address, T value) {                                           \
    return update<false>(address, RETURN_ADDRESS, [value]([[maybe_unused]] T old) -> T { return expression; }); \
  }                                                                                         \
  template <bool stepping>                                                                  \
  requires stepping                                                                         \
  RETURNS_BY_JUMP [[gnu::noinline]] T name(T* address, T value) {                           \
    return update<true>(address, RETURN_ADDRESS, [value]([[maybe_unused]] T old) -> T { return expression; }); \
  }
// Signed overflow wraps on the device.
#define ATOMIC_ARITHMETIC(tag, T, U)                                                        \
  ATOMIC(add_##tag, T, static_cast<T>(static_cast<U>(old) + static_cast<U>(value)))         \
  ATOMIC(sub_##tag, T, static_cast<T>(static_cast<U>(old) - static_cast<U>(value)))         \
  ATOMIC(exch_##tag, T, value)                                                              \
  ATOMIC(min_##tag, T, old < value ? old : value)                                           \
  ATOMIC(max_##tag, T, old > value ? old : value)                                           \
  ATOMIC(and_##tag, T, old & value)                                                         \
  ATOMIC(or_##tag, T, old | value)                                                          \
  ATOMIC(xor_##tag, T, old ^ value)                                                         \
  template <bool stepping>                                                                  \
  [[gnu::noinline]] T cas_##tag(T* address, T compare, T value) {                           \
    return update<stepping>(address, RETURN_ADDRESS, [=](T old) -> T { return old == compare ? value : old; }); \
  }
ATOMIC_ARITHMETIC(i32, int, unsigned)
ATOMIC_ARITHMETIC(u32, unsigned, unsigned)
ATOMIC_ARITHMETIC(u64, unsigned long long, unsigned long long)
ATOMIC_ARITHMETIC(i64, long long, unsigned long long)
// In global memory a sum of single precision has no subnormal numbers, neither as operands nor as the result.
float flushed(float x) { return x > -FLT_MIN && x < FLT_MIN ? __builtin_copysignf(0, x) : x; }
template <bool stepping>
[[gnu::noinline]] float add_f32(float* address, float value) {
  if (lies_in_shared(address)) return update<stepping>(address, RETURN_ADDRESS, [value](float old) { return old + value; });
  return update<stepping>(address, RETURN_ADDRESS, [value](float old) { return flushed(flushed(old) + flushed(value)); });
}
ATOMIC(add_f64, double, old + value)
ATOMIC(exch_f32, float, value)
ATOMIC(inc_u32, unsigned, old >= value ? 0u : old + 1u)
ATOMIC(dec_u32, unsigned, old == 0 || old > value ? value : old - 1u)
template <bool stepping>
[[gnu::noinline]] unsigned short cas_u16(unsigned short* address, unsigned short compare, unsigned short value) {
  return update<stepping>(address, RETURN_ADDRESS, [=](unsigned short old) { return old == compare ? value : old; });
}
#undef ATOMIC_ARITHMETIC
#undef ATOMIC

using Reduction = BlockRunner::Reduction;
RETURNS_BY_JUMP [[gnu::noinline]] void syncthreads() { Lanes::wait_at_barrier(site_of(RETURN_ADDRESS)); }
[[gnu::noinline]] int syncthreads_count(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::count, p != 0);
}
[[gnu::noinline]] int syncthreads_and(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::all, p != 0);
}
[[gnu::noinline]] int syncthreads_or(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::any, p != 0);
}
[[gnu::noinline]] void threadfence() { current.runner->fence(Scope::device); }
[[gnu::noinline]] void threadfence_block() { current.runner->fence(Scope::block); }

[[gnu::noinline]] void trap() {
  const int line = (*current.sites)[site_of(RETURN_ADDRESS)].line;
  current.runner->end_by_fault(FindingKind::illegal_instruction, line, "the kernel called __trap(). Look at the condition under which it does");
}
[[gnu::noinline]] void assert_failed(const char* expression, const char*, unsigned line, const char*) {
  current.runner->end_by_fault(FindingKind::illegal_instruction, static_cast<int>(line),
                               "assertion failed: " + kernel_text(expression) + ". Look at where its values come from");
}

// What C++ leaves open, PTX does not; but the processor here is a third that has its own way.
[[gnu::noinline]] void shift_out_of_bounds(void*, std::uint64_t, std::uint64_t distance) {
  const int line = (*current.sites)[site_of(RETURN_ADDRESS)].line;
  current.runner->end_by_fault(
      FindingKind::unsupported, line,
      "shifts by " + std::to_string(static_cast<std::int32_t>(distance)) +
          " bits, which is less than none or no less than the number has. C++ leaves open what comes out, a GPU shifts all bits out, this "
          "emulator cannot: look at the distance first, as in `n < 32 ? x >> n : 0`");
}

// Where a lane is, for who must know which way it took; nothing of what it does.
[[gnu::noinline]] void passes() { record(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), RETURN_ADDRESS); }

// Every function of a kernel that is compiled for a debugger calls these.
bool is_debugged_kernel(const void* function) {
  return reinterpret_cast<std::uint64_t>(function) - histolab_debug_view.kernel < histolab_debug_view.kernel_bytes;
}
[[gnu::noinline]] void enters(void* function, void*) {
  if (!current.entering || !is_debugged_kernel(function)) return;
  Lanes::note_site(site_of(RETURN_ADDRESS));
  Lanes::suspend();
}
// What a thread did last is judged while it still stands at its kernel's end.
[[gnu::noinline]] void exits(void* function, void*) {
  if (!current.debugged || !is_debugged_kernel(function)) return;
  histolab_debug_view.exit_site = site_of(RETURN_ADDRESS);
  Lanes::note_site(site_of(RETURN_ADDRESS));
  Lanes::suspend();
}

// Device time, as far as there is any: it goes up each time that somebody looks or sleeps, the same in every run.
constinit thread_local long long device_clock = 0;
constexpr long long ticks_per_look = 64;
long long clock64() { return device_clock += ticks_per_look; }
[[gnu::noinline]] void nanosleep(unsigned ns) {
  device_clock += ns;
  current.runner->sleep(site_of(RETURN_ADDRESS));
}

int is_shared(const void* p) { return lies_in_shared(p); }
int is_local(const void* p) { return lies_in_stacks(reinterpret_cast<std::uint64_t>(p)); }
int is_global(const void* p) { return !is_stray(reinterpret_cast<std::uint64_t>(p)) && !is_shared(p); }

[[gnu::noinline]] void* allocate(std::size_t bytes) {
  return current.runner->allocate(bytes, "malloc", site_of(RETURN_ADDRESS));
}
[[gnu::noinline]] void* allocate_new(std::size_t bytes) {
  return current.runner->allocate(bytes, "new", site_of(RETURN_ADDRESS));
}
[[gnu::noinline]] void release(void* p) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (p == nullptr || !current.runner->release(address, site_of(RETURN_ADDRESS))) return;
  give_way(true, address, false, RETURN_ADDRESS);
  record(address, RETURN_ADDRESS);
  show(address, RETURN_ADDRESS);
}

// Of a lane's own stack, from the caller's frame on, nobody else knows. What lies below is in use by whoever asks.
bool is_own_range(const void* p, std::size_t bytes, const void* frame, const void* return_address) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (!lies_in_stacks(address)) return false;
  const std::uint64_t above = reinterpret_cast<std::uint64_t>(frame) + 16;  // behind what is kept there and the return address
  const std::uint64_t end = (above | (Window::stack_bytes - 1)) + 1;
  if (!is_of_own_stack(address, above)) current.runner->end_by_stray(address, site_of(return_address));
  if (bytes > end - address) current.runner->end_by_stray(end, site_of(return_address));
  return true;
}

[[gnu::noinline]] void* set(void* destination, int value, std::size_t bytes) {
  if (is_own_range(destination, bytes, __builtin_frame_address(0), RETURN_ADDRESS)) return std::memset(destination, value, bytes);
  give_way(true, reinterpret_cast<std::uint64_t>(destination), false, RETURN_ADDRESS);
  record_range(destination, bytes, reinterpret_cast<std::uint64_t>(RETURN_ADDRESS));
  return std::memset(destination, value, bytes);
}
[[gnu::noinline]] void* copy(void* destination, const void* source, std::size_t bytes) {
  const bool from_own = is_own_range(source, bytes, __builtin_frame_address(0), RETURN_ADDRESS);
  const bool to_own = is_own_range(destination, bytes, __builtin_frame_address(0), RETURN_ADDRESS);
  if (!from_own) record_range(source, bytes, reinterpret_cast<std::uint64_t>(RETURN_ADDRESS) - 1);
  if (!to_own) {
    give_way(true, reinterpret_cast<std::uint64_t>(destination), false, RETURN_ADDRESS);
    record_range(destination, bytes, reinterpret_cast<std::uint64_t>(RETURN_ADDRESS));
  }
  return std::memmove(destination, source, bytes);
}

thread_local Uint3 block_index{}, block_shape{}, grid_shape{};

}  // namespace device

namespace {

using Table = RuntimeTable;

template <class F>
const void* address_of(F* function) {
  return reinterpret_cast<const void*>(function);
}

template <bool stepping>
void add_atomics(Table& table) {
  // "histolab_atomicAdd_u32" -> "histolab_atomicAdd_block_u32"
  static std::deque<std::string> names;
  const auto add_block_scope = [&table](std::string_view symbol) {
    const std::size_t tag = symbol.rfind('_');
    const std::string& name = names.emplace_back(std::string(symbol.substr(0, tag)) + "_block" + std::string(symbol.substr(tag)));
    table[name] = table[symbol];
    table[name].scope = Scope::block;
  };
  const auto add = [&]<class T>(std::string_view symbol, T (*function)(T*, T)) {
    const bool exchange = symbol.starts_with("histolab_atomicExch");
    table[symbol] = {address_of(function), exchange ? AccessKind::exchange : AccessKind::atomic, sizeof(T)};
    add_block_scope(symbol);
  };
  const auto add_cas = [&]<class T>(std::string_view symbol, T (*function)(T*, T, T)) {
    table[symbol] = {address_of(function), AccessKind::compare_and_swap, sizeof(T)};
    add_block_scope(symbol);
  };
  using namespace device;
#define ADD(Name, name, tag) add("histolab_atomic" #Name "_" #tag, name##_##tag<stepping>);
#define ADD_32_64(Name, name) ADD(Name, name, i32) ADD(Name, name, u32) ADD(Name, name, u64)
  ADD_32_64(Add, add) ADD_32_64(Exch, exch) ADD_32_64(Min, min) ADD_32_64(Max, max)
  ADD_32_64(And, and) ADD_32_64(Or, or) ADD_32_64(Xor, xor)
  ADD(Sub, sub, i32) ADD(Sub, sub, u32) ADD(Min, min, i64) ADD(Max, max, i64)
  ADD(Add, add, f32) ADD(Add, add, f64) ADD(Exch, exch, f32) ADD(Inc, inc, u32) ADD(Dec, dec, u32)
#undef ADD_32_64
#undef ADD
  add_cas("histolab_atomicCAS_u16", cas_u16<stepping>);
  add_cas("histolab_atomicCAS_i32", cas_i32<stepping>);
  add_cas("histolab_atomicCAS_u32", cas_u32<stepping>);
  add_cas("histolab_atomicCAS_u64", cas_u64<stepping>);
}

Table make_table(bool stepping) {
  Table table;
  const void* read = stepping ? address_of(&callbacks::read<true>) : address_of(&callbacks::read<false>);
  const void* write = stepping ? address_of(&callbacks::write<true>) : address_of(&callbacks::write<false>);
  static constexpr struct { std::string_view read, volatile_read, write, volatile_write; std::uint8_t bytes; } widths[] = {
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
  table["__tsan_vptr_update"] = {write, AccessKind::store, 8};  // of an object with virtual functions
  table["__tsan_read_range"] = {address_of(callbacks::read_range), AccessKind::load, 0};
  table["__tsan_write_range"] = {address_of(callbacks::write_range), AccessKind::store, 0};
  if (stepping) add_atomics<true>(table);
  else add_atomics<false>(table);
  for (const auto& [name, function] : device_mathematics()) table[name] = {function};
  add_warp_functions(table);
  table["__x86_return_thunk"] = {address_of(&histolab_checked_return)};
  table["histolab_syncthreads"] = {address_of(device::syncthreads)};
  table["histolab_syncthreads_count"] = {address_of(device::syncthreads_count)};
  table["histolab_syncthreads_and"] = {address_of(device::syncthreads_and)};
  table["histolab_syncthreads_or"] = {address_of(device::syncthreads_or)};
  table["histolab_threadfence"] = table["histolab_threadfence_system"] = {address_of(device::threadfence)};
  table["histolab_threadfence_block"] = {address_of(device::threadfence_block)};
  table["histolab_trap"] = table["abort"] = {address_of(device::trap)};
  table["histolab_clock64"] = {address_of(device::clock64)};
  table["histolab_nanosleep"] = {address_of(device::nanosleep)};
  table["histolab_isShared"] = {address_of(device::is_shared)};
  table["histolab_isLocal"] = {address_of(device::is_local)};
  table["histolab_isGlobal"] = {address_of(device::is_global)};
  table["__ubsan_handle_shift_out_of_bounds"] = {address_of(device::shift_out_of_bounds)};
  table["__sanitizer_cov_trace_pc"] = {address_of(device::passes), AccessKind::load, 1};
  table["__cyg_profile_func_enter"] = {address_of(device::enters)};
  table["__cyg_profile_func_exit"] = {address_of(device::exits)};
  table["__assert_fail"] = {address_of(device::assert_failed)};
  table["printf"] = {address_of(device_printf)};
  table["puts"] = {address_of(device_puts)};
  table["putchar"] = {address_of(device_putchar)};
  table["malloc"] = {address_of(device::allocate)};
  table["_Znwm"] = table["_Znam"] = {address_of(device::allocate_new)};
  for (const auto release : {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"})
    table[release] = {address_of(device::release), AccessKind::release, 1};
  table["memset"] = {address_of(device::set), AccessKind::store, 0};
  table["memcpy"] = table["memmove"] = {address_of(device::copy), AccessKind::store, 0, true};
  return table;
}

const Table& fast_table() {
  static const Table table = make_table(false);
  return table;
}
const Table& stepping_table() {
  static const Table table = make_table(true);
  return table;
}

}  // namespace

std::optional<RuntimeFunction> runtime_function(std::string_view symbol, bool stepping) {
  const Table& table = stepping ? stepping_table() : fast_table();
  const auto found = table.find(symbol);
  if (found != table.end()) return found->second;
  if (const void* const thunk = checked_call_through(symbol)) return RuntimeFunction{thunk};
  return std::nullopt;
}

bool is_fence(std::string_view symbol) { return symbol.starts_with("histolab_threadfence"); }

std::optional<std::int64_t> runtime_variable(std::string_view symbol) {
  const auto offset = [](const Uint3& variable) {
    return reinterpret_cast<const char*>(&variable) - static_cast<const char*>(__builtin_thread_pointer());
  };
  if (symbol == "histolab_threadIdx") return offset(thread_index);
  if (symbol == "histolab_blockIdx") return offset(device::block_index);
  if (symbol == "histolab_blockDim") return offset(device::block_shape);
  if (symbol == "histolab_gridDim") return offset(device::grid_shape);
  return std::nullopt;
}

bool is_runtime_variable(std::uint64_t address, std::uint64_t bytes) {
  for (const Uint3* variable : {&thread_index, &device::block_index, &device::block_shape, &device::grid_shape}) {
    const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(variable);
    if (offset < sizeof *variable && offset + bytes <= sizeof *variable) return true;
  }
  return false;
}

void set_block_index(Uint3 block) { device::block_index = block; }
void set_shape(Uint3 grid, Uint3 block) { device::grid_shape = grid, device::block_shape = block; }

}  // namespace histolab::kernels::emulator
