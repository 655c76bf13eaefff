#include "kernels/worker/host_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {
namespace {

// Does any declaration of the name have one of these words in front of it?
bool is_marked(const SourceText& source, const std::string& name, const std::vector<std::string>& marks) {
  const auto places = source.find(name);
  return std::any_of(places.begin(), places.end(), [&](std::size_t at) { return contains_word(source.declaration_before(at), marks); });
}

// Is it marked, or might a macro in front of it say so?
bool is_devices(const SourceText& source, const std::string& name, int declared, const std::vector<std::string>& marks) {
  if (is_marked(source, name, marks)) return true;
  const auto places = source.find(name);
  const auto behind_macro = [&](std::size_t at) {
    const bool declaration = declared != 0 ? source.line(at) == declared : at == places.front();
    return declaration && contains_word(source.declaration_before(at), source.macros());
  };
  return places.empty() || std::any_of(places.begin(), places.end(), behind_macro);  // empty: made by a macro
}

}  // namespace

std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<emulator::UsedName>& functions,
                                            const std::vector<emulator::UsedName>& variables) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  for (const emulator::UsedName& function : functions) {
    if (function.used != 0 && is_marked(source, function.name, {"__global__"})) {
      diagnostics.push_back({Severity::error, function.used, 0,
                             fmt::format("`{}` is a kernel (line {}), and a kernel is launched, never called: move what you need from it into a "
                                         "__device__ function", function.name, function.declared)});
      continue;
    }
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
