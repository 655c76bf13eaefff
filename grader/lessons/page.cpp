#include "grader/lessons/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/lessons/markdown.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

constexpr const char* last_line =
    "<!-- Made from lesson.in.md by `histolab check --write-lessons`: change that file, not this "
    "one. -->\n";
constexpr std::size_t most_stale_lines = 5;

bool stands_alone(const std::string& line, const Placeholder& it) {
  return line.find_first_not_of(' ') == it.begin &&
         line.find_first_not_of(' ', it.end) == std::string::npos;
}

// Wraps text in indented code, with its indentation and the width of the page.
std::string as_lines(const std::string& text, std::size_t indent) {
  std::string lines = paragraph(text, indent);
  while (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace

PageSource parse_page(std::string_view text) {
  PageSource source;
  source.lines = lines_of(text);
  bool in_fence = false;
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::string& line = source.lines[i];
    const bool fence = line.starts_with("```");
    if (fence) in_fence = !in_fence;
    if (fence || in_fence) continue;
    for (std::size_t at = line.find("{{"); at != std::string::npos;) {
      const std::size_t end = line.find("}}", at);
      const int number = static_cast<int>(i) + 1;
      if (end == std::string::npos) {
        source.problems.push_back({number, "{{ has no }} on the same line"});
        break;
      }
      Placeholder found{i, at, end + 2, {}};
      Result<Expression> expression =
          parse_expression(std::string_view{line}.substr(at + 2, end - at - 2));
      if (!expression) {
        source.problems.push_back({number, fmt::format("{}: {}", line.substr(at, end + 2 - at),
                                                       expression.error().message)});
      } else {
        found.expression = std::move(*expression);
        if (!found.expression.name.empty() && !stands_alone(line, found))
          source.problems.push_back(
              {number, fmt::format("{{{{let {} ...}}}} must be on a line of its own",
                                   found.expression.name)});
        source.placeholders.push_back(std::move(found));
      }
      at = line.find("{{", end);
    }
  }
  return source;
}

Page make_page(const PageSource& source, Facts& facts) {
  Page page;
  std::map<std::size_t, std::vector<const Placeholder*>> by_line;
  for (const Placeholder& each : source.placeholders) by_line[each.line].push_back(&each);
  std::string text;
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::string& line = source.lines[i];
    std::string made;
    std::size_t done = 0;
    bool is_let = false;
    for (const Placeholder* each : by_line[i]) {
      const auto problem = [&](const Error& error) {
        page.problems.push_back(
            {static_cast<int>(i) + 1,
             fmt::format("{}: {}", line.substr(each->begin, each->end - each->begin),
                         error.message)});
      };
      made += line.substr(done, each->begin - done);
      done = each->end;
      if (!each->expression.name.empty()) {
        is_let = true;
        if (Status named = facts.name(each->expression); !named) problem(named.error());
        continue;
      }
      const Result<Value> value = facts.value(each->expression);
      const Result<std::string> shown =
          value ? to_text(*value, each->expression.format) : Result<std::string>{value.error()};
      if (!shown)
        problem(shown.error());
      else if (value->is_text() && each->begin >= 4 && stands_alone(line, *each))
        made = as_lines(*shown, each->begin);
      else
        made += *shown;
    }
    if (!is_let) text += made + line.substr(std::min(done, line.size())) + "\n";
  }
  page.text = laid_out(blocks_of(text)) + "\n" + last_line;
  return page;
}

std::vector<PageProblem> stale_lines(std::string_view page, std::string_view made) {
  std::vector<PageProblem> problems;
  const std::vector<std::string> is = lines_of(page), should = lines_of(made);
  const bool same_length = is.size() == should.size();
  std::size_t more = 0;
  for (std::size_t i = 0; i < std::max(is.size(), should.size()); ++i) {
    const std::string says = i < is.size() ? is[i] : "", data = i < should.size() ? should[i] : "";
    if (says == data && i < is.size() && i < should.size()) continue;
    if (problems.size() == most_stale_lines) {
      ++more;
      continue;
    }
    problems.push_back(
        {static_cast<int>(i) + 1, fmt::format("says \"{}\", but lesson.in.md generates \"{}\"",
                                              shortened(says, 200), shortened(data, 200))});
    if (!same_length) break;
  }
  if (more > 0)
    problems.back().message += fmt::format(" (and {} that differ)", counted(more, "more line"));
  if (!problems.empty())
    problems.back().message += "; run `histolab check --write-lessons` to update the page";
  return problems;
}

}  // namespace histolab::grader::lessons
