#include "grader/class_report/class_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "grader/class_report/charts.h"
#include "grader/class_report/class_report.html.h"
#include "grader/class_report/code_view.h"
#include "grader/class_report/side_by_side.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

using grader::counted;
using grader::html;
using grader::Html;
using grader::piece;
using grader::plain;

constexpr std::string_view templates = embedded::class_report_html;

Html tile(const Html& value, const char* label, const char* look = "") {
  return html("<div{}><dt>{}</dt><dd>{}</dd></div>\n", look, label, value);
}

std::string seconds(double number) { return grader::duration(number * 1000); }

// True per verdict that a student got. The table has no column for the others.
using Occurs = std::array<bool, verdict_looks.size()>;

Html lab_row(const batch::Lab& lab, const LabCount& count, const Occurs& occurs, bool any_times) {
  Html out = html("<tr><th scope=row>{}<td class=bars>{}", lab.name, verdict_bar(count));
  for (std::size_t i = 0; i < count.verdicts.size(); ++i)
    if (occurs[i])
      out += html("<td{}>{}", count.verdicts[i] == 0 ? " class=no" : "", count.verdicts[i]);
  if (count.scores.empty())
    out += html("<td><td><td>");
  else
    out += html("<td>{}<td>{} <i>of {}</i><td class=bars>{}", plain(mean(count.scores)),
                plain(median(count.scores)), lab.max_score,
                small_score_chart(spread(count.scores, lab.max_score), lab.max_score));
  if (any_times)
    out += html("<td class=bars>{}", count.times.empty() ? Html{} : time_strip(count.times));
  return out + html("<td>{} <i>{}</i>\n", seconds(count.seconds), seconds(count.longest_seconds));
}

// "02-atomic-add, 04-privatization"
std::string labs_of(const batch::ClassResults& results, const std::vector<std::size_t>& labs) {
  std::string out;
  for (const std::size_t lab : labs) out += (out.empty() ? "" : ", ") + results.labs[lab].name;
  return out;
}

Html excerpt(const Mistake& mistake) {
  constexpr std::size_t columns = 60;  // of half a page
  CodeView view{columns};
  for (const ExcerptLine& line : mistake.excerpt)
    view.line(line.number, line.code, line.marked ? "e" : "");
  return std::move(view).html();
}

// The items of one concern. Many items are closed until a reader opens them.
Html review_list(const batch::ClassResults& results, const People& people,
                 std::span<const ReviewItem> review) {
  constexpr std::size_t shown_at_once = 12;
  Html items;
  for (const ReviewItem& item : review)
    items += html("<li>{}{}{}{}{}\n", link_to(people, item.entry), item.labs.empty() ? "" : ", ",
                  labs_of(results, item.labs), item.reason.empty() ? "" : ": ",
                  grader::shortened(item.reason, 240));
  if (review.size() <= shown_at_once) return html("<ul class=review>\n{}</ul>\n", items);
  return html("<details><summary>show all</summary><ul class=review>\n{}</ul></details>\n", items);
}

Html pair_row(const batch::ClassResults& results, const People& people, const SimilarPair& pair) {
  const batch::Likeness& each = *pair.alike;
  Html compare;
  if (pair.comparison != 0)
    compare = html("<a href=#d{0}>compare<span class=unseen> pair {0}</span></a>", pair.comparison);
  else if (pair.equal_files)
    compare = html("equal files");
  return html("<tr><th scope=row>{}<td>{}<td>{}<td>{}<td>{}\n", results.labs[each.lab].name,
              link_to(people, each.first),
              each.known ? html("{}", batch::described(results.known[*each.known]))
                         : link_to(people, each.second),
              each.answers ? "the quiz answers"
                           : batch::described(each.share, each.identical, each.renamed),
              compare);
}

Html pair_tables(const batch::ClassResults& results, const People& people, const char* heading,
                 std::span<const SimilarPair> pairs) {
  if (pairs.empty()) return {};
  const auto table = [&](std::span<const SimilarPair> part) {
    Html rows;
    for (const SimilarPair& pair : part) rows += pair_row(results, people, pair);
    return html(piece(templates, "pairs"), rows);
  };
  const std::size_t at_once = std::min<std::size_t>(pairs.size(), 100);
  Html out =
      html("<h3>{} <small>{}</small></h3>\n{}", heading, pairs.size(), table(pairs.first(at_once)));
  if (const auto more = pairs.subspan(at_once); !more.empty())
    out += html("<details><summary>{}</summary>\n{}</details>\n", counted(more.size(), "more pair"),
                table(more));
  return out;
}

}  // namespace

Html heading_section(const batch::ClassResults& results, const Overview& overview,
                     std::size_t to_review) {
  const std::size_t students = results.entries.size();
  double most = 0;
  for (const batch::Lab& lab : results.labs) most += lab.weight * lab.max_score;
  Html notices, tiles;
  if (results.outstanding != 0)
    notices += html(piece(templates, "unfinished"),
                    counted(results.outstanding, "result is", "results are"));
  if (!results.lateness.empty())
    notices += html("<p class=notice><b>Lateness:</b> {}</p>\n", results.lateness);
  if (!overview.totals.empty())
    tiles += tile(html("{} <small>of {}</small>", plain(median(overview.totals)), plain(most)),
                  "median total");
  tiles += tile(html("{} <small>{}</small>", overview.all_passed,
                     grader::percent(overview.all_passed, students)),
                "passed every lab");
  tiles += tile(html("{}", overview.nothing_handed_in), "handed in nothing");
  tiles += tile(html("{}", to_review), "to look at", to_review == 0 ? "" : " class=warn");
  tiles += tile(html("{}", seconds(overview.seconds)), "grading time");
  return html(
      piece(templates, "heading"), counted(students, "student"),
      counted(results.labs.size(), "lab"), results.version,
      results.device_name.empty() ? results.device_kind : results.device_name, results.sandbox,
      results.gpu_name.empty() ? "modelled, not measured" : "measured on " + results.gpu_name,
      notices, tiles);
}

