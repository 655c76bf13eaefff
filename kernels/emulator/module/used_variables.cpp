#include "kernels/emulator/module/used_variables.h"

#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/emulator/module/placement.h"
#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {
namespace {

// Returns the lowest line of code that refers to the section, or 0.
int line_of_first_use(std::uint32_t section, const KernelParts& parts, const Placement& placement,
                      const SourcePlaces& places, std::uint64_t text) {
  int first = 0;
  for (const std::uint32_t i : parts.sections()) {
    if (placement.address[i] == nullptr || !parts.section(i).executable) continue;
    const std::uint64_t begin = placement.begin_of(i);
    for (const Relocation& relocation : parts.relocations(i)) {
      if (parts.object().symbols()[relocation.symbol].section != section) continue;
      const int line = places.line_at(begin + relocation.offset - text);
      if (line != 0 && (first == 0 || line < first)) first = line;
    }
  }
  return first;
}

}  // namespace

std::vector<UsedVariable> used_variables(const KernelParts& parts, const Placement& placement,
                                         const SourcePlaces& places, std::uint64_t text) {
  std::vector<UsedVariable> variables;
  for (const Symbol& symbol : parts.object().symbols()) {
    const Section& section = parts.section(symbol.section);
    if (symbol.section == 0 || !parts.is_reachable(symbol.section) || symbol.is_function ||
        symbol.is_thread_local || symbol.bytes == 0 || section.executable || is_constant(section))
      continue;
    const std::string name = demangle(symbol.name);
    if (name.find_first_of("( ") != std::string::npos) continue;
    const int line = line_of_first_use(symbol.section, parts, placement, places, text);
    if (line != 0 || section.writable) variables.push_back({last_name(name), line});
  }
  return variables;
}

}  // namespace histolab::kernels::emulator
