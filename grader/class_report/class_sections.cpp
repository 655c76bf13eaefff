#include "grader/class_report/class_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "grader/class_report/charts.h"
#include "grader/class_report/code_view.h"
#include "grader/class_report/side_by_side.h"
#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::counted;
using grader::escaped_html;
using grader::plain;

std::string section(const char* id, const std::string& title, const std::string& body) {
  return fmt::format("<section aria-labelledby={0}><h2 id={0}>{1}</h2>\n{2}</section>\n", id, title,
                     body);
}

std::string tile(const std::string& value, const std::string& what, const char* look = "") {
  return fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n", look, what, value);
}

std::string link_to(const People& people, std::size_t entry) {
  const std::string label = escaped_html(people.persons[entry].label);
  return people.anonymous ? label : fmt::format("<a href=#s{}>{}</a>", entry + 1, label);
}

std::string seconds(double number) { return grader::duration(number * 1000); }

std::string lab_row(const batch::Lab& lab, const LabCount& count,
                    const std::array<bool, verdict_looks.size()>& occurs, bool any_times) {
  std::string out = fmt::format("<tr><th scope=row>{}<td class=bars>{}", escaped_html(lab.name),
                                verdict_bar(count));
  for (std::size_t i = 0; i < count.verdicts.size(); ++i)
    if (occurs[i])
      out += count.verdicts[i] == 0 ? std::string{"<td class=no>0"}
                                    : fmt::format("<td>{}", count.verdicts[i]);
  if (count.scores.empty())
    out += "<td><td><td>";
  else
    out += fmt::format("<td>{}<td>{} <i>of {}</i><td class=bars>{}", plain(mean(count.scores)),
                       plain(median(count.scores)), lab.max_score,
                       small_score_chart(spread(count.scores, lab.max_score), lab.max_score));
  if (any_times)
    out += "<td class=bars>" + (count.times.empty() ? std::string{} : time_strip(count.times));
  return out +
         fmt::format("<td>{} <i>{}</i>\n", seconds(count.seconds), seconds(count.longest_seconds));
}

// "02-atomic-add, 04-privatization"
std::string labs_of(const batch::ClassResults& results, const std::vector<std::size_t>& labs) {
  std::string out;
  for (const std::size_t lab : labs)
    out += (out.empty() ? "" : ", ") + escaped_html(results.labs[lab].name);
  return out;
}

std::string excerpt(const Mistake& mistake) {
  constexpr std::size_t columns = 60;  // of half a page
  CodeView view{columns};
  for (const ExcerptLine& line : mistake.excerpt)
    view.line(line.number, line.code, line.marked ? "e" : "");
  return std::move(view).html();
}

}  // namespace

std::string heading_section(const batch::ClassResults& results, const Overview& overview,
                            std::size_t to_review) {
  const std::size_t students = results.entries.size();
  double most = 0;
  for (const batch::Lab& lab : results.labs) most += lab.weight * lab.max_score;
  std::string out = fmt::format(
      "<header>\n<h1>Class report</h1>\n<p>{}, {}. Graded by histolab {} on the {}, sandbox {}; "
      "times are {}.</p>\n",
      counted(students, "student"), counted(results.labs.size(), "lab"),
      escaped_html(results.version),
      escaped_html(results.device_name.empty() ? results.device_kind : results.device_name),
      escaped_html(results.sandbox),
      results.gpu_name.empty() ? std::string{"modelled, not measured"}
                               : "measured on " + escaped_html(results.gpu_name));
  if (results.outstanding != 0)
    out += fmt::format(
        "<p class=\"notice\"><b>Not finished:</b> {} still to come. <code>histolab batch "
        "--resume</code> continues.</p>\n",
        counted(results.outstanding, "result is", "results are"));
  if (!results.lateness.empty())
    out += fmt::format("<p class=\"notice\"><b>Lateness:</b> {}</p>\n",
                       escaped_html(results.lateness));
  out += "<dl class=tiles>\n";
  if (!overview.totals.empty())
    out += tile(fmt::format("{} <small>of {}</small>", plain(median(overview.totals)), plain(most)),
                "median total");
  out += tile(fmt::format("{} <small>{}</small>", overview.all_passed,
                          grader::percent(overview.all_passed, students)),
              "passed every lab");
  out += tile(std::to_string(overview.nothing_handed_in), "handed in nothing");
  out += tile(std::to_string(to_review), "to look at", to_review == 0 ? "" : " class=warn");
  return out + tile(seconds(overview.seconds), "grading time") + "</dl>\n</header>\n";
}

