#include "kernels/worker/host_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {
namespace {

// Does any declaration of the name say that it is the device's, or might a macro in front of one say so?
bool is_devices(const SourceText& source, const std::string& name, int declared, const std::vector<std::string>& marks) {
  const auto places = source.find(name);
  for (const std::size_t at : places) {
    const std::string head = source.declaration_before(at);
    if (contains_word(head, marks)) return true;
    const bool declaration = declared != 0 ? source.line(at) == declared : at == places.front();
    if (declaration && contains_word(head, source.macros())) return true;
  }
  return places.empty();  // made by a macro
}

}  // namespace

std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<emulator::UsedName>& functions,
                                            const std::vector<emulator::UsedName>& variables) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  for (const emulator::UsedName& function : functions) {
    if (is_devices(source, function.name, function.declared, {"__device__", "__global__", "constexpr", "consteval"})) continue;
    diagnostics.push_back({Severity::error, function.used != 0 ? function.used : function.declared, 0,
                           fmt::format("`{}` is a host function; a kernel can call device code only: write __device__ in front of it (line {})",
                                       function.name, function.declared)});
  }
  for (const emulator::UsedName& variable : variables) {
    if (is_devices(source, variable.name, 0, {"__device__", "__constant__", "__managed__", "__global__", "constexpr", "const"})) continue;
    diagnostics.push_back({Severity::error, variable.used, 0,
                           fmt::format("`{}` is a variable of the host; a kernel cannot see it: make it constexpr if it never changes, else "
                                       "write __device__ in front of it", variable.name)});
  }
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return diagnostics;
}

}  // namespace histolab::kernels::worker
