#include "grader/class_report/student_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/class_report/figures.h"
#include "grader/class_report/overview.h"
#include "grader/class_report/source_view.h"
#include "grader/class_report/verdicts.h"
#include "grader/feedback/advice.h"
#include "grader/html/html.h"
#include "grader/listing/listing.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::CheckResult;
using grader::escaped_content;
using grader::LabResult;
using grader::plain;

constexpr std::size_t longest_message = 1200;
std::string message(const std::string& text) {
  return escaped_content(grader::shortened(text, longest_message));
}

// The sentences that `grade` prints for this student, in its order (to_text of a Remark).
std::string advice(const LabResult& result) {
  const std::optional<grader::Advice> found = grader::advice_for(result);
  if (!found) return {};
  std::string out =
      fmt::format("<div class=advice><p><strong>{}</strong>", escaped_content(found->headline));
  for (const grader::Remark& remark : found->remarks) {
    if (!remark.where.empty()) out += "<p>in " + message(remark.where);
    if (!remark.what.empty()) out += "<p>" + message(remark.what);
    if (!remark.why.empty()) out += "<p>why: " + message(remark.why);
    if (!remark.next.empty()) out += "<p class=try>try: " + message(remark.next);
  }
  if (found->more > 0) out += fmt::format("<p>and {}", grader::counted(found->more, "more error"));
  return out + "</div>\n";
}

// The advice is about the first failing check; any other one has its sentence here.
std::string check_item(const CheckResult& check, bool advised) {
  const std::string title = escaped_content(check.title.empty() ? check.id : check.title);
  const bool passed = check.status == CheckResult::Status::passed,
             failed = check.status == CheckResult::Status::failed;
  std::string out = fmt::format("<li class={}>{}/{} {}{}",
                                passed   ? "y"
                                : failed ? "e"
                                         : "n",
                                check.score, check.max_score, title,
                                passed || failed ? "" : " <i>(not judged)</i>");
  if (passed || advised) return out;
  if (const std::string seen = check.seen.sentence(); !seen.empty()) out += "<p>" + message(seen);
  return out;
}

std::string checks(const LabResult& result, bool advised) {
  const bool all =
      !result.checks.empty() &&
      std::all_of(result.checks.begin(), result.checks.end(), [](const CheckResult& each) {
        return each.status == CheckResult::Status::passed;
      });
  if (all)
    return fmt::format("<p class=y>{} passed.\n", grader::counted(result.checks.size(), "check"));
  if (result.checks.empty()) return {};
  const CheckResult* const first = grader::first_failing(result);
  std::string out = "<ul class=checks>";
  for (const CheckResult& check : result.checks)
    out += check_item(check, advised && &check == first);
  return out + "</ul>\n";
}

std::string quiz_line(const LabResult& result) {
  if (!result.quiz) return {};
  return fmt::format("<p class=aside>Quiz: {} of {} right.{}\n",
                     result.quiz->count(quiz::Standing::right), result.quiz->questions.size(),
                     result.quiz->problem.empty() ? "" : " " + message(result.quiz->problem));
}

std::string score_of(const batch::Mark& mark, int max_score) {
  if (!counts(mark)) return fmt::format("no mark of {}", max_score);
  if (mark.by_hand) return fmt::format("{} of {}, by hand", plain(mark.score), max_score);
  if (mark.score == mark.result.score) return fmt::format("{} of {}", plain(mark.score), max_score);
  return fmt::format("{} of {}, instead of {}", plain(mark.score), max_score, mark.result.score);
}

std::string lab_section(const batch::Lab& lab, std::size_t number, const batch::Mark& mark,
                        const SharedTexts& shared) {
  const LabResult& result = mark.result;
  const VerdictLook& look = look_of(result.status);
  const std::string head =
      fmt::format("<h4>{}</h4> <b class={}>{}</b> {}", escaped_content(lab.name), look.look,
                  look.word, score_of(mark, lab.max_score));
  std::string body;
  if (!mark.note.empty()) body += "<p class=r>" + message(mark.note) + "\n";
  if (!result.message.empty() && result.status != grader::Verdict::not_attempted &&
      result.diagnostics.empty() && result.message != mark.note)
    body += "<p>" + message(result.message) + "\n";
  const std::string advised = advice(result);
  if (result.status != grader::Verdict::not_attempted)
    body += advised + checks(result, !advised.empty());
  body += quiz_line(result);
  if (result.submission && !lab.stub.empty() && result.submission->text == lab.stub)
    body += "<p class=aside>The source is the lab's stub, unchanged.\n";
  else if (const SharedTexts::Text* same = shared.find(number, result))
    body += fmt::format(
        "<p class=aside>The source is <a href=#t{}>text {}</a>, which was handed in more than "
        "once.\n",
        same->number, same->number);
  else
    body += source_view(result);
  if (body.empty()) return fmt::format("<div class=lab>{}</div>\n", head);
  return fmt::format("<details class=lab{}><summary>{}</summary>\n{}</details>\n",
                     result.status == grader::Verdict::passed && mark.note.empty() ? "" : " open",
                     head, body);
}

