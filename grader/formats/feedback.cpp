#include "grader/formats/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "grader/batch/shared_answers.h"
#include "grader/checks/quiz_check.h"
#include "grader/feedback/advice.h"
#include "grader/formats/feedback.css.h"
#include "grader/formats/feedback.html.h"
#include "grader/html/html_page.h"
#include "grader/words/source_excerpt.h"
#include "grader/words/words.h"

namespace histolab::formats {
namespace {

using grader::CheckResult;
using grader::html;
using grader::Html;
using grader::LabResult;
using grader::piece;
using grader::Remark;
using grader::shown_text;
using grader::Verdict;

constexpr std::size_t width = 80;
constexpr std::size_t longest_name = 70;  // name of a person, in bytes

// One reason for lost points.
struct Loss {
  std::string headline;               // "no_findings failed (0 of 2 points)"
  std::vector<std::string> excerpts;  // from the student's own file, several lines each
  std::vector<Remark> remarks;        // without remarks of this lab's earlier losses
};

struct Step {
  std::string what, command;  // "change it, then type", "histolab grade 02-atomic-add"
};

struct LabFeedback {
  std::string lab, verdict, points;  // "02-atomic-add", "failed", "4 of 10"
  std::string weight;                // " x 2" in the total; empty if the weight is 1
  bool is_complete = false;          // nothing was lost
  std::vector<std::string> notes;    // reasons for a changed or missing mark
  std::vector<Loss> losses;
  std::string quiz;  // empty without a quiz
  std::vector<Step> next;
};

struct Feedback {
  std::string name, problem, total;
  std::vector<LabFeedback> labs;
};

// The student's name on one line, for display.
std::string shown_name(const batch::Student& student) {
  std::string name = shown_text(
      grader::shortened(student.name.empty() ? student.key : student.name, longest_name));
  std::ranges::replace(name, '\n', ' ');
  return name;
}

std::string file_of(const LabResult& lab) { return lab.lab + ".cu"; }

std::string excerpt(const LabResult& lab, const Remark::Place& place) {
  return grader::source_excerpt(file_of(lab), lab.submission ? lab.submission->text : std::string{},
                                place.line, place.column, width);
}

// Collects losses without repeating excerpts and remarks: several checks may fail for one cause.
class LossBuilder {
 public:
  explicit LossBuilder(const LabResult& lab) : lab_(lab) {}
  void add(std::string headline, const std::vector<Remark>& remarks) {
    Loss loss;
    loss.headline = std::move(headline);
    for (const Remark& remark : remarks) {
      for (const Remark::Place& place : remark.places)
        if (std::string lines = excerpt(lab_, place); is_new(lines))
          loss.excerpts.push_back(std::move(lines));
      if (is_new(remark.what + remark.why + remark.next)) loss.remarks.push_back(remark);
    }
    losses.push_back(std::move(loss));
  }
  std::vector<Loss> losses;

