#include "kernels/emulator/runtime/runtime_table.h"

#include <string>

#include "kernels/emulator/arch/stack_room.h"
#include "kernels/emulator/arch/symbols.h"
#include "kernels/emulator/runtime/device_math.h"
#include "kernels/emulator/runtime/device_printf.h"
#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {

namespace device {

using Reduction = BlockRunner::Reduction;
RETURNS_BY_JUMP [[gnu::noinline]] void syncthreads() {
  Lanes::wait_at_barrier(site_of(RETURN_ADDRESS));
}
[[gnu::noinline]] int syncthreads_count(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::count, p != 0);
}
[[gnu::noinline]] int syncthreads_and(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::all, p != 0);
}
[[gnu::noinline]] int syncthreads_or(int p) {
  return current.runner->barrier(site_of(RETURN_ADDRESS), Reduction::any, p != 0);
}
[[gnu::noinline]] void grid_sync() { current.runner->grid_barrier(site_of(RETURN_ADDRESS)); }
bool launch_is_cooperative() { return current.cooperative; }
[[gnu::noinline]] void threadfence() { current.runner->fence(Scope::device); }
[[gnu::noinline]] void threadfence_block() { current.runner->fence(Scope::block); }

[[gnu::noinline]] void trap() {
  const int line = (*current.sites)[site_of(RETURN_ADDRESS)].line;
  current.runner->end_by_fault(
      FindingKind::illegal_instruction, line,
      "the kernel called __trap(). Check the condition under which it does");
}
// The vtable of a class with a pure virtual function has this instead.
[[gnu::noinline]] void pure_virtual() {
  need_stack_room();
  const int line = (*current.sites)[site_of(RETURN_ADDRESS)].line;
  current.runner->end_by_fault(
      FindingKind::illegal_instruction, line,
      "the kernel called a pure virtual function. Do not call one in a constructor or destructor "
      "of its class, and call none of a deleted object");
}
[[gnu::noinline]] void assert_failed(const char* expression, const char*, unsigned line,
                                     const char*) {
  need_stack_room();
  current.runner->end_by_fault(
      FindingKind::illegal_instruction, static_cast<int>(line),
      "the assertion `" + kernel_text(expression) + "` failed. Check where its values come from");
}

// For shifts that operators.h does not handle.
[[gnu::noinline]] void shift_out_of_bounds(void*, std::uint64_t, std::uint64_t distance) {
  need_stack_room();
  const int line = (*current.sites)[site_of(RETURN_ADDRESS)].line;
  current.runner->end_by_fault(
      FindingKind::unsupported, line,
      "a shift by " + std::to_string(static_cast<std::int32_t>(distance)) +
          " bits is undefined: the distance must be at least 0 and below the width of the number; "
          "nvcc may remove all code that depends on it. Test the distance first, as in "
          "`n < 32 ? x >> n : 0`");
}

// Device time. It increases each time that a lane reads the clock or sleeps, the same in every run.
constinit thread_local long long device_clock = 0;
constexpr long long ticks_per_look = 64;
long long clock64() { return device_clock += ticks_per_look; }
[[gnu::noinline]] void nanosleep(unsigned ns) {
  device_clock += ns;
  current.runner->sleep(site_of(RETURN_ADDRESS));
}

int is_shared(const void* p) { return is_in_shared(p); }
int is_local(const void* p) { return is_in_stacks(reinterpret_cast<std::uint64_t>(p)); }
int is_global(const void* p) {
  return !is_stray(reinterpret_cast<std::uint64_t>(p)) && !is_shared(p);
}

[[gnu::noinline]] void* allocate(std::size_t bytes) {
  return current.runner->allocate(bytes, "malloc", site_of(RETURN_ADDRESS));
}
[[gnu::noinline]] void* allocate_new(std::size_t bytes) {
  return current.runner->allocate(bytes, "new", site_of(RETURN_ADDRESS));
}
[[gnu::noinline]] void release(void* p) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  if (p == nullptr) return;
  yield_before(true, address, false, RETURN_ADDRESS);
  if (!current.runner->release(address, site_of(RETURN_ADDRESS))) return;
  show(address, RETURN_ADDRESS);  // first, because record() may pause the lane
  record(address, RETURN_ADDRESS);
}

}  // namespace device

namespace {

using Table = RuntimeTable;

Table make_table() {
  Table table;
  add_callbacks(table);
  add_atomics(table);
  for (const auto& [name, function] : device_mathematics()) table[name] = {function};
  add_warp_functions(table);
  table[return_symbol] = {address_of(&histolab_checked_return)};
  table["histolab_syncthreads"] = {address_of(device::syncthreads)};
  table["histolab_syncthreads_count"] = {address_of(device::syncthreads_count)};
  table["histolab_syncthreads_and"] = {address_of(device::syncthreads_and)};
  table["histolab_syncthreads_or"] = {address_of(device::syncthreads_or)};
  table[grid_barrier_symbol] = {address_of(device::grid_sync)};
  table["histolab_launch_is_cooperative"] = {address_of(device::launch_is_cooperative)};
  table["histolab_threadfence"] =
      table["histolab_threadfence_system"] = {address_of(device::threadfence)};
  table["histolab_threadfence_block"] = {address_of(device::threadfence_block)};
  table["histolab_trap"] = table["abort"] = {address_of(device::trap)};
  table["__cxa_pure_virtual"] = table["__cxa_deleted_virtual"] = {address_of(device::pure_virtual)};
  // Functions of programs are compiled with exceptions, but kernels cannot throw: never called.
  table["_Unwind_Resume"] = {address_of(device::trap)};
  table["histolab_clock64"] = {address_of(device::clock64)};
  table["histolab_nanosleep"] = {address_of(device::nanosleep)};
  table["histolab_isShared"] = {address_of(device::is_shared)};
  table["histolab_isLocal"] = {address_of(device::is_local)};
  table["histolab_isGlobal"] = {address_of(device::is_global)};
  table["__ubsan_handle_shift_out_of_bounds"] = {address_of(device::shift_out_of_bounds)};
  table["__assert_fail"] = {address_of(device::assert_failed)};
  table["printf"] = {address_of(device_printf)};
  table["puts"] = {address_of(device_puts)};
  table["putchar"] = {address_of(device_putchar)};
  table["malloc"] = {address_of(device::allocate)};
  table["_Znwm"] = table["_Znam"] = {address_of(device::allocate_new)};
  for (const auto release : {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"})
    table[release] = {address_of(device::release), AccessKind::release, 1};
  return table;
}

}  // namespace

std::optional<RuntimeFunction> runtime_function(std::string_view symbol) {
  static const Table table = make_table();
  const auto found = table.find(symbol);
  if (found != table.end()) return found->second;
  if (const void* const thunk = checked_call_through(symbol)) return RuntimeFunction{thunk};
  return std::nullopt;
}

bool is_fence(std::string_view symbol) { return symbol.starts_with("histolab_threadfence"); }

}  // namespace histolab::kernels::emulator
