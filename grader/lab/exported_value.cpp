#include "grader/lab/exported_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <vector>

#include "kernels/code_tokens.h"
#include "kernels/variable_declaration.h"

namespace histolab::grader {
namespace {

using kernels::CodeToken;
using Tokens = std::vector<CodeToken>;

// Looks back to the end of the previous statement or brace.
bool is_declared_on_device(const Tokens& tokens, std::size_t at) {
  const auto ends = [](const CodeToken& token) {
    return token.is(";") || token.is("{") || token.is("}");
  };
  const auto name = tokens.rend() - static_cast<std::ptrdiff_t>(at),
             begin = std::find_if(name, tokens.rend(), ends);
  return std::any_of(name, begin, [](const CodeToken& token) { return token.is("__device__"); });
}

struct Place {
  std::size_t begin = 0, end = 0;
};

// Returns the position of a `__device__` variable's value: after its `=`, before its `;` or `,`.
std::optional<Place> value_of(const std::string& source, const std::string& name) {
  const Tokens tokens = kernels::code_tokens(source);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].is(name) || !tokens[at + 1].is("=") || !is_declared_on_device(tokens, at))
      continue;
    const auto equals = tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto end = std::find_if(equals, tokens.end(), [](const CodeToken& token) {
      return token.is(";") || token.is(",");
    });
    if (end != tokens.end()) return Place{equals->end, end->begin};
  }
  return {};
}

// A name with a value, defined outside of functions.
struct Definition {
  std::string name;
  int line = 0;
  std::optional<unsigned long> value;  // set if it is a single number
  bool is_exported = false;            // defined as extern "C" __device__
};

// Returns the number between `begin` and `end` if there is nothing else but parentheses.
std::optional<unsigned long> number_in(Tokens::const_iterator begin, Tokens::const_iterator end) {
  std::optional<unsigned long> number;
  for (; begin != end; ++begin) {
    if (begin->is("(") || begin->is(")") || begin->is("{") || begin->is("}")) continue;
    if (number || begin->kind != CodeToken::Kind::number) return std::nullopt;
    number = std::strtoul(begin->spelling.c_str(), nullptr, 0);
  }
  return number;
}

void add_macro(const Tokens& tokens, std::size_t at, std::vector<Definition>& found) {
  if (at + 2 >= tokens.size() || !tokens[at].is("#") || !tokens[at + 1].is("define")) return;
  const auto name = tokens.begin() + static_cast<std::ptrdiff_t>(at) + 2;
  const auto end = std::find_if(name + 1, tokens.end(),
                                [](const CodeToken& token) { return token.begins_line; });
  if (name + 1 != end) found.push_back({name->spelling, name->line, number_in(name + 1, end)});
}

// Adds the definitions of a statement outside of functions: variables with a value, enumerators.
void add_statement(const Tokens& tokens, std::size_t begin, std::size_t end,
                   std::vector<Definition>& found) {
  const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(begin),
             last = tokens.begin() + static_cast<std::ptrdiff_t>(end);
  const auto has = [&](const char* word) {
    return std::any_of(first, last, [&](const CodeToken& token) { return token.is(word); });
  };
  const bool is_extern_c = has("extern") && std::any_of(first, last, [](const CodeToken& token) {
                             return token.kind == CodeToken::Kind::text && token.spelling == "C";
                           });
  for (auto name = first; name != last && name + 1 != last; ++name) {
    const bool has_value =
        (name + 1)->is("=") || (name + 1)->is("{") ||
        ((name + 1)->is("(") && name + 2 != last && (name + 2)->kind == CodeToken::Kind::number);
    if (name->kind != CodeToken::Kind::name || !has_value) continue;
    const auto stop = std::find_if(
        name + 2, last, [](const CodeToken& token) { return token.is(",") || token.is(";"); });
    found.push_back(
        {name->spelling, name->line, number_in(name + 2, stop), is_extern_c && has("__device__")});
  }
}

std::vector<Definition> definitions(const Tokens& tokens) {
  std::vector<Definition> found;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].directive) {
      add_macro(tokens, at, found);
      if (depth == 0) begin = at + 1;
      continue;
    }
    if (tokens[at].is("{")) {
      const bool opens_scope =
          std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                      tokens.begin() + static_cast<std::ptrdiff_t>(at),
                      [](const CodeToken& token) { return token.is("namespace"); }) ||
          (at - begin == 2 && tokens[begin].is("extern"));
      if (depth == 0 && opens_scope)
        begin = at + 1;
      else
        ++depth;
    } else if (tokens[at].is("}")) {
      const bool is_body = depth == 1 && (at + 1 >= tokens.size() ||
                                          !(tokens[at + 1].is(";") || tokens[at + 1].is(",")));
      depth = std::max(0, depth - 1);
      if (is_body) begin = at + 1;
    } else if (tokens[at].is(";") && depth == 0) {
      add_statement(tokens, begin, at + 1, found);
      begin = at + 1;
    }
  }
  return found;
}

