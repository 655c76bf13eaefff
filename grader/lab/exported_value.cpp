#include "grader/lab/exported_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/code_tokens.h"
#include "kernels/variable_declaration.h"

namespace histolab::grader {
namespace {

using kernels::CodeToken;
using Tokens = std::vector<CodeToken>;

// From the end of the statement or brace before it.
bool is_declared_on_device(const Tokens& tokens, std::size_t at) {
  const auto ends = [](const CodeToken& token) { return token.is(";") || token.is("{") || token.is("}"); };
  const auto name = tokens.rend() - static_cast<std::ptrdiff_t>(at), begin = std::find_if(name, tokens.rend(), ends);
  return std::any_of(name, begin, [](const CodeToken& token) { return token.is("__device__"); });
}

struct Place {
  std::size_t begin = 0, end = 0;
};

// Where the value of a `__device__` variable stands: behind its `=`, before its `;` or `,`.
std::optional<Place> value_of(const std::string& source, const std::string& name) {
  const Tokens tokens = kernels::code_tokens(source);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].is(name) || !tokens[at + 1].is("=") || !is_declared_on_device(tokens, at)) continue;
    const auto equals = tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto end = std::find_if(equals, tokens.end(), [](const CodeToken& token) { return token.is(";") || token.is(","); });
    if (end != tokens.end()) return Place{equals->end, end->begin};
  }
  return {};
}

}  // namespace

Result<std::string> with_export(const std::string& source, const std::string& name, std::uint32_t value) {
  const std::optional<Place> place = value_of(source, name);
  if (!place) return Error{fmt::format("the kernel exports no {0}: it needs a line like `extern \"C\" __device__ const unsigned int {0} = {1};`", name, value)};
  std::string changed = source;
  return changed.replace(place->begin, place->end - place->begin, fmt::format(" {}", value));
}

std::optional<HiddenExport> hidden_export(const LabSpec& lab, const kernels::Compiled& compiled,
                                          const std::string& text) {
  const auto is_exported = [&](const ExportSpec& spec) {
    return compiled.exports.contains(spec.name);
  };
  if (std::ranges::all_of(lab.exports, is_exported)) return std::nullopt;
  const std::vector<kernels::CodeToken> tokens = kernels::code_tokens(text);
  for (const ExportSpec& spec : lab.exports) {
    if (is_exported(spec)) continue;
    const auto declared = kernels::find_variable(tokens, spec.name);
    if (!declared || declared->value == spec.fallback) continue;
    return HiddenExport{declared->line,
                        fmt::format("`{}` is not exported, so the launch cannot go by it. Write {}",
                                    spec.name, kernels::export_declaration(spec.name))};
  }
  return std::nullopt;
}

}  // namespace histolab::grader