Html review_section(const batch::ClassResults& results, const People& people,
                    const std::vector<ReviewItem>& review) {
  Html out;
  for (auto item = review.begin(); item != review.end();) {
    const auto end = std::find_if(
        item, review.end(), [&](const ReviewItem& each) { return each.concern != item->concern; });
    out += html("<h3>{} <small>{}</small></h3>\n", title(item->concern), end - item);
    if (!people.anonymous) out += review_list(results, people, {item, end});
    item = end;
  }
  if (people.anonymous || results.remarks.empty()) return out;
  Html remarks;
  for (const std::string& remark : results.remarks)
    remarks += html("<li>{}\n", grader::shortened(remark, 400));
  return out + html(piece(templates, "remarks"), results.remarks.size(), remarks);
}

Html labs_section(const batch::ClassResults& results, const Overview& overview,
                  const People& people) {
  const bool any_times = std::any_of(overview.labs.begin(), overview.labs.end(),
                                     [](const LabCount& lab) { return !lab.times.empty(); });
  Occurs occurs{};
  for (const LabCount& lab : overview.labs)
    for (std::size_t i = 0; i < occurs.size(); ++i) occurs[i] |= lab.verdicts[i] != 0;
  Html verdicts, times, rows;
  for (std::size_t i = 0; i < verdict_looks.size(); ++i)
    if (occurs[i])
      verdicts += html("<th scope=col><span class=\"key {}\"></span>{}", verdict_looks[i].look,
                       verdict_looks[i].word);
  if (any_times) times = html("<th scope=col class=bars>kernel time (solution: 1x)");
  for (std::size_t l = 0; l < results.labs.size(); ++l)
    rows += lab_row(results.labs[l], overview.labs[l], occurs, any_times);
  const std::string measured =
      results.gpu_name.empty() ? "modelled from counters" : "measured on " + results.gpu_name;
  return html(piece(templates, "labs"), score_chart(spread(overview.totals, people.max_score)),
              overview.without_a_mark == 0
                  ? std::string{}
                  : fmt::format("; without {} whose marks are incomplete", overview.without_a_mark),
              verdicts, times, rows,
              any_times ? html(piece(templates, "times"), measured) : Html{});
}

Html checks_section(const batch::ClassResults& results, const Overview& overview) {
  Html rows;
  for (std::size_t l = 0; l < results.labs.size(); ++l)
    for (const CheckCount& check : overview.labs[l].checks)
      if (check.failed != 0)
        rows += html(piece(templates, "check"), results.labs[l].name,
                     check.title.empty() ? check.id : check.title, check.max_score, check.failed,
                     check.judged, grader::percent(check.failed, check.judged),
                     share_bar(check.failed, check.judged));
  return rows.empty() ? rows : html(piece(templates, "checks"), rows);
}

Html mistakes_section(const batch::ClassResults& results, const std::vector<Mistake>& mistakes) {
  Html items;
  for (const Mistake& mistake : mistakes) {
    items += html(piece(templates, "mistake"), grader::shortened(mistake.title, 240),
                  counted(mistake.entries.size(), "student"),
                  grader::percent(mistake.entries.size(), results.entries.size()),
                  labs_of(results, mistake.labs));
    items += excerpt(mistake);
    if (!mistake.why.empty()) items += html("<p><i>Why it matters:</i> {}.</p>\n", mistake.why);
    if (!mistake.next.empty())
      items +=
          html("<p><i>Advice from histolab:</i> {}</p>\n", grader::shortened(mistake.next, 400));
  }
  return items.empty() ? items : html(piece(templates, "mistakes"), items);
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

Html alike_section(const batch::ClassResults& results, const People& people,
                   const std::vector<SimilarPair>& pairs) {
  if (people.anonymous || pairs.empty()) return {};
  const auto first_known = std::ranges::find_if(
      pairs, [](const SimilarPair& pair) { return pair.alike->known.has_value(); });
  return html(piece(templates, "alike")) +
         pair_tables(results, people, "Students", {pairs.begin(), first_known}) +
         pair_tables(results, people, "Earlier classes and the course's own code",
                     {first_known, pairs.end()});
}

Html comparison(const batch::ClassResults& results, const People& people, const SimilarPair& pair,
                const std::pair<std::string, std::string>& texts) {
  const batch::Likeness& each = *pair.alike;
  const std::string first = people.persons[each.first].label;
  const std::string second =
      each.known ? batch::described(results.known[*each.known]) : people.persons[each.second].label;
  return html(piece(templates, "comparison"), first, second, results.labs[each.lab].name,
              batch::described(each.share, each.identical, each.renamed), pair.comparison,
              side_by_side_table(first, second, side_by_side(texts.first, texts.second)));
}

}  // namespace histolab::class_report