std::string short_figure(double value) {
  return value < 1000 ? grader::compact(value) : grader::compact(static_cast<std::uint64_t>(value));
}

std::string time_cell(const LabResult& own, const LabResult& solution) {
  const std::optional<Times> times = times_of(own, solution);
  if (!times) return "<td>";
  return fmt::format("<td{}>{} <i>{}</i>", times->ratio() >= 1.5 ? " class=w" : "",
                     grader::duration(times->own_ms), grader::duration(times->solution_ms));
}

std::string figures_table(const batch::ClassResults& results, const batch::Entry& entry) {
  const bool timed = std::any_of(results.labs.begin(), results.labs.end(),
                                 [](const batch::Lab& lab) { return !lab.solution.timed.empty(); });
  std::string rows;
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l) {
    const LabResult &own = entry.marks[l].result, &solution = results.labs[l].solution;
    const std::optional<Figures> figures = figures_of(own, solution);
    if (!figures) continue;
    rows += "<tr><th scope=row>" + escaped_content(results.labs[l].name);
    for (std::size_t i = 0; i < figure_columns.size(); ++i) {
      if (figures->own[i] == 0 && figures->solution[i] == 0)
        rows += "<td>";
      else
        rows += fmt::format(
            "<td{}>{} <i>{}</i>",
            is_worse(figure_columns[i], figures->own[i], figures->solution[i]) ? " class=w" : "",
            short_figure(figures->own[i]), short_figure(figures->solution[i]));
    }
    rows += (timed ? time_cell(own, solution) : std::string{}) + "\n";
  }
  if (rows.empty()) return {};
  std::string head = "<div class=wide><table class=figures><thead><tr><th scope=col>Lab";
  for (const Column& column : figure_columns) head += fmt::format("<th scope=col>{}", column.title);
  if (timed)
    head += results.gpu_name.empty() ? "<th scope=col>modelled time" : "<th scope=col>time";
  return head + "\n<tbody>" + rows + "</table></div>\n";
}

std::string who(const batch::Student& student) {
  std::string out = "<p class=aside>";
  const auto field = [&](const char* name, const std::string& text) {
    if (!text.empty())
      out +=
          fmt::format("{}{}{}", out.back() == '>' ? "" : " &middot; ", name, escaped_content(text));
  };
  if (student.key != student.name && !student.name.empty()) field("key ", student.key);
  field("login ", student.login == student.key ? std::string{} : student.login);
  field("id ", student.id == student.key ? std::string{} : student.id);
  field("section ", student.section);
  field("", student.email);
  return out + (out.back() == '>' ? "" : " &middot; ") + "<a href=#class>to all students</a>\n";
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

std::string student_section(const batch::ClassResults& results, const Person& person,
                            double max_score, std::size_t number, const batch::Entry& entry,
                            const SharedTexts& shared) {
  std::string out = fmt::format(
      "<details class=student><summary><h3>{}</h3> {}{} of {}</summary>\n<div id=s{}>\n",
      escaped_content(person.label), plain(person.score), person.complete ? "" : " so far",
      plain(max_score), number + 1);
  out += who(entry.student);
  if (!entry.problem.empty()) out += "<p class=e>" + message(entry.problem) + "\n";
  out += figures_table(results, entry);
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l)
    out += lab_section(results.labs[l], l, entry.marks[l], shared);
  return out + "</div></details>\n";
}

std::string shared_texts(const batch::ClassResults& results, std::size_t number,
                         const batch::Entry& entry, const SharedTexts& shared) {
  std::string out;
  for (std::size_t l = 0; l < std::min(entry.marks.size(), results.labs.size()); ++l) {
    const SharedTexts::Text* text = shared.find(l, entry.marks[l].result);
    if (text == nullptr || text->first != number) continue;
    out += fmt::format(
        "<details class=student><summary><h3>Text {}</h3> {}, handed in {} times</summary>\n<div "
        "id=t{}>{}</div></details>\n",
        text->number, escaped_content(results.labs[l].name), text->holders, text->number,
        source_view(entry.marks[l].result));
  }
  return out;
}

}  // namespace histolab::class_report
