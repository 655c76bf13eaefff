#include "kernels/worker/source_rules/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {
namespace {

// Returns whether one of these declarations has one of the words in front of it.
bool is_marked(const SourceText& source, const std::vector<std::size_t>& places,
               const std::vector<std::string>& words) {
  return std::any_of(places.begin(), places.end(), [&](std::size_t at) {
    return contains_word(source.declaration_before(at), words);
  });
}

// Takes the text from the beginning of the statement to a name. Returns the part that declares it,
// such as "__device__ void (*" of `__device__ void (*steps[2])()`. Returns nullopt if the name is
// not declared but used, as an argument, an index or an initial value.
std::optional<std::string_view> declaration_of_name(std::string_view before) {
  const bool is_template = contains_word(before, {"template"});
  std::size_t begin = 0, parenthesis = 0;
  int parentheses = 0, brackets = 0;
  bool behind_value = false;
  for (std::size_t at = 0; at < before.size(); ++at) {
    const char c = before[at];
    if (c == '(' && parentheses++ == 0) parenthesis = at;
    parentheses -= c == ')';
    brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (parentheses != 0 || brackets != 0) continue;
    if (c == '=') behind_value = true;
    if (c == ',' || (c == '>' && is_template))
      behind_value = false;  // `int a = 1, b`, `template <int n = 1> int f()`
    if (c != ':') continue;
    if (before.substr(at).starts_with("::"))
      ++at;
    else
      begin = at + 1;  // after `public:` or a constructor's initializers
  }
  if (behind_value || brackets != 0 || parentheses < 0 ||
      contains_word(before, {"if", "else", "for", "while", "do", "switch", "return"}))
    return std::nullopt;
  const std::string_view declaration = before.substr(begin);
  if (parentheses == 0) return declaration;
  const bool is_declarator =
      parentheses == 1 && parenthesis >= begin &&
      before.substr(parenthesis + 1).find_first_not_of("*& \t\r\n") == std::string_view::npos;
  return is_declarator ? std::optional(declaration) : std::nullopt;
}

// Returns the position at which the name is declared with one of the words, or npos.
std::size_t declared_at(const SourceText& source, const std::string& name,
                        const std::vector<std::string>& words) {
  for (const std::size_t at : source.find(name)) {
    const std::string before = source.declaration_before(at);
    const std::optional<std::string_view> declaration = declaration_of_name(before);
    if (declaration && contains_word(*declaration, words)) return at;
  }
  return std::string::npos;
}

bool is_declared(const SourceText& source, const std::string& name,
                 const std::vector<std::string>& words) {
  return declared_at(source, name, words) != std::string::npos;
}

// Returns the positions at which the file defines a function of this name. Empty if it comes from
// the shim or a macro.
std::vector<std::size_t> definitions(const SourceText& source, const std::string& name) {
  // If a name occurs more often, the later positions do not matter.
  constexpr std::size_t most_places = 1000;
  std::vector<std::size_t> places = source.find(name);
  if (places.size() > most_places) places.resize(most_places);
  std::erase_if(places, [&](std::size_t at) { return !source.defines_function(at, name.size()); });
  return places;
}

std::string about_function(const SourceText& source, const std::string& name, std::size_t defined) {
  const int line = source.line(defined);
  if (is_marked(source, {defined}, {"__global__"}))
    return fmt::format(
        "`{}` is a kernel (line {}), and a kernel is launched, never called. Move the code that "
        "you need into a __device__ function",
        name, line);
  return fmt::format(
      "`{}` is a host function; a kernel can call device code only. Write __device__ in front of "
      "it (line {})",
      name, line);
}

bool is_device_function(const SourceText& source, const std::string& name,
                        const std::vector<std::size_t>& defined) {
  return is_declared(source, name, {"__device__", "constexpr", "consteval"}) ||
         is_marked(source, defined, source.macros());
}

bool is_device_variable(const SourceText& source, const std::string& name) {
  const std::vector<std::size_t> places = source.find(name);
  return places.empty() ||
         is_declared(source, name, {"__device__", "__constant__", "__managed__", "__global__"}) ||
         is_marked(source, {places.front()}, source.macros());
}

std::string about_variable(const SourceText& source, const std::string& name) {
  if (is_declared(source, name, {"const", "constexpr"}))
    return fmt::format(
        "`{}` is a host constant; a kernel can use its value, but cannot select an element of a "
        "host array while it runs. Write __device__ or __constant__ in front of it",
        name);
  if (const std::vector<std::size_t> places = source.find(name);
      !places.empty() && source.code().substr(places.front() + name.size(), 1) == "[")
    return fmt::format(
        "`{}` is a host array; a kernel cannot access it. Write __device__ in front of it, or "
        "__constant__ if it never changes",
        name);
  return fmt::format(
      "`{}` is a host variable; a kernel cannot access it. Make it constexpr if it never changes, "
      "otherwise write __device__ in front of it",
      name);
}

// The compiler may report any use of a variable. Its line is used only if the name is in that line.
int line_of_use(const SourceText& source, const emulator::UsedVariable& variable) {
  const std::vector<std::size_t> places = source.find(variable.name);
  const bool stands_there = std::any_of(places.begin(), places.end(), [&](std::size_t at) {
    return source.line(at) == variable.line;
  });
  return stands_there || places.size() < 2 ? variable.line : source.line(places[1]);
}

// Returns the first position after the caller's definition, or npos. (A lambda's is unknown.)
std::size_t first_use(const SourceText& source, const Call& call, const std::string& kernel) {
  const std::vector<std::size_t> callers =
      definitions(source, call.caller.empty() ? kernel : call.caller);
  const std::size_t from = callers.empty() ? 0 : callers.front() + 1;
  for (const std::size_t at : source.find(call.callee))
    if (at >= from && !source.defines_function(at, call.callee.size())) return at;
  return std::string::npos;
}

// Returns the line of the call. If the source does not spell the callee's name (an operator),
// returns the line of the caller's definition, or 0 if that is unknown, too.
int line_of_call(const SourceText& source, const Call& call, const std::string& kernel) {
  if (const std::size_t use = first_use(source, call, kernel); use != std::string::npos)
    return source.line(use);
  if (call.callee == "basic_string")
    if (const std::size_t use = first_use(source, {call.caller, "string"}, kernel);
        use != std::string::npos)
      return source.line(use);
  const std::vector<std::size_t> caller =
      definitions(source, call.caller.empty() ? kernel : call.caller);
  return caller.empty() ? 0 : source.line(caller.front());
}

}  // namespace

