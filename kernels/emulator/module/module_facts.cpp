// ModuleLoader: facts about the loaded kernel: its lines, exports, mistakes and control flow.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/code/call_facts.h"
#include "kernels/emulator/debugger/debugger.h"
#include "kernels/emulator/module/module_loader.h"
#include "kernels/kernel_name.h"
#include "kernels/variable_declaration.h"

namespace histolab::kernels::emulator {
namespace {

// Returns the name in CUDA: atomicAdd for histolab_atomicAdd_u32.
std::string cuda_name(std::string_view symbol) {
  constexpr std::string_view ours = "histolab_";
  if (symbol.starts_with(ours)) symbol.remove_prefix(ours.size());
  return std::string(symbol.substr(0, symbol.find('_', 2)));
}

}  // namespace

void ModuleLoader::read_exports() {
  for (const Symbol& symbol : object_.symbols()) {
    if (!is_export(symbol)) continue;
    std::uint32_t value = 0;
    const bool fits = symbol.bytes == sizeof value &&
                      symbol.value + sizeof value <= object_.sections()[symbol.section].bytes;
    if (!fits || address_[symbol.section] == nullptr) {
      refuse(about_wrong_export(symbol.name));
      continue;
    }
    std::memcpy(&value, address_[symbol.section] + symbol.value, sizeof value);
    module_.exports[symbol.name] = value;
  }
}

// Moves source positions along with the code. They were read for the original offsets.
void ModuleLoader::move_places() {
  std::vector<SourcePlace>& places = module_.places.of;
  for (const auto& [section, code] : code_) {
    if (address_[section] == nullptr) continue;
    const auto base = static_cast<std::size_t>(address_[section] - window_.image());
    const auto place_at = [&](std::size_t offset) {
      return base + offset < places.size() ? places[base + offset] : SourcePlace{};
    };
    // An unsupported function may be the cause: if it never returns, no code follows its call. It
    // is reported by its name.
    if (!code.problem.empty() && unsupported_.empty())
      refuse(fmt::format("the compiler turned this into {}, which the emulator does not run. Write "
                         "it more simply, as CUDA C++ that nvcc accepts",
                         code.problem),
             place_at(code.problem_at).line);
    if (code.moved.empty() || base + code.bytes.size() > places.size())
      continue;  // too few positions: the debug information is damaged
    std::vector<SourcePlace> moved(code.bytes.size());
    for (std::size_t k = 0; k + 1 < code.moved.size(); ++k)
      std::fill(moved.begin() + code.moved[k].to, moved.begin() + code.moved[k + 1].to,
                place_at(code.moved[k].from));
    std::ranges::copy(moved, places.begin() + static_cast<std::ptrdiff_t>(base));
  }
}

void ModuleLoader::name_sites() {
  for (std::size_t offset = 1; offset <= module_.places.of.size();
       ++offset) {  // the last call may end the text
    Site& site = (*module_.sites)[offset];
    site.line = module_.places.of[offset - 1].line;
    site.origin = module_.places.of[offset - 1].origin;
    for (const WideAccess& access : options_.wide_accesses)
      if (access.line == site.line) site.wide |= access.bytes;
    site.is_local =
        std::ranges::find(options_.local_lines, site.line) != options_.local_lines.end();
  }
}

void ModuleLoader::explain_unsupported() {
  for (const auto& [number, address] : unsupported_) {
    const std::string name = demangle(object_.symbols()[number].name);
    const bool of_the_host = name.starts_with("__tsan_atomic");
    refuse(of_the_host
               ? "a host atomic (std::atomic, __atomic_...) cannot be used in a kernel. Use "
                 "atomicAdd or a similar function, or cuda::atomic_ref from <cuda/atomic>"
               : fmt::format("`{}` cannot be used in a kernel here: it is not a device function "
                             "that this emulator knows",
                             name),
           module_.line_of(address - 1, window_));
  }
  for (const auto& [number, address] : out_of_reach_)
    refuse(fmt::format("`{}` is accessed at a constant index that is far out of bounds (a negative "
                       "number that became unsigned?). An index must be at least 0 and less than "
                       "the number of elements",
                       last_name(demangle(object_.symbols()[number].name))),
           module_.line_of(address - 1, window_));
  for (const auto& [number, address] : by_address_)
    refuse(fmt::format("the address of `{}` is taken. Call the function by its name, so that the "
                       "emulator knows every call",
                       cuda_name(object_.symbols()[number].name)),
           module_.line_of(address - 1, window_));
}

// The shim defines __launch_bounds__(n) as the attribute constructor(n). So the object file has the
// evaluated number in the name of the section that refers to the kernel. The emulator never runs
// constructors.
void ModuleLoader::read_launch_bounds(std::uint32_t kernel_section) {
  constexpr std::string_view prefix = ".init_array.";
  for (std::uint32_t i = 0; i < object_.sections().size(); ++i) {
    const std::string& name = object_.sections()[i].name;
    if (!name.starts_with(prefix)) continue;
    for (const Relocation& relocation : object_.relocations(i))
      if (object_.symbols()[relocation.symbol].section == kernel_section)
        module_.max_threads_per_block =
            static_cast<std::uint32_t>(std::strtoul(name.c_str() + prefix.size(), nullptr, 10));
  }
}

// Lists variables at file scope, without those of functions and the compiler's own tables. A
// constant is listed only if the code uses its memory, and not just its value.
void ModuleLoader::name_variables() {
  for (const Symbol& symbol : object_.symbols()) {
    const Section& section = object_.sections()[symbol.section];
    if (symbol.section == 0 || !reachable_[symbol.section] || symbol.is_function ||
        symbol.is_thread_local || symbol.bytes == 0 || section.executable || is_constant(section))
      continue;
    const std::string full = demangle(symbol.name);
    if (full.find_first_of("( ") != std::string::npos) continue;
    const int line = line_of_first_use(symbol.section);
    if (line != 0 || section.writable) module_.variables.push_back({last_name(full), line});
  }
}

int ModuleLoader::line_of_first_use(std::uint32_t section) const {
  int first = 0;
  for (std::uint32_t i = 0; i < address_.size(); ++i) {
    if (address_[i] == nullptr || !object_.sections()[i].executable) continue;
    for (const Relocation& relocation : relocations_of(i)) {
      if (object_.symbols()[relocation.symbol].section != section) continue;
      const int line = module_.line_of(
          reinterpret_cast<std::uint64_t>(address_[i]) + relocation.offset, window_);
      if (line != 0 && (first == 0 || line < first)) first = line;
    }
  }
  return first;
}

void ModuleLoader::mark_code_places() {
  forget_code_places(window_.image());
  for (const auto& [section, code] : code_) {
    const auto base = static_cast<std::uint32_t>(address_[section] - window_.image());
    mark_function(base);
    for (const ReturnPlace& place : code.returns) mark_return(base + place.offset, place.depth);
    for (const EarlyReport& early : code.early_reports) {
      (*module_.sites)[base + early.of_write].is_early = true;
      (*module_.sites)[base + early.next].ends_early = true;
    }
    for (const CheckedPlace& check : code.checks) {
      const auto number = static_cast<SiteNumber>(base + check.offset);
      Site& site = (*module_.sites)[number];
      using enum NeededCheck::What;
      site.kind =
          check.what == read || check.what == stack_pointer ? AccessKind::load : AccessKind::store;
      if (check.what == stack_pointer || check.what == frame) continue;
      site.bytes = static_cast<std::uint8_t>(check.bytes);
      site.in_pieces = true;
      site.store_is_due = check.store_is_due;
      site.report_age = check.report.age, site.report_is_range = check.report.is_range,
      site.report_writes = check.report.writes;
      module_.calls.push_back(number);
      if (check.what != update) continue;
      site.is_update = true;
      const auto before = static_cast<SiteNumber>(number - 1);
      Site& of_read = (*module_.sites)[before];
      of_read.kind = AccessKind::load, of_read.bytes = site.bytes, of_read.in_pieces = true;
      module_.calls.push_back(before);
    }
  }
  for (const std::uint32_t stub : callable_stubs_) mark_function(stub);
}

namespace {

// `operation` is the function's name without its prefix: "Exch_block_u32". For floating point it is
// unknown whether the result is used, since it is returned in another register.
AtomicEffect effect_of(std::string_view operation, bool on_integers, bool argument_is_zero,
                       bool result_used) {
  const auto is_any_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return operation.starts_with(name); });
  };
  if (is_any_of({"Add_", "Sub_"}))
    return on_integers && argument_is_zero ? AtomicEffect::other : AtomicEffect::adds;
  const bool is_unsigned = operation[operation.rfind('_') + 1] == 'u';
  const bool makes_zero = argument_is_zero && (is_any_of({"And_", "Inc_", "Dec_"}) ||
                                               (is_unsigned && is_any_of({"Min_"})));
  if (is_any_of({"Inc_", "Dec_"}) && !makes_zero) return AtomicEffect::adds;
  const bool ignores_old = is_any_of({"Exch_"}) || makes_zero;
  return ignores_old && on_integers && !result_used ? AtomicEffect::overwrites
                                                    : AtomicEffect::other;
}

}  // namespace

