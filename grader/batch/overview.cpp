#include "grader/batch/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "grader/batch/known_sources.h"
#include "grader/batch/rubric.h"
#include "grader/batch/scores.h"
#include "grader/batch/shared_answers.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t most_problems = 10;

// Adds the submissions that are like the course's code or like an earlier class.
Status tell_known(Journal& journal, Overview& overview) {
  Result<std::vector<KnownLikeness>> found = find_known(journal.database());
  if (!found) return found.error();
  std::ranges::stable_sort(*found, std::greater{}, [](const KnownLikeness& each) { return rank_of(each); });
  std::map<std::string, std::string> names;
  const Result<std::vector<Student>> students = journal.students();
  if (!students) return students.error();
  for (const Student& each : *students) names[each.key] = each.name.empty() ? each.key : each.name;
  for (const KnownLikeness& each : *found) {
    if (overview.known.size() == most_problems) {
      overview.known.push_back(fmt::format("and {} more", found->size() - most_problems));
      break;
    }
    overview.known.push_back(fmt::format("{}: {} and {}: {}", each.source.lab, names[each.student],
                                         described(each.source), described(each.share, each.identical, each.renamed)));
  }
  return Done{};
}

}  // namespace

std::string hours_and_minutes(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

bool Overview::all_passed() const {
  return std::all_of(labs.begin(), labs.end(), [&](const OfLab& lab) { return lab.passed == students; });
}

Result<Overview> overview_of(Journal& journal) {
  Overview overview;
  const Result<Meta> meta = journal.meta();
  if (!meta) return meta.error();
  const Result<Rubric> rubric = rubric_in(*meta);
  if (!rubric) return rubric.error();
  Result<Scores> scores = Scores::read(journal, *rubric);
  if (!scores) return scores.error();
  overview.without_times = scores->without_times, overview.unmatched = std::move(scores->unmatched);
  Status read = journal.database().each(
      "SELECT lab.name, lab.max_score, result.status, work.student, work.problem, result.dispute FROM lab JOIN work ON work.lab = lab.name LEFT JOIN result ON result.student = work.student AND"
      " result.lab = work.lab AND result.grading = work.grading ORDER BY lab.position",
      {}, [&](const Row& row) -> Status {
        if (overview.labs.empty() || overview.labs.back().name != row.text(0)) overview.labs.push_back({.name = row.text(0), .max_score = static_cast<int>(row.integer(1))});
        Overview::OfLab& lab = overview.labs.back();
        const std::string status = row.text(2);
        const Score* const score = scores->of(row.text(3), lab.name);
        if (score == nullptr) {
          ++(row.is_null(2) ? lab.outstanding : lab.review);
          const bool machine_failed = !row.is_null(2) && row.text(4).empty() && row.text(5).empty();
          overview.machine_failed += machine_failed ? 1 : 0;
          return Done{};
        }
        if (status == "not_attempted" && !score->by_hand) return ++lab.not_attempted, Done{};
        const bool passed = score->by_hand ? score->points >= lab.max_score : status == "passed";
        ++(passed ? lab.passed : lab.failed);
        lab.mean += score->points;
        return Done{};
      });
  if (!read) return read.error();
  for (Overview::OfLab& lab : overview.labs) {
    const std::size_t marks = lab.passed + lab.failed;
    lab.mean = marks == 0 ? 0 : lab.mean / static_cast<double>(marks);
    overview.review += lab.review, overview.outstanding += lab.outstanding;
  }
  const auto students = journal.database().number("SELECT count(*) FROM student");
  if (!students) return students.error();
  overview.students = static_cast<std::size_t>(*students);
  std::size_t more = 0;
  const auto tell = [&](const Row& row) -> Status {
    if (overview.problems.size() < most_problems) overview.problems.push_back(fmt::format("{}: {}", row.text(0), row.text(1)));
    else ++more;
    return Done{};
  };
  const std::string like_shared = fmt::format("LIKE '{}%'", shared_answers);
  read = journal.database().each(fmt::format("SELECT name, problem FROM student WHERE problem <> "
                                             "'' UNION SELECT name, work.problem FROM work"
                                             " JOIN student ON key = student WHERE work.problem <> "
                                             "'' AND work.problem NOT {} ORDER BY 1, 2",
                                             like_shared),
                                 {}, tell);
  if (!read) return read.error();
  std::string of_last;
  read = journal.database().each(fmt::format("SELECT lab.name, work.problem, student.name FROM lab "
                                             "JOIN work ON work.lab = lab.name JOIN student ON"
                                             " key = work.student WHERE work.problem {} ORDER BY "
                                             "lab.position, work.problem, student.name, key",
                                             like_shared),
                                 {}, [&](const Row& row) -> Status {
                                   const std::string group = row.text(0) + row.text(1);
                                   if (group == of_last)
                                     overview.sharing.back() += ", " + row.text(2);
                                   else
                                     overview.sharing.push_back(row.text(0) + ": " + row.text(2));
                                   return of_last = group, Done{};
                                 });
  if (!read) return read.error();
  if (Status compared = tell_known(journal, overview); !compared) return compared.error();
  if (more > 0) overview.problems.push_back(fmt::format("and {} more", more));
  return overview;
}

std::string to_text(const Overview& overview, const std::string& out) {
  std::size_t widest = 3;
  for (const Overview::OfLab& lab : overview.labs) widest = std::max(widest, std::min<std::size_t>(lab.name.size(), 30));
  std::string text = fmt::format("{:<{}}  passed  did not  nothing  review     mean\n", "lab", widest);
  for (const Overview::OfLab& lab : overview.labs)
    text += fmt::format("{:<{}}  {:>6}  {:>7}  {:>7}  {:>6}  {:>7}\n", grader::shortened(lab.name, 30), widest, lab.passed, lab.failed, lab.not_attempted, lab.review,
                        fmt::format("{:.1f}/{}", lab.mean, lab.max_score));
  text += fmt::format("{}, {}{}\n", grader::counted(overview.students, "student"), grader::counted(overview.labs.size(), "lab"),
                      overview.outstanding == 0 ? "" : fmt::format("; {} still to come", grader::counted(overview.outstanding, "result")));
  if (!overview.problems.empty()) {
    text += "\nwhat could not be read, or belongs to no lab\n";
    for (const std::string& each : overview.problems) text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.sharing.empty()) {
    text +=
        "\nquiz answers with the same name and seed, which count only after a person has looked\n";
    for (const std::string& each : overview.sharing)
      text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.known.empty()) {
    text += "\nsimilar to known code (costs no points; the report shows both side by side)\n";
    for (const std::string& each : overview.known) text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.unmatched.empty()) {
    text += "\nextensions and marks by hand that change nothing\n";
    for (const std::string& each : overview.unmatched) text += grader::paragraph(grader::harmless(each), 2);
  }
  if (overview.without_times > 0)
    text += "\n" + grader::paragraph(lateness_is_unknown(overview.without_times, overview.students), 0);
  if (overview.review > 0)
    text += "\n" + grader::paragraph(fmt::format("{} no mark yet, and a person has to look{}.", overview.review == 1 ? "1 result has" : fmt::format("{} results have", overview.review),
                                                      overview.machine_failed == 0 ? "" : fmt::format("; the machine failed at {} of them, and --resume tries those again", overview.machine_failed)),
                                          0);
  text += fmt::format("\nresults in {}\nnext: histolab report {} --html class.html\n      histolab export {} --format csv\n", out, out, out);
  return text;
}

std::string told(const Standing& now) {
  return fmt::format("{} of {}: {} passed, {} did not, {} to review{}", grader::grouped(now.done), grader::grouped(now.of), grader::grouped(now.passed), grader::grouped(now.failed),
                     grader::grouped(now.review), now.seconds_left < 0 || now.done == now.of ? "" : fmt::format("; about {} left", hours_and_minutes(now.seconds_left)));
}

}  // namespace histolab::batch
