#include "grader/lessons/hints.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

#include "grader/lessons/markdown.h"
#include "grader/words/characters.h"

namespace histolab::grader::lessons {
namespace {

struct Token {
  std::string text;
  int line = 1;
};

// Splits text into tokens similar to those of C++, without the backticks of Markdown. Comments are
// kept in stubs, where they may give things away, and in prose, where // does not begin a comment.
std::vector<Token> tokens_of(std::string_view text, bool comments) {
  static constexpr std::string_view pairs[] = {"++", "--", "+=", "-=", "*=", "/=", "==", "!=",
                                               "<=", ">=", "&&", "||", "<<", ">>", "->", "::"};
  std::vector<Token> tokens;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '`') {
      ++at;
      continue;
    }
    if (text.substr(at).starts_with("//")) {
      at = comments ? at + 2 : std::min(text.find('\n', at), text.size());
      continue;
    }
    std::size_t end = at + 1;
    if (is_word(c)) {
      while (end < text.size() &&
             (is_word(text[end]) ||
              (text[end] == '.' && end + 1 < text.size() && is_word(text[end + 1]))))
        ++end;
    } else if (c == '\'' && at + 2 < text.size() && text[at + 2] == '\'') {
      end = at + 3;
    } else {
      for (const std::string_view pair : pairs)
        if (text.substr(at).starts_with(pair)) end = at + 2;
    }
    tokens.push_back({std::string{text.substr(at, end - at)}, line});
    at = end;
  }
  return tokens;
}

// Returns every sequence of tokens_of_a_leak tokens as a text.
std::set<std::string> runs_of(const std::vector<Token>& tokens) {
  std::set<std::string> runs;
  for (std::size_t i = 0; i + tokens_of_a_leak <= tokens.size(); ++i) {
    std::string run;
    for (std::size_t k = 0; k < tokens_of_a_leak; ++k) run += tokens[i + k].text + " ";
    runs.insert(std::move(run));
  }
  return runs;
}

void look_for_solution(std::string_view page, std::string_view solution, std::string_view stub,
                       std::vector<PageProblem>& problems) {
  const std::set<std::string> known = runs_of(tokens_of(stub, true)),
                              wanted = runs_of(tokens_of(solution, false));
  const std::vector<Token> tokens = tokens_of(page, true);
  for (std::size_t i = 0; i + tokens_of_a_leak <= tokens.size(); ++i) {
    std::string run;
    for (std::size_t k = 0; k < tokens_of_a_leak; ++k) run += tokens[i + k].text + " ";
    if (!wanted.contains(run) || known.contains(run)) continue;
    run.pop_back();
    problems.push_back(
        {tokens[i].line, fmt::format("\"{}\" is the solution's own code, word for word; a hint "
                                     "leaves the last step to the student",
                                     run)});
    i += tokens_of_a_leak - 1;
  }
}

}  // namespace

std::vector<Hint> hints_of(std::string_view page) {
  std::vector<Hint> hints;
  for (const Block& block : blocks_of(page)) {
    if (block.kind == BlockKind::heading && heading_of(block).level == 2) {
      hints.push_back({block.line, heading_of(block).text, {}});
    } else if (!hints.empty()) {
      for (const std::string& line : block.lines) hints.back().text += line + "\n";
    }
  }
  for (Hint& hint : hints) {
    hint.text.erase(0, std::min(hint.text.find_first_not_of('\n'), hint.text.size()));
    hint.text.erase(hint.text.find_last_not_of('\n') + 1);
  }
  return hints;
}

std::vector<PageProblem> bad_hints(std::string_view page, std::string_view solution,
                                   std::string_view stub) {
  std::vector<PageProblem> problems;
  const std::vector<Hint> hints = hints_of(page);
  if (hints.size() != hints_of_a_lab)
    problems.push_back(
        {0, fmt::format("has {} headings \"## ...\"; expected {} hints, each under such a heading",
                        hints.size(), hints_of_a_lab)});
  for (const Hint& hint : hints)
    if (hint.text.empty())
      problems.push_back({hint.line, fmt::format("the hint \"{}\" has no text", hint.title)});
  look_for_solution(page, solution, stub, problems);
  return problems;
}

}  // namespace histolab::grader::lessons
