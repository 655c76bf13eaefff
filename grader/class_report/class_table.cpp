#include "grader/class_report/class_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "grader/class_report/class_report.html.h"
#include "grader/class_report/verdicts.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

// True if lateness or a person changed the mark.
bool is_changed(const batch::Mark& mark) {
  return counts(mark) && (mark.by_hand || mark.score != mark.result.score);
}

using grader::html;
using grader::Html;
using grader::piece;
using grader::plain;
using grader::Verdict;

struct Filter {
  const char* flag;  // in the data-f of rows
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

Html cell(const batch::Mark& mark, const People& people) {
  // A mark set by hand replaces a verdict without a mark.
  const bool is_reviewed = mark.by_hand && !grader::has_mark(mark.result.status);
  const VerdictLook& look = look_of(is_reviewed ? Verdict::not_attempted : mark.result.status);
  const bool is_empty =
      !counts(mark) || (mark.result.status == Verdict::not_attempted && !mark.by_hand);
  Html out = html("<td class={}>{}", look.look, is_empty ? std::string{} : plain(mark.score));
  if (*look.letter != '\0' && !is_reviewed)
    out += html("{}<abbr title=\"{}\">{}</abbr>", is_empty ? "" : " ", look.word, look.letter);
  if (is_changed(mark))
    out += html("<abbr title=\"{}\">*</abbr>",
                people.anonymous ? "changed" : grader::shortened(mark.note, 200));
  return out;
}

Html heading(const batch::Lab& lab) {
  const std::size_t dash = lab.name.find('-');
  if (dash == std::string::npos) return html("{}", lab.name);
  return html("{} <small>{}</small>", lab.name.substr(0, dash), lab.name.substr(dash + 1));
}

}  // namespace

Html class_table(const batch::ClassResults& results, const People& people,
                 const std::vector<ReviewItem>& review) {
  std::set<std::size_t> alike;
  if (!people.anonymous)
    for (const batch::Likeness& each : results.alike) alike.insert({each.first, each.second});
  const bool sections =
      !people.anonymous &&
      std::any_of(results.entries.begin(), results.entries.end(),
                  [](const batch::Entry& each) { return !each.student.section.empty(); });

  std::array<std::size_t, filters.size()> holders{};
  Html rows;
  for (const std::size_t e : people.order) {
    const batch::Entry& entry = results.entries[e];
    const std::string flags = flags_of(results, e, review, alike);
    for (std::size_t i = 0; i < filters.size(); ++i)
      holders[i] += flags.find(filters[i].flag) != std::string::npos;
    rows += html("<tr data-f=\"{}\"><th scope=row>{}", flags, link_to(people, e));
    if (sections) rows += html("<td class=text>{}", entry.student.section);
    for (std::size_t l = 0; l < results.labs.size(); ++l)
      rows += l < entry.marks.size() ? cell(entry.marks[l], people) : html("<td>");
    const Person& person = people.persons[e];
    rows += html("<td class=sum>{}", plain(person.score));
    if (!person.complete) rows += html("<abbr title=\"not every lab has a mark yet\">?</abbr>");
    rows += html("\n");
  }

  Html options, headings;
  for (std::size_t i = 0; i < filters.size(); ++i)
    if (holders[i] != 0)
      options += html("<option value={}>{} ({})", filters[i].flag, filters[i].words, holders[i]);
  if (sections) headings += html("<th scope=col data-sort>Section");
  for (const batch::Lab& lab : results.labs)
    headings += html("<th scope=col data-sort=number>{}", heading(lab));
  return html(piece(embedded::class_report_html, "class"), options,
              grader::counted(results.entries.size(), "student"), headings, plain(people.max_score),
              rows);
}

}  // namespace histolab::class_report