 private:
  bool is_new(const std::string& text) {
    if (text.empty() || std::ranges::find(seen_, text) != seen_.end()) return false;
    seen_.push_back(text);
    return true;
  }
  const LabResult& lab_;
  std::vector<std::string> seen_;
};

std::vector<Loss> losses_of(const LabResult& lab) {
  LossBuilder builder{lab};
  const std::optional<grader::Advice> advice = grader::advice_for(lab);
  const bool has_run = lab.status == Verdict::failed || lab.status == Verdict::timeout ||
                       lab.status == Verdict::crashed;
  if (advice && !has_run) {
    std::vector<Remark> remarks = advice->remarks;
    if (advice->more > 0)
      remarks.push_back(
          {.what = fmt::format("and {}", grader::counted(advice->more, "more error"))});
    builder.add(fmt::format("{} (0 of {} points)", advice->headline, lab.max_score), remarks);
  }
  if (!has_run) return std::move(builder.losses);
  // The first loss comes first and has the compiler's warnings, as `grade` prints it.
  const CheckResult* const first = grader::first_failing(lab);
  if (advice && first != nullptr) builder.add(advice->headline, advice->remarks);
  for (const CheckResult& check : lab.checks) {
    if (&check == first || check.status == CheckResult::Status::passed) continue;
    const char* const verdict =
        check.status == CheckResult::Status::not_run ? "was not run" : "failed";
    builder.add(
        fmt::format("{} {} ({} of {} points)", check.id, verdict, check.score, check.max_score),
        {grader::remark_for(lab, check)});
  }
  return std::move(builder.losses);
}

bool is_of_others(const std::string& problem) { return problem.starts_with(batch::shared_answers); }

std::string quiz_of(const LabResult& lab) {
  if (!lab.quiz) return {};
  quiz::Outcome own = *lab.quiz;
  if (is_of_others(own.problem)) own.problem = "whether they count is not decided yet";
  return grader::described(own);
}

// The reason for a missing mark, except reasons about this machine or about other students.
std::string review_note(const batch::Mark& mark) {
  if (mark.outstanding) return "This lab is not graded yet";
  std::string text =
      "There is no mark yet: a person has to review it. Until then it costs no points";
  const bool of_the_file = mark.result.status == Verdict::needs_review && !mark.result.submission &&
                           !is_of_others(mark.note) && !mark.note.starts_with("the machine failed");
  return of_the_file && !mark.note.empty() ? fmt::format("{}. {}", text, mark.note) : text;
}

std::vector<Step> next_of(const LabResult& lab) {
  std::vector<Step> next;
  switch (lab.status) {
    case Verdict::passed: break;
    case Verdict::not_attempted:
      next.push_back({"to begin, type", "histolab start " + lab.lab});
      break;
    case Verdict::needs_review:
    case Verdict::infrastructure_error: break;
    case Verdict::failed:
    case Verdict::timeout:
    case Verdict::crashed:
    case Verdict::compile_error:
    case Verdict::refused:
      next.push_back({fmt::format("put your file into work/{}, change it, then type", file_of(lab)),
                      "histolab grade " + lab.lab});
      break;
  }
  const bool all_right =
      lab.quiz && lab.quiz->count(quiz::Standing::right) == lab.quiz->questions.size();
  if (lab.quiz && !all_right && grader::has_mark(lab.status))
    next.push_back({"to answer the quiz again, type", "histolab quiz " + lab.lab});
  return next;
}

LabFeedback feedback_of(const batch::Mark& mark) {
  const LabResult& lab = mark.result;
  LabFeedback feedback;
  feedback.lab = lab.lab;
  const bool has_score = mark.has_score(), has_verdict = grader::has_mark(lab.status);
  feedback.verdict = has_verdict    ? grader::in_words(name(lab.status))
                     : mark.by_hand ? "set by hand"
                                    : "no mark yet";
  feedback.points = has_score ? fmt::format("{} of {}", points_text(mark.score), lab.max_score)
                              : fmt::format("- of {}", lab.max_score);
  feedback.weight = weight_text(mark);
  feedback.is_complete =
      has_score && (mark.by_hand || lab.status == Verdict::passed) && mark.score >= lab.max_score;
  if (!has_score) {
    feedback.notes.push_back(review_note(mark));
    return feedback;
  }
  if (lab.status == Verdict::not_attempted)
    feedback.notes.push_back(lab.message.empty() ? "nothing was handed in" : lab.message);
  if (!mark.note.empty() && mark.note != lab.message) feedback.notes.push_back(mark.note);
  if (!has_verdict) return feedback;
  feedback.losses = losses_of(lab);
  feedback.quiz = quiz_of(lab);
  feedback.next = next_of(lab);
  return feedback;
}

Feedback feedback_of(const Graded& graded) {
  Feedback feedback;
  feedback.name = shown_name(graded.student);
  feedback.problem = graded.problem;
  const std::optional<double> score = score_of(graded);
  feedback.total =
      fmt::format("{} of {}", score ? points_text(*score) : "-", points_text(max_score_of(graded)));
  for (const batch::Mark& mark : graded.marks) feedback.labs.push_back(feedback_of(mark));
  const auto says_it = [&](const LabFeedback& lab) {
    return std::ranges::find(lab.notes, graded.problem) != lab.notes.end();
  };
  if (std::ranges::any_of(feedback.labs, says_it)) feedback.problem.clear();
  return feedback;
}

bool is_worth_a_section(const LabFeedback& lab) {
  return !lab.is_complete || !lab.notes.empty() || !lab.quiz.empty();
}

constexpr const char* nothing_left = "Every check passed: nothing is left to do.";
bool nothing_is_left(const Feedback& feedback) {
  return !feedback.labs.empty() && std::ranges::all_of(feedback.labs, [](const LabFeedback& lab) {
    return lab.is_complete && lab.next.empty();
  });
}

// ---- text ----

std::string text_of(const Loss& loss) {
  std::string text = "\n" + grader::paragraph(loss.headline, 2, width);
  for (const std::string& lines : loss.excerpts) text += lines;
  for (const Remark& remark : loss.remarks) text += grader::to_text(remark, width);
  if (loss.remarks.empty()) text += "  for the same reason\n";
  return text;
}

std::string text_of(const LabFeedback& lab) {
  std::string text = grader::paragraph(
      fmt::format("{}: {}, {} points{}", lab.lab, lab.verdict, lab.points, lab.weight), 0, width);
  for (const std::string& note : lab.notes) text += grader::paragraph(note, 2, width);
  for (const Loss& loss : lab.losses) text += text_of(loss);
  if (!lab.quiz.empty()) text += "\n" + grader::paragraph("quiz: " + lab.quiz, 2, width);
  if (!lab.next.empty()) text += "\n";
  for (const Step& next : lab.next)
    text += grader::paragraph("next: " + next.what, 2, width) + "    " + next.command + "\n";
  return text;
}

// ---- page ----

Html html_of(const Loss& loss) {
  Html out = html("<h3>{}</h3>\n", loss.headline);
  for (const std::string& lines : loss.excerpts) out += html("<pre>{}</pre>\n", lines);
  for (const Remark& remark : loss.remarks) {
    if (!remark.where.empty()) out += html("<p class=quiet>in {}\n", remark.where);
    out += html("<p>{}\n", remark.what);
    if (!remark.why.empty()) out += html("<p>why: {}\n", remark.why);
    if (!remark.next.empty()) out += html("<p class=try>try: {}\n", remark.next);
  }
  return loss.remarks.empty() ? out + html("<p>for the same reason\n") : out;
}

Html html_of(const LabFeedback& lab) {
  Html out = html("<section>\n<h2>{}</h2>\n<p><b class={}>{}</b>, {} points{}\n", lab.lab,
                  lab.is_complete ? "y" : "e", lab.verdict, lab.points, lab.weight);
  for (const std::string& note : lab.notes) out += html("<p class=note>{}\n", note);
  for (const Loss& loss : lab.losses) out += html_of(loss);
  if (!lab.quiz.empty()) out += html("<h3>quiz</h3>\n<p>{}\n", lab.quiz);
  if (!lab.next.empty()) out += html("<h3>next</h3>\n");
  for (const Step& next : lab.next) out += html("<p>{}\n<pre>{}</pre>\n", next.what, next.command);
  return out + html("</section>\n");
}

}  // namespace

std::string to_feedback_text(const Graded& graded) {
  const Feedback feedback = feedback_of(graded);
  std::string text = grader::paragraph("Feedback for " + feedback.name, 0, width) + "\n";
  text += fmt::format("{:<30}{:<20}{}\n", "lab", "verdict", "points");
  for (const LabFeedback& lab : feedback.labs)
    text += fmt::format("{:<30}{:<20}{}{}\n", grader::shortened(lab.lab, 29), lab.verdict,
                        lab.points, lab.weight);
  if (feedback.labs.size() > 1) text += fmt::format("{:<50}{}\n", "total", feedback.total);
  if (!feedback.problem.empty())
    text += "\n" + grader::paragraph("your files: " + feedback.problem, 0, width);
  for (const LabFeedback& lab : feedback.labs)
    if (is_worth_a_section(lab)) text += "\n" + text_of(lab);
  if (nothing_is_left(feedback)) text += fmt::format("\n{}\n", nothing_left);
  return shown_text(text);
}

std::string to_feedback_html(const Graded& graded) {
  const Feedback feedback = feedback_of(graded);
  Html rows, sections;
  for (const LabFeedback& lab : feedback.labs)
    rows += html("<tr><th scope=row>{}<td class={}>{}<td class=n>{}{}\n", lab.lab,
                 lab.is_complete ? "y" : "e", lab.verdict, lab.points, lab.weight);
  if (feedback.labs.size() > 1)
    rows += html("<tfoot><tr><th scope=row colspan=2>total<td class=n>{}\n", feedback.total);
  if (!feedback.problem.empty())
    sections += html("<p class=note>your files: {}\n", feedback.problem);
  for (const LabFeedback& lab : feedback.labs)
    if (is_worth_a_section(lab)) sections += html_of(lab);
  if (nothing_is_left(feedback)) sections += html("<p>{}\n", nothing_left);
  const Html body = html(piece(embedded::feedback_html, "page"), feedback.name, rows, sections);
  return grader::to_html({.title = "Feedback for " + feedback.name,
                          .style = std::string{embedded::feedback_css},
                          .script = {},
                          .body = body});
}

std::string to_feedback_comment(const Graded& graded) {
  const Feedback feedback = feedback_of(graded);
  std::string text = fmt::format("{}: {} points\n", comment_mark, feedback.total);
  if (!feedback.problem.empty()) text += feedback.problem + "\n";
  for (const LabFeedback& lab : feedback.labs) {
    text += fmt::format("{}: {}, {} points{}", lab.lab, lab.verdict, lab.points, lab.weight);
    for (const std::string& note : lab.notes) text += ". " + note;
    text += "\n";
    if (lab.losses.empty() || lab.losses.front().remarks.empty()) continue;
    const Remark& remark = lab.losses.front().remarks.front();
    text += fmt::format("{}: {}{}", lab.losses.front().headline,
                        remark.where.empty() ? "" : "in " + remark.where + ": ", remark.what);
    const std::string line = remark.places.empty() || remark.places.front().line == 0
                                 ? std::string{}
                                 : fmt::format("line {}", remark.places.front().line);
    if (!line.empty() && remark.what.find(line) == std::string::npos)
      text += fmt::format(" ({})", line);
    if (!remark.next.empty()) text += ". Try: " + remark.next;
    text += "\n";
  }
  text.pop_back();
  return shown_text(text);
}

}  // namespace histolab::formats