void ModuleLoader::find_control_flow() {
  std::ranges::sort(module_.calls);
  const auto entry =
      static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(module_.entry) - window_.image());
  const FlowGraph graph = decode_flow(module_.text, entry);
  const CallFacts facts(module_.text, graph);
  for (const SiteNumber number : module_.calls)
    if (Site& site = (*module_.sites)[number]; is_atomic(site.kind))
      site.result_used = !facts.drops_result(number);
  for (const auto& [number, operation] : atomic_calls_) {
    Site& site = (*module_.sites)[number];
    const SecondArgument argument = facts.second_argument(number);
    const bool on_integers = operation[operation.rfind('_') + 1] != 'f';
    site.adds_one = operation.starts_with("Add_") && on_integers && argument == SecondArgument::one;
    site.effect =
        effect_of(operation, on_integers, argument == SecondArgument::zero, site.result_used);
  }
  module_.flow = ControlFlow(graph, module_.calls);
}

void ModuleLoader::show_to_debugger(std::uint32_t kernel_section) {
  histolab_debug_view.text = reinterpret_cast<std::uint64_t>(window_.image());
  histolab_debug_view.kernel = reinterpret_cast<std::uint64_t>(address_[kernel_section]);
  histolab_debug_view.kernel_bytes = object_.sections()[kernel_section].bytes;
  module_.debugger_image = std::make_unique<DebuggerImage>(image_for_debugger(object_, address_));
}

}  // namespace histolab::kernels::emulator
