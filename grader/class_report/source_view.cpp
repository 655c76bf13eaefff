#include "grader/class_report/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "grader/class_report/code_view.h"
#include "grader/words/code_text.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::LabResult;
using kernels::Severity;

constexpr std::size_t most_bytes = 400;

struct Note {
  const char* look;  // class of the style sheet: e error, r remark, n note
  std::string text;
};

// By line; 0 collects notes on lines that do not exist.
std::map<int, std::vector<Note>> notes_of(const LabResult& result, int lines) {
  std::map<int, std::vector<Note>> notes;
  const auto add = [&](int line, Note note) {
    notes[line >= 1 && line <= lines ? line : 0].push_back(std::move(note));
  };
  for (const kernels::Diagnostic& each : result.diagnostics)
    add(each.line, {each.severity == Severity::error ? "e" : "n",
                    grader::shortened(each.message, most_bytes)});
  for (const kernels::Finding& each : result.findings) {
    const char* look = each.severity == Severity::error ? "e" : "n";
    const std::string times =
        each.count > 1 ? fmt::format(" ({})", grader::counted(each.count, "time")) : std::string{};
    add(each.line,
        {look, fmt::format("{}{}: {}", kernels::name(each.kind), times,
                           grader::shortened(kernels::parts_of(each.message).what, most_bytes))});
    if (each.other_line >= 1 && each.other_line <= lines && each.other_line != each.line)
      add(each.other_line,
          {look, fmt::format("{}: see line {}", kernels::name(each.kind), each.line)});
  }
  // A check may be about a line without a finding, as for a counter that is too high.
  for (const grader::CheckResult& check : result.checks)
    if (check.status == grader::CheckResult::Status::failed && check.line >= 1 &&
        check.line <= lines && !notes.contains(check.line))
      add(check.line, {"r", check.title.empty() ? check.id : check.title});
  return notes;
}

}  // namespace

grader::Html source_view(const LabResult& result) {
  if (!result.submission || result.submission->text.empty()) return {};
  const std::vector<std::string> lines = grader::lines_of(result.submission->text);
  const int count = std::min(static_cast<int>(lines.size()), CodeView::most_lines);
  const std::map<int, std::vector<Note>> notes = notes_of(result, count);
  CodeView view;
  for (int number = 1; number <= count; ++number) {
    const auto here = notes.find(number);
    view.line(number,
              grader::shortened(grader::flat(lines[static_cast<std::size_t>(number) - 1]),
                                CodeView::most_columns),
              here == notes.end() ? "" : here->second.front().look);
    if (here == notes.end()) continue;
    for (const Note& note : here->second) view.note(note.look, note.text);
  }
  if (const auto unplaced = notes.find(0); unplaced != notes.end())
    for (const Note& note : unplaced->second) view.note(note.look, note.text);
  grader::Html out = std::move(view).html();
  if (static_cast<int>(lines.size()) > count)
    out += grader::html("<p class=aside>{} not shown; the file itself has them.\n",
                        grader::counted(lines.size() - static_cast<std::size_t>(count),
                                        "more line is", "more lines are"));
  return out;
}

}  // namespace histolab::class_report