// Returns the line of `extern "C" const unsigned int NAME = ...;` without CUDA keywords, or 0 if it
// is declared differently.
int line_of_host_variable(const Tokens& tokens, const std::string& name) {
  constexpr std::array known = {"extern", "const", "constexpr", "unsigned", "int", "volatile"};
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].is(name) || !tokens[at + 1].is("=")) continue;
    std::size_t begin = at;
    bool is_plain = true, is_extern_c = false;
    for (; begin > 0 && !tokens[begin - 1].is(";") && !tokens[begin - 1].is("}") &&
           !tokens[begin - 1].directive;
         --begin) {
      const CodeToken& token = tokens[begin - 1];
      const bool is_c = token.kind == CodeToken::Kind::text && token.spelling == "C";
      is_extern_c = is_extern_c || is_c;
      is_plain = is_plain && (is_c || std::ranges::any_of(
                                          known, [&](const char* word) { return token.is(word); }));
    }
    if (is_plain && is_extern_c) return tokens[at].line;
  }
  return 0;
}

// Returns the line of `int NAME = ...` within a function, or 0.
int line_of_local(const Tokens& tokens, const std::string& name) {
  constexpr std::array types = {"int",      "unsigned", "const", "constexpr", "auto",
                                "uint32_t", "size_t",   "long",  "short"};
  int depth = 0;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    depth += tokens[at].is("{") ? 1 : tokens[at].is("}") ? -1 : 0;
    const bool is_it = depth > 0 && tokens[at].is(name) && tokens[at + 1].is("=");
    if (is_it &&
        std::ranges::any_of(types, [&](const char* type) { return tokens[at - 1].is(type); }))
      return tokens[at].line;
  }
  return 0;
}

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Returns true for names that only differ in case, that contain each other, or that start alike.
bool is_alike(const std::string& name, const std::string& wanted) {
  const std::string small = in_small_letters(name);
  if (small.size() < 4) return false;
  if (small == wanted || wanted.find(small) != std::string::npos ||
      small.find(wanted) != std::string::npos)
    return true;
  std::size_t same = 0;  // length of the common prefix
  while (same < std::min(small.size(), wanted.size()) && small[same] == wanted[same]) ++same;
  return same + 3 >= wanted.size();
}

// Returns true if the export decides the grid or the output's size. Only an export can set these.
bool decides_result(const LabSpec& lab, const std::string& name) {
  return std::ranges::any_of(lab.kernels, [&](const KernelSpec& kernel) {
    return kernel.launch.factor == name || kernel.copies == name;
  });
}

}  // namespace

Result<std::string> with_export(const std::string& source, const std::string& name,
                                std::uint32_t value) {
  const std::optional<Place> place = value_of(source, name);
  if (!place)
    return Error{
        fmt::format("the kernel does not export {0}: add a line like `extern \"C\" __device__ "
                    "const unsigned int {0} = {1};`",
                    name, value)};
  std::string changed = source;
  return changed.replace(place->begin, place->end - place->begin, fmt::format(" {}", value));
}

std::optional<HiddenExport> hidden_export(const LabSpec& lab, const kernels::Compiled& compiled,
                                          const std::string& text) {
  const Tokens tokens = kernels::code_tokens(text);
  for (const ExportSpec& spec : lab.exports) {
    const std::string fix = kernels::export_declaration(spec.name);
    if (compiled.exports.contains(spec.name)) {
      if (const int line = line_of_host_variable(tokens, spec.name); line > 0)
        return HiddenExport{
            line, fmt::format("`{}` is a host variable, because `__device__` is missing. Write {}",
                              spec.name, fix)};
      continue;
    }
    const bool decides = decides_result(lab, spec.name);
    const std::vector<Definition> all = definitions(tokens);
    const auto of_name = std::ranges::find_if(all, [&](const Definition& each) {
      return each.name == spec.name && each.value != spec.fallback;
    });
    if (of_name != all.end())
      return HiddenExport{
          of_name->line,
          fmt::format("`{}` is not exported, so the launch does not use it. Write {}", spec.name,
                      fix)};
    if (const int line = decides ? line_of_local(tokens, spec.name) : 0; line > 0)
      return HiddenExport{
          line,
          fmt::format(
              "`{}` is a local variable, so the launch does not use it. Write {} above the kernel",
              spec.name, fix)};
    const auto meant = std::ranges::find_if(all, [&](const Definition& each) {
      const bool is_meant = (each.is_exported && is_alike(each.name, spec.name)) ||
                            (decides && in_small_letters(each.name) == spec.name);
      return is_meant && each.name != spec.name && each.value != spec.fallback;
    });
    if (meant != all.end())
      return HiddenExport{
          meant->line, fmt::format("the lab reads `{}`, but this variable is named `{}`. Write {}",
                                   spec.name, meant->name, fix)};
  }
  return std::nullopt;
}

}  // namespace histolab::grader
