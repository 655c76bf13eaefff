#include "grader/lessons/instructor.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/lessons/markdown.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {

std::vector<Misconception> misconceptions_of(std::string_view page) {
  std::vector<Misconception> found;
  bool here = false;
  for (const Block& block : blocks_of(page)) {
    if (block.kind == BlockKind::heading) here = heading_of(block).text == "Misconceptions";
    if (!here || block.kind != BlockKind::table) continue;
    // Skips the header and its rule.
    for (std::size_t row = 2; row < block.lines.size(); ++row) {
      const std::vector<std::string> cells = cells_of(block.lines[row]);
      Misconception one{block.line + static_cast<int>(row), cells.empty() ? "" : cells[0], {}};
      if (cells.size() > 1)
        for (const auto& [begin, end] : code_spans(cells[1]))
          one.attempts.push_back(cells[1].substr(begin + 1, end - begin - 2));
      found.push_back(std::move(one));
    }
  }
  return found;
}

std::vector<PageProblem> uncovered(const std::vector<Misconception>& misconceptions,
                                   const std::vector<std::string>& attempts,
                                   const std::vector<std::string>& wrong_attempts) {
  std::vector<PageProblem> problems;
  if (misconceptions.empty())
    problems.push_back({0, "has no table under a heading \"Misconceptions\""});
  std::vector<std::string> named;
  for (const Misconception& one : misconceptions) {
    if (one.attempts.empty())
      problems.push_back(
          {one.line,
           fmt::format("\"{}\" has no attempt; name one in backticks in the second column",
                       one.title)});
    for (const std::string& attempt : one.attempts) {
      named.push_back(attempt);
      if (std::find(attempts.begin(), attempts.end(), attempt) != attempts.end()) continue;
      problems.push_back({one.line, fmt::format("there is no attempt {}{}", attempt,
                                                did_you_mean(attempt, attempts))});
    }
  }
  for (const std::string& attempt : wrong_attempts)
    if (std::find(named.begin(), named.end(), attempt) == named.end())
      problems.push_back(
          {0, fmt::format("the attempt {} fails, but no misconception names it", attempt)});
  return problems;
}

}  // namespace histolab::grader::lessons
