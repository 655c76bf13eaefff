#include "grader/watch/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/checks/recorded.h"
#include "grader/checks/rivals.h"
#include "grader/feedback/advice.h"
#include "grader/feedback/text.h"
#include "grader/words/painter.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

std::string points(int score, int of) { return fmt::format("{} of {} points", score, of); }

std::string checks(const LabResult& result) {
  const auto passed = std::count_if(
      result.checks.begin(), result.checks.end(),
      [](const CheckResult& each) { return each.status == CheckResult::Status::passed; });
  return fmt::format("{} of {} checks", passed, result.checks.size());
}

// Colour must end before the newline.
std::string without_newline(const std::string& lines) { return lines.substr(0, lines.size() - 1); }
std::string green(const Painter& paint, const std::string& lines) {
  return paint.green(without_newline(lines)) + "\n";
}
std::string red(const Painter& paint, const std::string& lines) {
  return paint.red(without_newline(lines)) + "\n";
}
std::string dim(const Painter& paint, const std::string& lines) {
  return paint.dim(without_newline(lines)) + "\n";
}

// At both edges of one line if they fit, otherwise on two lines.
std::string left_and_right(const std::string& left, const std::string& painted_left,
                           const std::string& right, std::size_t width) {
  if (columns(left) + columns(right) + 2 > width) return painted_left + "\n" + right + "\n";
  return painted_left + std::string(width - columns(left) - columns(right), ' ') + right + "\n";
}

// The times of a passed lab, measured or modelled.
std::string times(const LabResult& result, std::size_t width) {
  std::string text;
  for (const TimedCaseResult& each : result.timed) {
    if (!each.timing || !each.correct()) continue;
    std::string line = fmt::format("{}: {} {}", each.id, each.measured ? "measured" : "modelled",
                                   duration(each.timing->median_ms));
    for (const TimedCaseResult::Rival& rival : each.rivals) {
      std::string of = "that of " + rival.lab;
      if (rival.lab == read_rival) of = "reading alone";
      if (rival.lab == result.lab) of = "the solution";
      line += fmt::format(", {} {}", of, duration(rival.ms()));
    }
    text += paragraph(line, 2, width);
  }
  return text;
}

std::string passed(const View& view, const Painter& paint, std::size_t width) {
  const LabResult& result = *view.result;
  if (view.quick) {
    const std::string words = fmt::format("correct so far: {}, {}; the other cases are running",
                                          points(result.score, result.max_score), checks(result));
    return green(paint, paragraph(words, 0, width));
  }
  std::string text =
      green(paint, paragraph(fmt::format("passed: {}, {}", points(result.score, result.max_score),
                                         checks(result)),
                             0, width)) +
      times(result, width) + left_out_text(result, width);
  std::string on = view.next != nullptr ? fmt::format("next: n continues with {}", view.next->name)
                                        : std::string{"this was the last lab"};
  if (!has_recorded_only(*view.lab)) on += "; s shows the kit's solution";
  return text + paragraph(on, 0, width);
}

std::string failed(const View& view, const Painter& paint, std::size_t width) {
  const LabResult& result = *view.result;
  const std::optional<Advice> advice = advice_for(result);
  if (!advice || !result.submission) return {};
  std::string text = red(paint, paragraph(advice->headline, 0, width)) +
                     to_text(*advice, *result.submission, width);
  const bool compiled =
      result.status != Verdict::compile_error && result.status != Verdict::refused;
  if (compiled) {
    std::string more;
    if (view.quick)
      more = view.running ? " so far; the other cases are running"
                          : "; the other cases run once these are correct";
    text += "\n" + paragraph(fmt::format("{}, {}{}", points(result.score, result.max_score),
                                         checks(result), more),
                             0, width);
  }
  if (advice->of_quiz)
    return text +
           paragraph(fmt::format("next: z asks the questions (histolab quiz {})", result.lab), 0,
                     width);
  return text +
         paragraph(fmt::format("next: fix it in {} and save; h gives a hint", view.path), 0, width);
}

std::string verdict(const View& view, const Painter& paint, std::size_t width) {
  if (!view.problem.empty()) return red(paint, paragraph(view.problem, 0, width));
  if (!view.result) return paragraph(fmt::format("grading {} ...", view.path), 0, width);
  const LabResult& result = *view.result;
  if (result.status == Verdict::infrastructure_error)
    return paragraph(fmt::format("this machine could not run it: {}", result.message), 0, width) +
           paragraph("there is no mark; `histolab doctor` says what is missing, and r tries again",
                     0, width);
  return result.status == Verdict::passed ? passed(view, paint, width) : failed(view, paint, width);
}

std::string keys(const View& view, const Painter& paint, std::size_t width) {
  constexpr std::array<std::array<const char*, 3>, 10> all = {{{"", "h", "int"},
                                                               {"", "l", "esson"},
                                                               {"", "r", "un again"},
                                                               {"", "s", "olution"},
                                                               {"", "n", "ext"},
                                                               {"", "p", "revious"},
                                                               {"", "d", "ebug"},
                                                               {"", "v", "iewer"},
                                                               {"qui", "z", ""},
                                                               {"", "q", "uit"}}};
  std::string text;
  std::size_t column = 0;
  for (const auto& [before, key, after] : all) {
    const std::string plain = fmt::format("{}[{}]{}", before, key, after);
    const bool suggested =
        view.result && !view.quick && view.result->status == Verdict::passed && *key == 'n';
    if (column > 0 && column + 1 + plain.size() > width) {
      text += '\n';
      column = 0;
    }
    if (column > 0) {
      text += ' ';
      ++column;
    }
    const std::string shown = fmt::format("{}[{}]{}", before, paint.bold(key), after);
    text += suggested ? paint.green(plain) : shown;
    column += plain.size();
  }
  return text + "\n";
}

}  // namespace

std::string verdict_text(const View& view, const ScreenOptions& options) {
  const Painter paint{options.color};
  return fmt::format("{}\n", paint.bold(view.lab->name)) + verdict(view, paint, options.width) +
         view.note;
}

std::string to_text(const View& view, const ScreenOptions& options) {
  const Painter paint{options.color};
  const std::size_t width = options.width;
  const std::string title = fmt::format("{}: {}", view.lab->name, view.lab->title);
  std::string text =
      left_and_right(title, paint.bold(title),
                     fmt::format("{} of {} labs passed", view.labs_passed, view.labs), width);
  text += left_and_right(view.path, view.path, points(view.points, view.max_points), width);
  text += dim(paint, paragraph(view.lab->summary, 0, width)) + "\n";
  if (view.just_started)
    text += paragraph(fmt::format("{} is new: open it in your editor, complete it, and save. The "
                                  "lesson (l) explains the task.",
                                  view.path),
                      0, width) +
            "\n";
  text += verdict(view, paint, width);
  if (view.result && view.problem.empty())
    text += dim(paint, fmt::format("{:.0f} ms after the save\n", view.elapsed_ms));
  if (!view.note.empty()) text += "\n" + view.note;
  if (options.keys) text += "\n" + keys(view, paint, width);
  return text;
}

}  // namespace histolab::grader
