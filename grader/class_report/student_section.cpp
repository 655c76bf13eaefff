#include "grader/class_report/student_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/class_report/class_report.html.h"
#include "grader/class_report/figures.h"
#include "grader/class_report/overview.h"
#include "grader/class_report/source_view.h"
#include "grader/class_report/verdicts.h"
#include "grader/feedback/advice.h"
#include "grader/listing/listing.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::CheckResult;
using grader::html;
using grader::Html;
using grader::LabResult;
using grader::piece;
using grader::plain;

std::string message(const std::string& text) {
  constexpr std::size_t longest = 1200;
  return grader::shortened(text, longest);
}

// The sentences that `grade` prints for this student, in the same order (to_text of a Remark).
Html advice(const LabResult& result) {
  const std::optional<grader::Advice> found = grader::advice_for(result);
  if (!found) return {};
  Html out = html("<p><strong>{}</strong>", found->headline);
  for (const grader::Remark& remark : found->remarks) {
    if (!remark.where.empty()) out += html("<p>in {}", message(remark.where));
    if (!remark.what.empty()) out += html("<p>{}", message(remark.what));
    if (!remark.why.empty()) out += html("<p>why: {}", message(remark.why));
    if (!remark.next.empty()) out += html("<p class=try>try: {}", message(remark.next));
  }
  if (found->more > 0) out += html("<p>and {}", grader::counted(found->more, "more error"));
  return html("<div class=advice>{}</div>\n", out);
}

// The advice is about the first failing check. Each other failing check has its sentence here.
Html check_item(const CheckResult& check, bool advised) {
  const bool passed = check.status == CheckResult::Status::passed,
             failed = check.status == CheckResult::Status::failed;
  Html out = html("<li class={}>{}/{} {}",
                  passed   ? "y"
                  : failed ? "e"
                           : "n",
                  check.score, check.max_score, check.title.empty() ? check.id : check.title);
  if (!passed && !failed) out += html(" <i>(not judged)</i>");
  if (passed || advised) return out;
  const std::string seen = check.seen.sentence();
  return seen.empty() ? out : out + html("<p>{}", message(seen));
}

Html checks(const LabResult& result, bool advised) {
  const bool all =
      !result.checks.empty() &&
      std::all_of(result.checks.begin(), result.checks.end(), [](const CheckResult& each) {
        return each.status == CheckResult::Status::passed;
      });
  if (all) return html("<p class=y>{} passed.\n", grader::counted(result.checks.size(), "check"));
  if (result.checks.empty()) return {};
  const CheckResult* const first = grader::first_failing(result);
  Html items;
  for (const CheckResult& check : result.checks)
    items += check_item(check, advised && &check == first);
  return html("<ul class=checks>{}</ul>\n", items);
}

Html quiz_line(const LabResult& result) {
  if (!result.quiz) return {};
  return html("<p class=aside>Quiz: {} of {} right.{}{}\n",
              result.quiz->count(quiz::Standing::right), result.quiz->questions.size(),
              result.quiz->problem.empty() ? "" : " ", message(result.quiz->problem));
}

std::string score_of(const batch::Mark& mark, int max_score) {
  if (!counts(mark)) return fmt::format("no mark of {}", max_score);
  if (mark.by_hand) return fmt::format("{} of {}, by hand", plain(mark.score), max_score);
  if (mark.score == mark.result.score) return fmt::format("{} of {}", plain(mark.score), max_score);
  return fmt::format("{} of {}, instead of {}", plain(mark.score), max_score, mark.result.score);
}

Html source_of_lab(const batch::Lab& lab, std::size_t number, const LabResult& result,
                   const SharedTexts& shared) {
  if (result.submission && !lab.stub.empty() && result.submission->text == lab.stub)
    return html("<p class=aside>The source is the lab's stub, unchanged.\n");
  if (const SharedTexts::Text* same = shared.find(number, result))
    return html(
        "<p class=aside>The source is <a href=#t{0}>text {0}</a>, which was handed in more "
        "than once.\n",
        same->number);
  return source_view(result);
}

Html lab_section(const batch::Lab& lab, std::size_t number, const batch::Mark& mark,
                 const SharedTexts& shared) {
  const LabResult& result = mark.result;
  const VerdictLook& look = look_of(result.status);
  const bool attempted = result.status != grader::Verdict::not_attempted;
  const Html head = html("<h4>{}</h4> <b class={}>{}</b> {}", lab.name, look.look, look.word,
                         score_of(mark, lab.max_score));
  Html body;
  if (!mark.note.empty()) body += html("<p class=r>{}\n", message(mark.note));
  if (attempted && !result.message.empty() && result.diagnostics.empty() &&
      result.message != mark.note)
    body += html("<p>{}\n", message(result.message));
  const Html advised = advice(result);
  if (attempted) body += advised + checks(result, !advised.empty());
  body += quiz_line(result) + source_of_lab(lab, number, result, shared);
  if (body.empty()) return html("<div class=lab>{}</div>\n", head);
  const bool is_closed = result.status == grader::Verdict::passed && mark.note.empty();
  return html("<details class=lab{}><summary>{}</summary>\n{}</details>\n",
              is_closed ? "" : " open", head, body);
}

