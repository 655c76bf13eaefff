// ModuleLoader: binds a kernel's undefined symbols and applies its relocations.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/emulator/module/module_loader.h"
#include "kernels/kernel_name.h"

#include "kernels/emulator/memory/built_in_variables.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint8_t call_opcode = 0xe8, jump_opcode = 0xe9;
constexpr std::uint64_t stub_bytes = 16;  // jmp *[rip+2]; nop; nop; address

// Returns whether the function passes state to later blocks other than through a variable. Returns
// false for functions that allocate.
bool passes_between_blocks(std::string_view symbol) {
  static constexpr std::string_view names[] = {"histolab_clock64", "histolab_nanosleep",
                                               "printf",           "puts",
                                               "putchar",          "free",
                                               "_ZdlPv",           "_ZdaPv",
                                               "_ZdlPvm",          "_ZdaPvm"};
  return std::ranges::find(names, symbol) != std::end(names);
}

}  // namespace

bool is_reserved(std::string_view name) {
  static constexpr std::string_view prefixes[] = {"__tsan_",  "__x86_",         "__sanitizer_",
                                                  "__ubsan_", "__cyg_profile_", "histolab_"};
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

void ModuleLoader::bind_symbols() {
  for (std::uint32_t section = 0; section < reachable_.size(); ++section)
    if (reachable_[section])
      for (const Relocation& relocation : object_.relocations(section)) {
        const std::string& name = object_.symbols()[relocation.symbol].name;
        module_.has_fence |= is_fence(name);
        module_.allocates |= name == "malloc" || name == "_Znwm" || name == "_Znam";
      }
  module_.in_order = module_.has_fence || module_.allocates || options_.in_order;
  module_.shows = module_.in_order || options_.shows;
  for (std::uint32_t section = 0; section < reachable_.size(); ++section) {
    if (!reachable_[section]) continue;
    for (const Relocation& relocation : object_.relocations(section)) {
      const Symbol& symbol = object_.symbols()[relocation.symbol];
      if (symbol.section != 0 || symbol.name.empty() || symbol.is_absolute) continue;
      module_.has_warp_sync |= symbol.name == "histolab_syncwarp";
      module_.is_cooperative |= symbol.name == grid_barrier_symbol;
      module_.blocks_are_apart &=
          !passes_between_blocks(symbol.name) && symbol.name != grid_barrier_symbol;
      if (const auto offset = built_in_variable(symbol.name))
        built_ins_[relocation.symbol] = *offset;
      else if (const auto function =
                   runtime_function(symbol.name, options_.stepping || module_.shows))
        functions_[relocation.symbol] = *function;
      else if (!symbol.is_thread_local && symbol.name != "_GLOBAL_OFFSET_TABLE_")
        unsupported_[relocation.symbol] = 0;
    }
    // A thread_local that is initialized at run time has a guard variable. At file scope they share
    // one.
    for (const Relocation& relocation : object_.relocations(section)) {
      const Symbol& guard = object_.symbols()[relocation.symbol];
      const bool of_all = guard.name == "__tls_guard";
      if (!guard.is_thread_local || !(of_all || guard.name.starts_with("_ZGV"))) continue;
      refuse(fmt::format(
          "{} a __shared__ variable whose type has a constructor; shared memory is not "
          "initialized. Use a plain type, set it in the kernel, then call __syncthreads()",
          of_all ? "outside the kernels there is"
                 : fmt::format("`{}` is", last_name(demangle(guard.name)))));
      return;
    }
    if (object_.sections()[section].is_thread_local && !object_.sections()[section].is_zero)
      refuse(
          "a __shared__ variable cannot have an initial value. Write the values in the kernel, "
          "then __syncthreads()");
  }
}

std::uint64_t ModuleLoader::value_of(const Symbol& symbol) const {
  if (symbol.is_absolute || symbol.section == 0) return symbol.is_absolute ? symbol.value : 0;
  // A debug section has no address, so its symbols are offsets.
  return reinterpret_cast<std::uint64_t>(address_[symbol.section]) + symbol.value;
}

// Returns the address to call for a runtime function: the function itself, or a stub that jumps
// there if it is out of a call's reach. A call through a pointer always takes a stub, because it
// may only enter the kernel's own text. Returns 0 if the text has no room for a stub.
std::uint64_t ModuleLoader::stub_for(std::uint32_t symbol, bool by_address) {
  const auto target = reinterpret_cast<std::uint64_t>(functions_.at(symbol).address);
  constexpr std::uint64_t reach = 1ull << 30;  // half the range of a call
  if (!by_address && target - reinterpret_cast<std::uint64_t>(window_.image()) + reach < 2 * reach)
    return target;
  std::uint64_t& stub = stubs_[symbol];
  if (stub == 0) {
    std::uint8_t* const code = text_.take(stub_bytes, stub_bytes);
    if (code == nullptr) return 0;
    static constexpr std::uint8_t jump[8] = {0xff, 0x25, 0x02, 0, 0, 0, 0x90, 0x90};
    std::memcpy(code, jump, sizeof jump);
    std::memcpy(code + 8, &target, sizeof target);
    stub = reinterpret_cast<std::uint64_t>(code);
  }
  if (by_address) {
    const auto begin = reinterpret_cast<std::uint64_t>(window_.image());
    callable_stubs_.push_back(static_cast<std::uint32_t>(stub - begin));
  }
  return stub;
}

// Returns the address of a word that holds `value`, like a GOT entry. The word is in the text, so
// the kernel cannot change it. Returns 0 if the text has no room.
std::uint64_t ModuleLoader::slot_for(std::uint32_t symbol, std::uint64_t value) {
  if (const auto known = slots_.find(symbol); known != slots_.end()) return known->second;
  std::uint8_t* slot = text_.take(8, 8);
  if (slot == nullptr) return 0;
  std::memcpy(slot, &value, sizeof value);
  return slots_[symbol] = reinterpret_cast<std::uint64_t>(slot);
}

Status ModuleLoader::relocate() {
  for (std::uint32_t i = 0; i < address_.size(); ++i) {
    const bool debug = object_.sections()[i].name.starts_with(".debug_");
    if (address_[i] == nullptr && !debug) continue;
    if (object_.sections()[i].is_thread_local) continue;
    for (const Relocation& relocation : relocations_of(i)) TRY(apply(relocation, i));
  }
  return Done{};
}

Status ModuleLoader::apply(const Relocation& relocation, std::uint32_t section) {
  const Error malformed{fmt::format(
      "the object file has a relocation (type {}) that cannot be applied", relocation.type)};
  if (relocation.offset >= bytes_of(section)) return malformed;
  const Symbol& symbol = object_.symbols()[relocation.symbol];
  const bool loaded = address_[section] != nullptr;
  std::uint8_t* field =
      (loaded ? address_[section] : object_.mutable_data(section)) + relocation.offset;
  const auto place = reinterpret_cast<std::uint64_t>(field);
  const auto addend = static_cast<std::uint64_t>(relocation.addend);
  const std::uint64_t room = bytes_of(section) - relocation.offset;
  const auto put64 = [&](std::uint64_t value) -> Status {
    if (room < 8) return malformed;
    std::memcpy(field, &value, 8);
    return Done{};
  };
  const auto put32 = [&](std::uint64_t value, bool is_signed) -> Status {
    const auto wide = static_cast<std::int64_t>(value);
    const bool fits = is_signed ? wide == static_cast<std::int32_t>(wide)
                                : value == static_cast<std::uint32_t>(value);
    if (room < 4) return malformed;
    if (!fits) {  // reported later, by its symbol; this code never runs
      if (!loaded) return malformed;
      out_of_reach_.try_emplace(relocation.symbol, place);
      return Done{};
    }
    const auto narrow = static_cast<std::uint32_t>(value);
    std::memcpy(field, &narrow, 4);
    return Done{};
  };
  if (loaded && unsupported_.contains(relocation.symbol)) {
    if (unsupported_[relocation.symbol] == 0) unsupported_[relocation.symbol] = place;
    return Done{};
  }
  const bool is_runtime = functions_.contains(relocation.symbol);
  const bool is_code = object_.sections()[section].executable;
  const std::uint8_t before = relocation.offset == 0 || !loaded ? 0 : field[-1];
  const bool called = is_code && (before == call_opcode || before == jump_opcode);
  std::uint64_t value =
      is_runtime && loaded ? stub_for(relocation.symbol, !called) : value_of(symbol);
  if (is_runtime && loaded) {
    if (value == 0) return malformed;
    const RuntimeFunction& function = functions_.at(relocation.symbol);
    const std::uint64_t return_address = place + 4;
    module_.blocks_are_apart &= called;
    if (!called && (function.bytes != 0 || is_reserved(symbol.name)))
      by_address_.try_emplace(relocation.symbol, place);
    if (is_code) {
      Site& site = (*module_.sites)[static_cast<SiteNumber>(return_address)];
      site.kind = function.kind;
      site.bytes = function.bytes;
      site.scope = function.scope;
      site.is_volatile = function.is_volatile;
      if (constexpr std::string_view prefix = "histolab_atomic";
          is_atomic(function.kind) && symbol.name.starts_with(prefix))
        atomic_calls_.push_back({static_cast<SiteNumber>(return_address),
                                 std::string_view(symbol.name).substr(prefix.size())});
      if (const MergeableUpdate update = mergeable_update(symbol.name);
          update != MergeableUpdate::none)
        module_.mergeable_updates[static_cast<SiteNumber>(return_address)] = update;
      module_.calls.push_back(static_cast<SiteNumber>(return_address));
      if (symbol.name.starts_with("histolab_syncthreads"))
        module_.barriers.push_back(static_cast<SiteNumber>(return_address));
      for (int distance = 1; distance < 2 * function.ranges; ++distance) {
        Site& other = (*module_.sites)[static_cast<SiteNumber>(return_address - distance)];
        other.kind = distance == 1 ? AccessKind::store : AccessKind::load;
        other.bytes = distance == 2 ? 1 : 0;
        module_.calls.push_back(static_cast<SiteNumber>(return_address - distance));
      }
      module_.has_compare_and_swap |= function.kind == AccessKind::compare_and_swap;
    }
  }
  const auto thread_pointer = reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
  const auto thread_offset = [&]() -> std::uint64_t {
    if (const auto built_in = built_ins_.find(relocation.symbol); built_in != built_ins_.end())
      return static_cast<std::uint64_t>(built_in->second);
    const std::uint64_t variable =
        symbol.section == 0 ? reinterpret_cast<std::uint64_t>(dynamic_shared_) : value_of(symbol);
    const bool placed =
        symbol.section == 0 ? dynamic_shared_ != nullptr : address_[symbol.section] != nullptr;
    return placed ? variable - thread_pointer : 0;  // too much shared memory: never launched
  };
  switch (relocation.type) {
    case R_X86_64_NONE: return Done{};
    case R_X86_64_64: return put64(value + addend);
    case R_X86_64_PC32:
    case R_X86_64_PLT32: return put32(value + addend - place, true);
    case R_X86_64_PC64: return put64(value + addend - place);
    case R_X86_64_32: return put32(value + addend, false);
    case R_X86_64_32S: return put32(value + addend, true);
    case R_X86_64_TPOFF32: return put32(thread_offset() + addend, true);
    case R_X86_64_TPOFF64: return put64(thread_offset() + addend);
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return put32(slot_for(relocation.symbol, value) + addend - place, true);
    case R_X86_64_GOTTPOFF:
      return put32(slot_for(relocation.symbol, thread_offset()) + addend - place, true);
    case R_X86_64_DTPOFF32:
    case R_X86_64_DTPOFF64:  // debug information about shared arrays
      if (loaded) return malformed;
      if (options_.debugged && relocation.offset > 0 && room > 8 &&
          address_[symbol.section] != nullptr)
        static_cast<void>(make_location_absolute(
            field,
            value_of(
                symbol)));  // other forms stay unchanged: the debugger cannot show these variables
      return Done{};
    default: return malformed;
  }
}

}  // namespace histolab::kernels::emulator