std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<Call>& calls,
                                            const std::vector<emulator::UsedVariable>& variables) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> seen;
  bool gets_memory = false;
  for (const Call& call : calls) {
    if (diagnostics.size() == most_diagnostics || seen.size() == 200) break;
    if (call.gets_memory && !std::exchange(gets_memory, true))
      diagnostics.push_back({Severity::error, line_of_call(source, call, calls.front().caller), 0,
                             "`operator new` cannot be used in a kernel"});
    if (call.gets_memory || std::find(seen.begin(), seen.end(), call.callee) != seen.end())
      continue;
    seen.push_back(call.callee);
    const std::vector<std::size_t> defined = definitions(source, call.callee);
    if (defined.empty() || is_device_function(source, call.callee, defined)) continue;
    const std::size_t use = first_use(source, call, calls.front().caller);
    diagnostics.push_back({Severity::error,
                           source.line(use == std::string::npos ? defined.front() : use), 0,
                           about_function(source, call.callee, defined.front())});
  }
  for (emulator::UsedVariable variable : variables) {
    if (diagnostics.size() == most_diagnostics) break;
    variable.name = variable.name.substr(0, variable.name.find('<'));  // of a template
    if (is_device_variable(source, variable.name)) continue;
    diagnostics.push_back(
        {Severity::error, line_of_use(source, variable), 0, about_variable(source, variable.name)});
  }
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return diagnostics;
}

std::vector<Diagnostic> device_variables_set_by_code(
    const std::string& text, const std::vector<std::string>& set_before_launch) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  for (const std::string& name : set_before_launch) {
    if (diagnostics.size() == most_diagnostics) break;
    if (const std::size_t at =
            declared_at(source, name, {"__device__", "__constant__", "__managed__"});
        at != std::string::npos)
      diagnostics.push_back(
          {Severity::error, source.line(at), 0,
           fmt::format("the initial value of `{}` is not a constant, and no code runs before the "
                       "launch to set a device variable. Write a constant, or set it in the kernel",
                       name)});
  }
  return diagnostics;
}

}  // namespace histolab::kernels::worker