std::string review_section(const batch::ClassResults& results, const People& people,
                           const std::vector<ReviewItem>& review) {
  const bool has_remarks = !people.anonymous && !results.remarks.empty();
  if (review.empty() && !has_remarks) return {};
  std::string out;
  for (auto item = review.begin(); item != review.end();) {
    const auto end = std::find_if(
        item, review.end(), [&](const ReviewItem& each) { return each.concern != item->concern; });
    out += fmt::format("<h3>{} <small>{}</small></h3>\n", title(item->concern), end - item);
    if (people.anonymous) {
      item = end;
      continue;
    }
    constexpr std::ptrdiff_t shown_at_once = 12;
    const bool many = end - item > shown_at_once;
    out += many ? "<details><summary>show all</summary><ul class=review>\n" : "<ul class=review>\n";
    for (; item != end; ++item)
      out += fmt::format("<li>{}{}{}{}\n", link_to(people, item->entry),
                         item->labs.empty() ? "" : ", " + labs_of(results, item->labs),
                         item->reason.empty() ? "" : ": ",
                         escaped_html(grader::shortened(item->reason, 240)));
    out += many ? "</ul></details>\n" : "</ul>\n";
  }
  if (has_remarks) {
    out += fmt::format(
        "<h3>Left out, or not in the roster <small>{}</small></h3>\n<ul class=review>\n",
        results.remarks.size());
    for (const std::string& remark : results.remarks)
      out += "<li>" + escaped_html(grader::shortened(remark, 400)) + "\n";
    out += "</ul>\n";
  }
  return section("review", "Look at these first", out);
}

std::string labs_section(const batch::ClassResults& results, const Overview& overview,
                         const People& people) {
  const bool any_times = std::any_of(overview.labs.begin(), overview.labs.end(),
                                     [](const LabCount& lab) { return !lab.times.empty(); });
  std::array<bool, verdict_looks.size()>
      occurs{};  // a column for what nobody did would only take room
  for (const LabCount& lab : overview.labs)
    for (std::size_t i = 0; i < occurs.size(); ++i) occurs[i] |= lab.verdicts[i] != 0;
  std::string out = "<figure>\n" + score_chart(spread(overview.totals, people.max_score)) +
                    "<figcaption>Number of students by their share of all points";
  if (overview.without_a_mark != 0)
    out += fmt::format("; without {} whose marks are incomplete", overview.without_a_mark);
  out +=
      ".</figcaption>\n</figure>\n<div class=wide><table class=labs><thead><tr><th "
      "scope=col>Lab<th scope=col class=bars>results";
  for (std::size_t i = 0; i < verdict_looks.size(); ++i)
    if (occurs[i])
      out += fmt::format("<th scope=col><span class=\"key {}\"></span>{}", verdict_looks[i].look,
                         verdict_looks[i].word);
  out += "<th scope=col>mean<th scope=col>median<th scope=col class=bars>scores";
  if (any_times) out += "<th scope=col class=bars>kernel time (solution: 1x)";
  out += "<th scope=col>grading time <i>longest</i>\n<tbody>\n";
  for (std::size_t l = 0; l < results.labs.size(); ++l)
    out += lab_row(results.labs[l], overview.labs[l], occurs, any_times);
  out +=
      "</table></div>\n<p class=aside>Mean, median and scores count only students who handed in "
      "this lab.";
  if (any_times)
    out += fmt::format(
        " Each point is the time of one student's kernel, {}, as a multiple of the solution's.",
        results.gpu_name.empty() ? "modelled from counters"
                                 : "measured on " + escaped_html(results.gpu_name));
  return section("labs", "Scores",
                 out +
                     " Grading time is the time that this machine took; a file that was graded "
                     "before takes none.</p>\n");
}

std::string checks_section(const batch::ClassResults& results, const Overview& overview) {
  std::string rows;
  for (std::size_t l = 0; l < results.labs.size(); ++l)
    for (const CheckCount& check : overview.labs[l].checks) {
      if (check.failed == 0) continue;
      rows += fmt::format(
          "<tr><th scope=row>{}<td>{}<td class=n>{}<td class=n>{} <i>of {}</i><td class=n>{}<td "
          "class=bars>{}\n",
          escaped_html(results.labs[l].name),
          escaped_html(check.title.empty() ? check.id : check.title), check.max_score, check.failed,
          check.judged, grader::percent(check.failed, check.judged),
          share_bar(check.failed, check.judged));
    }
  if (rows.empty()) return {};
  return section(
      "checks", "Failed checks",
      "<div class=wide><table class=checks-lost><thead><tr><th scope=col>Lab<th scope=col>Check<th "
      "scope=col class=n>points<th scope=col class=n>students who failed<th scope=col "
      "class=n>share<th scope=col><span class=unseen>share, as a bar</span>\n<tbody>\n" +
          rows + "</table></div>\n");
}

std::string mistakes_section(const batch::ClassResults& results,
                             const std::vector<Mistake>& mistakes) {
  if (mistakes.empty()) return {};
  std::string out =
      "<p class=aside>How many students made each kind of mistake, with an example from one of "
      "them. The example has "
      "no comments and no strings, and the student's own names are replaced by name1, name2, ...; "
      "numbers in a heading "
      "are those of the example.</p>\n<ol class=mistakes>\n";
  for (const Mistake& mistake : mistakes) {
    out += fmt::format("<li><h3>{}</h3>\n<p><b>{}</b> <i>({})</i> in {}</p>\n",
                       escaped_html(grader::shortened(mistake.title, 240)),
                       counted(mistake.entries.size(), "student"),
                       grader::percent(mistake.entries.size(), results.entries.size()),
                       labs_of(results, mistake.labs));
    out += excerpt(mistake);
    if (!mistake.why.empty())
      out += fmt::format("<p><i>Why it matters:</i> {}.</p>\n", escaped_html(mistake.why));
    if (!mistake.next.empty())
      out += fmt::format("<p><i>Advice from histolab:</i> {}</p>\n",
                         escaped_html(grader::shortened(mistake.next, 400)));
  }
  return section("mistakes", "Common mistakes", out + "</ol>\n");
}

