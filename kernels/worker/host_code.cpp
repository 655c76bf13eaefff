#include "kernels/worker/host_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {
namespace {

// Does a declaration among these places have one of the words in front of it?
bool is_marked(const SourceText& source, const std::vector<std::size_t>& places, const std::vector<std::string>& words) {
  return std::any_of(places.begin(), places.end(), [&](std::size_t at) { return contains_word(source.declaration_before(at), words); });
}

// Where the name stands outside of parentheses: in those of a call, or of a constructor's initializer, it is used, and what stands in front
// is about something else.
std::vector<std::size_t> declarations(const SourceText& source, const std::string& name) {
  std::vector<std::size_t> places = source.find(name);
  std::erase_if(places, [&](std::size_t at) {
    const std::string before = source.declaration_before(at);
    return std::ranges::count(before, '(') > std::ranges::count(before, ')');
  });
  return places;
}

// Where the file defines a function of this name; nowhere when it comes from the shim, or out of a macro.
std::vector<std::size_t> definitions(const SourceText& source, const std::string& name) {
  std::vector<std::size_t> places = source.find(name);
  std::erase_if(places, [&](std::size_t at) { return !source.defines_function(at, name.size()); });
  return places;
}

std::string about_function(const SourceText& source, const std::string& name, std::size_t defined) {
  const int line = source.line(defined);
  if (is_marked(source, {defined}, {"__global__"}))
    return fmt::format("`{}` is a kernel (line {}), and a kernel is launched, never called. Move what you need from it into a __device__ function",
                       name, line);
  return fmt::format("`{}` is a host function; a kernel can call device code only. Write __device__ in front of it (line {})", name, line);
}

bool is_device_function(const SourceText& source, const std::string& name, const std::vector<std::size_t>& defined) {
  return is_marked(source, declarations(source, name), {"__device__", "constexpr", "consteval"}) || is_marked(source, defined, source.macros());
}

bool is_device_variable(const SourceText& source, const std::string& name) {
  const std::vector<std::size_t> places = source.find(name);
  return places.empty() || is_marked(source, declarations(source, name), {"__device__", "__constant__", "__managed__", "__global__"}) ||
         is_marked(source, {places.front()}, source.macros());
}

std::string about_variable(const SourceText& source, const std::string& name) {
  if (is_marked(source, declarations(source, name), {"const", "constexpr"}))
    return fmt::format("`{}` is a constant of the host; a kernel can use a constant's value, but no array's element that is chosen while it "
                       "runs. Write __device__ or __constant__ in front of it", name);
  return fmt::format("`{}` is a variable of the host; a kernel cannot see it. Make it constexpr if it never changes, else "
                     "write __device__ in front of it", name);
}

// The compiler takes the place of a variable where it likes: the line is only believed where the name stands.
int line_of_use(const SourceText& source, const emulator::UsedVariable& variable) {
  const std::vector<std::size_t> places = source.find(variable.name);
  const bool stands_there = std::any_of(places.begin(), places.end(), [&](std::size_t at) { return source.line(at) == variable.line; });
  return stands_there || places.size() < 2 ? variable.line : source.line(places[1]);
}

// The first place behind the caller's definition; a lambda's is not known.
std::size_t first_use(const SourceText& source, const Call& call, const std::string& kernel) {
  const std::vector<std::size_t> callers = definitions(source, call.caller.empty() ? kernel : call.caller);
  const std::size_t from = callers.empty() ? 0 : callers.front() + 1;
  for (const std::size_t at : source.find(call.callee))
    if (at >= from && !source.defines_function(at, call.callee.size())) return at;
  return std::string::npos;
}

}  // namespace

std::vector<Diagnostic> host_code_in_kernel(const std::string& text, const std::vector<Call>& calls,
                                            const std::vector<emulator::UsedVariable>& variables) {
  const SourceText source(text);
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> seen;
  for (const Call& call : calls) {
    if (diagnostics.size() == most_diagnostics || seen.size() == 200) break;
    if (std::find(seen.begin(), seen.end(), call.callee) != seen.end()) continue;
    seen.push_back(call.callee);
    if (call.gets_memory) {
      const std::size_t use = first_use(source, call, calls.front().caller);
      diagnostics.push_back({Severity::error, use == std::string::npos ? 0 : source.line(use), 0, "`operator new` cannot be used in a kernel"});
      continue;
    }
    const std::vector<std::size_t> defined = definitions(source, call.callee);
    if (defined.empty() || is_device_function(source, call.callee, defined)) continue;
    const std::size_t use = first_use(source, call, calls.front().caller);
    diagnostics.push_back({Severity::error, source.line(use == std::string::npos ? defined.front() : use), 0, about_function(source, call.callee, defined.front())});
  }
  for (const emulator::UsedVariable& variable : variables) {
    if (diagnostics.size() == most_diagnostics) break;
    if (is_device_variable(source, variable.name)) continue;
    diagnostics.push_back({Severity::error, line_of_use(source, variable), 0, about_variable(source, variable.name)});
  }
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return diagnostics;
}

}  // namespace histolab::kernels::worker
