#include "grader/class_report/class_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "grader/class_report/verdicts.h"
#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

// By lateness, or by hand.
bool is_changed(const batch::Mark& mark) {
  return counts(mark) && (mark.by_hand || mark.score != mark.result.score);
}

using grader::escaped_html;
using grader::plain;
using grader::Verdict;

struct Filter {
  const char* flag;  // in a row's data-f
  const char* words;
};
constexpr std::array filters = {
    Filter{"review", "to look at"},           Filter{"changed", "a mark was changed"},
    Filter{"alike", "similar to other code"}, Filter{"failed", "a lab not passed"},
    Filter{"missing", "a lab not attempted"}, Filter{"passed", "every lab passed"},
};

std::string flags_of(const batch::ClassResults& results, std::size_t entry,
                     const std::vector<ReviewItem>& review, const std::set<std::size_t>& alike) {
  const std::vector<batch::Mark>& marks = results.entries[entry].marks;
  const auto any = [&](auto holds) { return std::any_of(marks.begin(), marks.end(), holds); };
  std::string flags;
  const auto add = [&](bool holds, const char* flag) {
    flags += holds ? (flags.empty() ? "" : " ") + std::string{flag} : "";
  };
  add(std::any_of(review.begin(), review.end(),
                  [&](const ReviewItem& item) { return item.entry == entry; }),
      "review");
  add(any([](const batch::Mark& mark) { return is_changed(mark); }), "changed");
  add(alike.contains(entry), "alike");
  add(any([](const batch::Mark& mark) {
        return mark.result.status != Verdict::passed &&
               mark.result.status != Verdict::not_attempted;
      }),
      "failed");
  add(any([](const batch::Mark& mark) { return mark.result.status == Verdict::not_attempted; }),
      "missing");
  add(!marks.empty() &&
          !any([](const batch::Mark& mark) { return mark.result.status != Verdict::passed; }),
      "passed");
  return flags;
}

std::string cell(const batch::Mark& mark, const People& people) {
  // A mark by hand replaces a verdict that has none.
  const bool is_reviewed = mark.by_hand && !grader::has_mark(mark.result.status);
  const VerdictLook& look = look_of(is_reviewed ? Verdict::not_attempted : mark.result.status);
  const bool is_empty =
      !counts(mark) || (mark.result.status == Verdict::not_attempted && !mark.by_hand);
  std::string text = is_empty ? std::string{} : plain(mark.score);
  if (*look.letter != '\0' && !is_reviewed)
    text += fmt::format("{}<abbr title=\"{}\">{}</abbr>", text.empty() ? "" : " ", look.word,
                        look.letter);
  if (is_changed(mark))
    text +=
        fmt::format("<abbr title=\"{}\">*</abbr>",
                    people.anonymous ? "changed" : escaped_html(grader::shortened(mark.note, 200)));
  return fmt::format("<td class={}>{}", look.look, text);
}

std::string heading(const batch::Lab& lab) {
  const std::size_t dash = lab.name.find('-');
  if (dash == std::string::npos) return escaped_html(lab.name);
  return fmt::format("{} <small>{}</small>", escaped_html(lab.name.substr(0, dash)),
                     escaped_html(lab.name.substr(dash + 1)));
}

}  // namespace

std::string class_table(const batch::ClassResults& results, const People& people,
                        const std::vector<ReviewItem>& review) {
  std::set<std::size_t> alike;
  if (!people.anonymous)
    for (const batch::Likeness& each : results.alike) alike.insert({each.first, each.second});
  const bool sections =
      !people.anonymous &&
      std::any_of(results.entries.begin(), results.entries.end(),
                  [](const batch::Entry& each) { return !each.student.section.empty(); });
  const double max_score = people.max_score;

  std::array<std::size_t, filters.size()> holders{};
  std::string rows;
  for (const std::size_t e : people.order) {
    const batch::Entry& entry = results.entries[e];
    const Person& person = people.persons[e];
    const std::string flags = flags_of(results, e, review, alike);
    for (std::size_t i = 0; i < filters.size(); ++i)
      holders[i] += flags.find(filters[i].flag) != std::string::npos;
    const std::string label = escaped_html(person.label);
    rows +=
        fmt::format("<tr data-f=\"{}\"><th scope=row>{}", flags,
                    people.anonymous ? label : fmt::format("<a href=#s{}>{}</a>", e + 1, label));
    if (sections) rows += "<td class=text>" + escaped_html(entry.student.section);
    for (std::size_t l = 0; l < results.labs.size(); ++l)
      rows += l < entry.marks.size() ? cell(entry.marks[l], people) : "<td>";
    rows +=
        fmt::format("<td class=sum>{}{}\n", plain(person.score),
                    person.complete ? "" : "<abbr title=\"not every lab has a mark yet\">?</abbr>");
  }

  std::string out =
      "<form id=tools hidden><label>Filter <input type=search id=words placeholder=\"name, "
      "section\" autocomplete=off spellcheck=false></label>\n<label>Show <select id=kind><option "
      "value=\"\">everyone";
  for (std::size_t i = 0; i < filters.size(); ++i)
    if (holders[i] != 0)
      out += fmt::format("<option value={}>{} ({})", filters[i].flag, filters[i].words, holders[i]);
  out += fmt::format("</select></label>\n<output id=count aria-live=polite>{}</output></form>\n",
                     grader::counted(results.entries.size(), "student"));
  out += "<div class=wide><table class=class><caption>Points of each student and lab";
  out +=
      ". Beside the points: <b>C</b> does not compile, <b>T</b> ran out of time, <b>X</b> crashed, "
      "<b>R</b> refused; <b>-</b> not attempted, <b>?</b> no mark yet, <b>*</b> changed after "
      "grading</caption>\n";
  out += "<thead><tr><th scope=col data-sort>Student";
  if (sections) out += "<th scope=col data-sort>Section";
  for (const batch::Lab& lab : results.labs)
    out += "<th scope=col data-sort=number>" + heading(lab);
  out += fmt::format("<th scope=col data-sort=number>Total <small>of {}</small>\n<tbody>\n",
                     plain(max_score));
  return out + rows + "</table></div>\n";
}

}  // namespace histolab::class_report