Result<std::vector<SimilarPair>> similar_pairs(const batch::ClassSource& source) {
  constexpr std::size_t most_comparisons = 250;  // some 20 kilobytes each
  std::vector<SimilarPair> pairs;
  for (const batch::Likeness& each : source.results.alike) pairs.push_back({&each});
  const auto rank = [&](const SimilarPair& pair) {
    const batch::Likeness& each = *pair.alike;
    // Pairs of students first: many copies of the course's code would bury them. Later labs have
    // longer kernels: the same code there says more.
    const bool of_course = each.known && source.results.known[*each.known].of_course();
    return std::tuple{!each.known, !of_course,     each.identical || each.renamed,
                      each.lab,    each.identical, each.share};
  };
  std::ranges::stable_sort(
      pairs, [&](const SimilarPair& a, const SimilarPair& b) { return rank(a) > rank(b); });
  std::size_t comparisons = 0;
  for (SimilarPair& pair : pairs) {
    if (pair.alike->answers || !source.texts_of || comparisons == most_comparisons) continue;
    const std::pair<std::string, std::string> texts = TRY(source.texts_of(*pair.alike));
    pair.equal_files = texts.first == texts.second;
    if (!pair.equal_files) pair.comparison = ++comparisons;
  }
  return pairs;
}

std::string alike_section(const batch::ClassResults& results, const People& people,
                          const std::vector<SimilarPair>& pairs) {
  if (people.anonymous || pairs.empty()) return {};
  std::string out =
      "<p class=aside>Submissions whose code is the same or nearly the same as that of another "
      "student, of the course "
      "itself or of an earlier class. Comments and blanks do not count. No points depend on this "
      "list, and short kernels "
      "are often alike by chance: compare the two before you decide. Only quiz answers that "
      "several students share have "
      "no mark until you have looked.</p>\n";
  constexpr const char* table =
      "<div class=wide><table class=alike><thead><tr><th scope=col>Lab<th scope=col>submission<th "
      "scope=col>similar to"
      "<th scope=col>how much<th scope=col>side by side\n<tbody>\n";
  const auto row_of = [&](const SimilarPair& pair) {
    const batch::Likeness& each = *pair.alike;
    const std::string other = each.known
                                  ? escaped_html(batch::described(results.known[*each.known]))
                                  : link_to(people, each.second);
    std::string row =
        fmt::format("<tr><th scope=row>{}<td>{}<td>{}<td>{}<td>",
                    escaped_html(results.labs[each.lab].name), link_to(people, each.first), other,
                    each.answers ? "the quiz answers"
                                 : batch::described(each.share, each.identical, each.renamed));
    if (pair.comparison != 0)
      row += fmt::format("<a href=#d{0}>compare<span class=unseen> pair {0}</span></a>",
                         pair.comparison);
    else if (pair.equal_files)
      row += "equal files";
    return row + "\n";
  };
  const auto first_known = std::ranges::find_if(
      pairs, [](const SimilarPair& pair) { return pair.alike->known.has_value(); });
  const auto add_table = [&](const char* heading, std::span<const SimilarPair> part) {
    constexpr std::size_t shown_at_once = 100;
    if (part.empty()) return;
    out += fmt::format("<h3>{} <small>{}</small></h3>\n{}", heading, part.size(), table);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (i == shown_at_once)
        out += fmt::format("</table></div>\n<details><summary>{}</summary>\n{}",
                           counted(part.size() - shown_at_once, "more pair"), table);
      out += row_of(part[i]);
    }
    out += part.size() > shown_at_once ? "</table></div></details>\n" : "</table></div>\n";
  };
  add_table("Students", {pairs.begin(), first_known});
  add_table("Earlier classes and the course's own code", {first_known, pairs.end()});
  return section("alike", "Similar submissions", out);
}

std::string comparison(const batch::ClassResults& results, const People& people,
                       const SimilarPair& pair, const std::pair<std::string, std::string>& texts) {
  const batch::Likeness& each = *pair.alike;
  const std::string first = people.persons[each.first].label;
  const std::string second =
      each.known ? batch::described(results.known[*each.known]) : people.persons[each.second].label;
  return fmt::format(
      "<details class=student><summary><h3>{} and {}</h3> {}, {}</summary>\n<div id=d{}>\n{}"
      "<p class=aside><a href=#alike>to the list</a></div></details>\n",
      escaped_html(first), escaped_html(second), escaped_html(results.labs[each.lab].name),
      batch::described(each.share, each.identical, each.renamed), pair.comparison,
      side_by_side_table(first, second, side_by_side(texts.first, texts.second)));
}

}  // namespace histolab::class_report
