#include "kernels/worker/explaining/explain_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {
namespace {

using Message = std::optional<std::string>;

std::string with_cure(const Finding& finding, const std::string& cure) {
  return parts_of(finding.message).what + ". " + cure;
}

bool zeroes_an_element(const std::string& line) {
  static const std::regex zeroing(R"([\w\])]\s*=\s*0[uUlL]*\s*[;,)])");
  const bool is_element =
      line.find('[') != std::string::npos || line.find('*') != std::string::npos;
  return is_element && std::regex_search(line, zeroing);
}

Message about_needless_zeroing(const Finding& finding, const SourceText& source,
                               const std::vector<std::string>& zeroed) {
  const auto [first, last] = std::minmax(finding.line, finding.other_line);
  if (first == last || std::ranges::find(zeroed, finding.variable) == zeroed.end())
    return std::nullopt;
  if (!zeroes_an_element(source.code_line(first))) return std::nullopt;
  return with_cure(finding, fmt::format("Remove line {}: {} is already 0 when the kernel starts",
                                        first, finding.variable));
}

Message about_static(const Finding& finding, const SourceText& source) {
  constexpr std::size_t most_places = 200;
  std::vector<std::size_t> places = source.find(finding.variable);
  if (places.size() > most_places) places.resize(most_places);
  for (const std::size_t at : places)
    if (const std::string before = source.declaration_before(at);
        contains_word(before, {"static"}) && !contains_word(before, {"__shared__"}))
      return with_cure(finding,
                       fmt::format("Write __shared__ instead of static on line {}: all blocks "
                                   "share one static variable, and each block needs its own",
                                   source.line(at)));
  return std::nullopt;
}

// `histo[b] += atomicAdd(&histo[b], 1)`
Message about_result_stored_again(const Finding& finding, const SourceText& source) {
  static const std::regex update(
      R"(([\w.]+\[[^;=]*\])[+]?=([^;]*)\b(atomic\w+)\(&\(?([\w.]+\[[^;=]*?\])\)?,)");
  std::string line = source.code_line(finding.line);
  std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
  std::smatch match;
  if (finding.line != finding.other_line || !std::regex_search(line, match, update))
    return std::nullopt;
  if (!match[1].str().ends_with(match[4].str())) return std::nullopt;
  return with_cure(
      finding, fmt::format("{} has already stored the sum: remove the assignment", match[3].str()));
}

Message about_atomic_on_local(const Finding& finding, const SourceText& source) {
  static const std::regex call(R"(\batomic\w+\s*\(\s*&?\s*\(?(\w+))");
  const std::string line = source.code_line(finding.line);
  std::smatch match;
  if (finding.message.find("updates a local variable with an atomic function") ==
          std::string::npos ||
      !std::regex_search(line, match, call))
    return std::nullopt;
  const std::string name = match[1].str();
  const std::vector<std::size_t> places = source.find(name);
  if (places.empty() || source.line(places.front()) >= finding.line) return std::nullopt;
  const std::string& code = source.code();
  const std::size_t behind = code.find_first_not_of(" \t", places.front() + name.size());
  if (behind == std::string::npos || code[behind] != '[') return std::nullopt;
  std::string what = parts_of(finding.message).what;
  what = what.substr(0, what.find(" updates a local variable"));
  return fmt::format(
      "{0} updates {1} with an atomic function, but {1} is a local array: each thread has its own. "
      "Write __shared__ in front of it (line {2}) if the block shares it; for a thread's own array "
      "a plain += is enough",
      what, name, source.line(places.front()));
}

}  // namespace

void explain_findings(std::vector<Finding>& findings, const std::string& text,
                      const std::vector<std::string>& zeroed) {
  if (findings.empty()) return;
  const SourceText source(text);
  for (Finding& finding : findings) {
    Message better;
    if (finding.kind == FindingKind::data_race && finding.severity == Severity::error) {
      better = about_result_stored_again(finding, source);
      if (!better) better = about_needless_zeroing(finding, source, zeroed);
      if (!better && !finding.variable.empty()) better = about_static(finding, source);
    } else if (finding.kind == FindingKind::illegal_instruction) {
      better = about_atomic_on_local(finding, source);
    }
    if (better) finding.message = std::move(*better);
  }
}

}  // namespace histolab::kernels::worker
