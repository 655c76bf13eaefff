#include "kernels/emulator/module/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/kernel_name.h"
#include "kernels/variable_declaration.h"

namespace histolab::kernels::emulator {
namespace {

// Moves the source positions of a section along with its code. They were read for the original
// offsets. `base`: offset of the section in the text.
void move_places(const ConfinedCode& code, std::size_t base, std::vector<SourcePlace>& places) {
  if (code.moved.empty() || base + code.bytes.size() > places.size())
    return;  // too few positions: the debug information is damaged
  std::vector<SourcePlace> moved(code.bytes.size());
  for (std::size_t k = 0; k + 1 < code.moved.size(); ++k) {
    const std::size_t from = base + code.moved[k].from;
    const SourcePlace place = from < places.size() ? places[from] : SourcePlace{};
    std::fill(moved.begin() + code.moved[k].to, moved.begin() + code.moved[k + 1].to, place);
  }
  std::ranges::copy(moved, places.begin() + static_cast<std::ptrdiff_t>(base));
}

// Returns the name in CUDA: atomicAdd for histolab_atomicAdd_u32.
std::string cuda_name(std::string_view symbol) {
  constexpr std::string_view ours = "histolab_";
  if (symbol.starts_with(ours)) symbol.remove_prefix(ours.size());
  return std::string(symbol.substr(0, symbol.find('_', 2)));
}

std::string unsupported_message(const std::string& name) {
  if (name.starts_with("__tsan_atomic"))
    return "a host atomic (std::atomic, __atomic_...) cannot be used in a kernel. Use atomicAdd or "
           "a similar function, or cuda::atomic_ref from <cuda/atomic>";
  // The C++ library's functions have no parameters in such a name, or are in namespace std.
  if (name.ends_with(')') && name.find("std::") == std::string::npos)
    return fmt::format(
        "unresolved extern function `{}`: this file does not define it. To call a __device__ "
        "function of another file, compile both with `histolab nvcc -rdc=true`, as nvcc needs it, "
        "too",
        name);
  return fmt::format(
      "`{}` cannot be used in a kernel here: it is not a device function that this emulator knows",
      name);
}

std::string out_of_reach_message(const std::string& name) {
  return fmt::format(
      "`{}` is accessed at a constant index that is far out of bounds (a negative number that "
      "became unsigned?). An index must be at least 0 and less than the number of elements",
      last_name(name));
}

std::string by_address_message(std::string_view symbol) {
  return fmt::format(
      "the address of `{}` is taken. Call the function by its name, so that the emulator knows "
      "every call",
      cuda_name(symbol));
}

}  // namespace

SourcePlaces loaded_places(const KernelParts& parts, const Placement& placement, std::uint64_t text,
                           std::uint64_t text_bytes, std::span<const std::string> library_folders) {
  SourcePlaces places = source_places(parts.object().image(), text, text_bytes, library_folders);
  for (const auto& [section, code] : parts.code())
    if (placement.address[section] != nullptr)
      move_places(code, placement.begin_of(section) - text, places.of);
  return places;
}

bool is_export(const Symbol& symbol, const KernelSignature& signature) {
  return symbol.section != 0 && !symbol.is_thread_local &&
         std::ranges::find(signature.exports, symbol.name) != signature.exports.end();
}

Exports read_exports(const KernelParts& parts, const Placement& placement,
                     const KernelSignature& signature) {
  Exports exports;
  for (const Symbol& symbol : parts.object().symbols()) {
    if (!is_export(symbol, signature)) continue;
    std::uint32_t value = 0;
    const std::uint8_t* const section = placement.address[symbol.section];
    const bool fits = symbol.bytes == sizeof value &&
                      symbol.value + sizeof value <= parts.section(symbol.section).bytes;
    if (!fits || section == nullptr) {
      exports.mistakes.push_back(about_wrong_export(symbol.name));
      continue;
    }
    std::memcpy(&value, section + symbol.value, sizeof value);
    exports.values[symbol.name] = value;
  }
  return exports;
}

// The shim defines __launch_bounds__(n) as the attribute constructor(n). So the object file has the
// evaluated number in the name of the section that refers to the kernel. The emulator never runs
// constructors.
std::uint32_t launch_bounds(const ObjectFile& object, std::uint32_t kernel) {
  constexpr std::string_view prefix = ".init_array.";
  std::uint32_t bounds = 0;
  for (std::uint32_t i = 0; i < object.sections().size(); ++i) {
    const std::string& name = object.sections()[i].name;
    if (!name.starts_with(prefix)) continue;
    for (const Relocation& relocation : object.relocations(i))
      if (object.symbols()[relocation.symbol].section == kernel)
        bounds =
            static_cast<std::uint32_t>(std::strtoul(name.c_str() + prefix.size(), nullptr, 10));
  }
  return bounds;
}

std::vector<Diagnostic> refused_code(const KernelParts& parts, const Placement& placement,
                                     const SourcePlaces& places, std::uint64_t text) {
  std::vector<Diagnostic> mistakes;
  for (const auto& [section, code] : parts.code()) {
    if (placement.address[section] == nullptr || code.problem.empty()) continue;
    const std::uint64_t offset = placement.begin_of(section) - text + code.problem_at;
    mistakes.push_back({Severity::error, places.line_at(offset), 0,
                        fmt::format("the compiler turned this into {}, which the emulator does not "
                                    "run. Write it more simply, as CUDA C++ that nvcc accepts",
                                    code.problem)});
  }
  return mistakes;
}

std::vector<Diagnostic> wrong_uses(const Links& links, const ObjectFile& object,
                                   const SourcePlaces& places, std::uint64_t text) {
  std::vector<Diagnostic> mistakes;
  // `use`: the address of a field, which is behind the begin of its instruction.
  const auto add = [&](std::uint64_t use, std::string message) {
    mistakes.push_back({Severity::error, places.line_at(use - 1 - text), 0, std::move(message)});
  };
  for (const auto& [symbol, use] : links.unsupported)
    add(use, unsupported_message(demangle(object.symbols()[symbol].name)));
  for (const auto& [symbol, use] : links.out_of_reach)
    add(use, out_of_reach_message(demangle(object.symbols()[symbol].name)));
  for (const auto& [symbol, use] : links.by_address)
    add(use, by_address_message(object.symbols()[symbol].name));
  return mistakes;
}

}  // namespace histolab::kernels::emulator
