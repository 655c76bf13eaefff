#include "kernels/kernel_name.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace histolab::kernels {
namespace {

// "histogram(char const*, unsigned int)" -> "histogram"; "void f<4>(int)" -> "f<4>".
std::string_view function_name(std::string_view demangled) {
  std::string_view name = demangled.substr(0, demangled.find('('));
  const auto angle = name.find('<');
  const auto space = name.substr(0, angle).rfind(' ');
  return space == std::string_view::npos ? name : name.substr(space + 1);
}

// Returns true if the parameters in the demangled name match the signature.
bool fits(const std::string& demangled, const KernelSignature& signature) {
  const auto open = demangled.find('('), close = demangled.rfind(')');
  // An extern "C" name has no parameters.
  if (open == std::string::npos || close == std::string::npos || close < open) return true;
  std::vector<std::string> types;
  for (std::size_t begin = open + 1; begin < close;) {
    const auto end = std::min(demangled.find(", ", begin), close);
    if (end > begin) types.push_back(demangled.substr(begin, end - begin));
    begin = end + 2;
  }
  using Parameter = KernelSignature::Parameter;
  if (types.size() != signature.parameters.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool is_pointer = types[i].ends_with('*');
    const bool is_word = types[i] == "int" || types[i] == "unsigned int";
    if (signature.parameters[i] == Parameter::pointer ? !is_pointer : !is_word) return false;
  }
  return true;
}

}  // namespace

KernelChoice choose_kernel(const std::vector<FunctionSymbol>& functions,
                           const KernelSignature& signature) {
  std::vector<std::size_t> kernels;
  bool not_global = false, is_static = false, is_template = false;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const std::string demangled = demangle(functions[f].name);
    const std::string_view name = function_name(demangled);
    if (name.substr(0, name.find('<')) != signature.name) continue;
    is_template |= name.find('<') != std::string_view::npos;
    if (name != signature.name) continue;
    if (functions[f].is_kernel) {
      kernels.push_back(f);
    } else {
      not_global = true;
      is_static |= functions[f].name.starts_with("_ZL");
    }
  }
  std::string problem;
  if (kernels.empty() && is_static)
    problem = fmt::format(
        "`{}` is static, so it cannot be launched from outside the file. Write __global__ in "
        "front of `void {}`, without static",
        signature.name, signature.name);
  else if (kernels.empty() && not_global)
    problem = fmt::format("`{}` is not a kernel. Write __global__ in front of `void {}`",
                          signature.name, signature.name);
  else if (kernels.empty() && is_template)
    problem = fmt::format("`{}` is a template; the harness launches a plain kernel: {}",
                          signature.name, signature.declaration);
  else if (kernels.empty())
    problem = fmt::format("there is no kernel called `{}`. Write it: {}", signature.name,
                          signature.declaration);
  else if (kernels.size() > 1)
    problem = fmt::format("there are {} kernels called `{}`; keep one: {}", kernels.size(),
                          signature.name, signature.declaration);
  if (!problem.empty()) return {0, std::move(problem)};
  const std::string demangled = demangle(functions[kernels[0]].name);
  if (!fits(demangled, signature))
    problem = fmt::format(
        "the kernel is declared as `{}`, but the harness calls it as `{}`. Change the declaration "
        "back",
        demangled, signature.declaration);
  return {kernels[0], std::move(problem)};
}

std::string demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // "d" alone would be demangled to the type double
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

std::string last_name(const std::string& demangled) {
  const auto colon = demangled.rfind(':');
  return colon == std::string::npos ? demangled : demangled.substr(colon + 1);
}

}  // namespace histolab::kernels