std::string short_figure(double value) {
  return value < 1000 ? grader::compact(value) : grader::compact(static_cast<std::uint64_t>(value));
}

// "3 ms 1 ms": a student's figure and the solution's.
Html pair_cell(bool is_worse, const std::string& own, const std::string& solution) {
  return html("<td{}>{} <i>{}</i>", is_worse ? " class=w" : "", own, solution);
}

Html time_cell(const LabResult& own, const LabResult& solution) {
  const std::optional<Times> times = times_of(own, solution);
  if (!times) return html("<td>");
  return pair_cell(times->ratio() >= 1.5, grader::duration(times->own_ms),
                   grader::duration(times->solution_ms));
}

Html figures_table(const batch::ClassResults& results, const batch::Entry& entry) {
  const bool timed = std::any_of(results.labs.begin(), results.labs.end(),
                                 [](const batch::Lab& lab) { return !lab.solution.timed.empty(); });
  Html headings, rows;
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l) {
    const LabResult &own = entry.marks[l].result, &solution = results.labs[l].solution;
    const std::optional<Figures> figures = figures_of(own, solution);
    if (!figures) continue;
    rows += html("<tr><th scope=row>{}", results.labs[l].name);
    for (std::size_t i = 0; i < figure_columns.size(); ++i) {
      const double a = figures->own[i], b = figures->solution[i];
      rows += a == 0 && b == 0
                  ? html("<td>")
                  : pair_cell(is_worse(figure_columns[i], a, b), short_figure(a), short_figure(b));
    }
    if (timed) rows += time_cell(own, solution);
    rows += html("\n");
  }
  if (rows.empty()) return {};
  for (const Column& column : figure_columns) headings += html("<th scope=col>{}", column.title);
  if (timed)
    headings += html("<th scope=col>{}", results.gpu_name.empty() ? "modelled time" : "time");
  return html(piece(embedded::class_report_html, "figures"), headings, rows);
}

// Key, login, id, section and address of a student, as far as known.
Html identity(const batch::Student& student) {
  Html out;
  const auto field = [&](const char* name, const std::string& text) {
    if (!text.empty()) out += html("{}{} &middot; ", name, text);
  };
  if (student.key != student.name && !student.name.empty()) field("key ", student.key);
  field("login ", student.login == student.key ? std::string{} : student.login);
  field("id ", student.id == student.key ? std::string{} : student.id);
  field("section ", student.section);
  field("", student.email);
  return html("<p class=aside>{}<a href=#class>to all students</a>\n", out);
}

}  // namespace

void SharedTexts::add(const std::vector<batch::Lab>& labs, std::size_t number,
                      const batch::Entry& entry) {
  for (std::size_t l = 0; l < std::min(entry.marks.size(), labs.size()); ++l) {
    const LabResult& result = entry.marks[l].result;
    if (!result.submission || result.submission->text.empty() ||
        result.submission->text == labs[l].stub)
      continue;
    const std::size_t order = texts_.size();
    const auto [at, is_new] = texts_.try_emplace({l, result.submission->sha256});
    if (is_new) at->second.order = order, at->second.first = number;
    ++at->second.holders;
  }
}

void SharedTexts::count() {
  std::erase_if(texts_, [](const auto& each) { return each.second.holders == 1; });
  std::vector<Text*> in_order;
  for (auto& each : texts_) in_order.push_back(&each.second);
  std::ranges::sort(in_order, {}, &Text::order);
  for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i]->number = i + 1;
}

const SharedTexts::Text* SharedTexts::find(std::size_t lab, const LabResult& result) const {
  if (!result.submission) return nullptr;
  const auto at = texts_.find({lab, result.submission->sha256});
  return at == texts_.end() ? nullptr : &at->second;
}

Html student_section(const batch::ClassResults& results, const Person& person, double max_score,
                     std::size_t number, const batch::Entry& entry, const SharedTexts& shared) {
  Html out = identity(entry.student);
  if (!entry.problem.empty()) out += html("<p class=e>{}\n", message(entry.problem));
  out += figures_table(results, entry);
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l)
    out += lab_section(results.labs[l], l, entry.marks[l], shared);
  return html(piece(embedded::class_report_html, "student"), person.label, plain(person.score),
              person.complete ? "" : " so far", plain(max_score), number + 1, out);
}

Html shared_texts(const batch::ClassResults& results, std::size_t number, const batch::Entry& entry,
                  const SharedTexts& shared) {
  Html out;
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l) {
    const SharedTexts::Text* text = shared.find(l, entry.marks[l].result);
    if (text == nullptr || text->first != number) continue;
    out += html(piece(embedded::class_report_html, "text"), text->number, results.labs[l].name,
                text->holders, source_view(entry.marks[l].result));
  }
  return out;
}

}  // namespace histolab::class_report
