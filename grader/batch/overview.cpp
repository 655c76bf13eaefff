#include "grader/batch/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "grader/batch/known_sources.h"
#include "grader/batch/rubric.h"
#include "grader/batch/scores.h"
#include "grader/batch/shared_answers.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t most_problems = 10;

// Adds the submissions that are similar to the course's code or to an earlier class.
Status add_known(Journal& journal, Overview& overview) {
  std::vector<KnownLikeness> found = TRY(find_known(journal.database()));
  std::ranges::stable_sort(found, std::greater{},
                           [](const KnownLikeness& each) { return rank_of(each); });
  std::map<std::string, std::string> names;
  for (const Student& each : TRY(journal.students()))
    names[each.key] = each.name.empty() ? each.key : each.name;
  for (const KnownLikeness& each : found) {
    if (overview.known.size() == most_problems) {
      overview.known.push_back(fmt::format("and {} more", found.size() - most_problems));
      break;
    }
    overview.known.push_back(fmt::format("{}: {} and {}: {}", each.source.lab, names[each.student],
                                         described(each.source),
                                         described(each.share, each.identical, each.renamed)));
  }
  return Done{};
}

// Adds the problems of submissions, except for results with a mark by hand. Equal sentences for
// several labs are added once.
Status find_problems(Journal& journal, const Scores& scores, const std::string& like_shared,
                     Overview& overview) {
  // By the student's key: has a mark by hand, lacks a mark.
  std::map<std::string, std::pair<bool, bool>> marks;
  TRY(journal.database().each("SELECT student, lab FROM work", {}, [&](const Row& row) -> Status {
    const Score* const score = scores.of(row.text(0), row.text(1));
    auto& [by_hand, lacks] = marks[row.text(0)];
    by_hand |= score != nullptr && score->by_hand;
    lacks |= score == nullptr;
    return Done{};
  }));
  std::set<std::string> found;
  const auto take = [&](const Row& row) -> Status {
    const std::string name = row.text(0), problem = row.text(1), key = row.text(2),
                      lab = row.text(3);
    const Score* const score = lab.empty() ? nullptr : scores.of(key, lab);
    const auto& [by_hand, lacks] = marks[key];
    if (lab.empty() ? by_hand && !lacks : score != nullptr && score->by_hand) return Done{};
    if (problem == nothing_handed_in)
      overview.nothing.push_back(name);
    else
      found.insert(fmt::format("{}: {}", name, problem));
    return Done{};
  };
  TRY(journal.database().each(
      fmt::format("SELECT name, problem, key, '' FROM student WHERE problem <> '' UNION ALL SELECT "
                  "name, work.problem, key, work.lab FROM work"
                  " JOIN student ON key = student WHERE work.problem <> '' AND work.problem NOT {} "
                  "ORDER BY 1, 2, 3",
                  like_shared),
      {}, take));
  for (const std::string& each : found) {
    if (overview.problems.size() == most_problems) {
      overview.problems.push_back(fmt::format("and {} more", found.size() - most_problems));
      break;
    }
    overview.problems.push_back(each);
  }
  return Done{};
}

// The first names, and the number of further ones.
std::string shown_names(const std::vector<std::string>& names) {
  const std::span<const std::string> first{names.data(), std::min(names.size(), most_problems)};
  return fmt::format(
      "{}{}", fmt::join(first, ", "),
      first.size() == names.size() ? "" : fmt::format(" and {} more", names.size() - first.size()));
}

}  // namespace

std::string hours_and_minutes(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

bool Overview::all_passed() const {
  return std::all_of(labs.begin(), labs.end(),
                     [&](const OfLab& lab) { return lab.passed == students; });
}

Result<Overview> overview_of(Journal& journal) {
  Overview overview;
  const Meta meta = TRY(journal.meta());
  const Rubric rubric = TRY(rubric_in(meta));
  Scores scores = TRY(Scores::read(journal, rubric));
  overview.without_times = scores.without_times, overview.unmatched = std::move(scores.unmatched);
  TRY(journal.database().each(
      "SELECT lab.name, lab.max_score, result.status, work.student, work.problem, result.dispute "
      "FROM lab JOIN work ON work.lab = lab.name LEFT JOIN result ON result.student = work.student "
      "AND result.lab = work.lab AND result.grading = work.grading ORDER BY lab.position",
      {}, [&](const Row& row) -> Status {
        if (overview.labs.empty() || overview.labs.back().name != row.text(0))
          overview.labs.push_back(
              {.name = row.text(0), .max_score = static_cast<int>(row.integer(1))});
        Overview::OfLab& lab = overview.labs.back();
        const std::string status = row.text(2);
        const Score* const score = scores.of(row.text(3), lab.name);
        if (score == nullptr) {
          ++(row.is_null(2) ? lab.outstanding : lab.review);
          const bool machine_failed = !row.is_null(2) && row.text(4).empty() && row.text(5).empty();
          overview.machine_failed += machine_failed ? 1 : 0;
          return Done{};
        }
        if (status == "not_attempted" && !score->by_hand) {
          ++lab.not_attempted;
          return Done{};
        }
        const bool passed = score->by_hand ? score->points >= lab.max_score : status == "passed";
        ++(passed ? lab.passed : lab.failed);
        lab.mean += score->points;
        return Done{};
      }));
  for (Overview::OfLab& lab : overview.labs) {
    const std::size_t marks = lab.passed + lab.failed;
    lab.mean = marks == 0 ? 0 : lab.mean / static_cast<double>(marks);
    overview.review += lab.review, overview.outstanding += lab.outstanding;
  }
  const auto students = TRY(journal.database().number("SELECT count(*) FROM student"));
  overview.students = static_cast<std::size_t>(students);
  const std::string like_shared = fmt::format("LIKE '{}%'", shared_answers);
  TRY(find_problems(journal, scores, like_shared, overview));
  overview.remarks = grader::lines_of(meta.remarks);
  std::string of_last;
  TRY(journal.database().each(fmt::format("SELECT lab.name, work.problem, student.name FROM lab "
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
                                of_last = group;
                                return Done{};
                              }));
  TRY(add_known(journal, overview));
  return overview;
}

std::string to_text(const Overview& overview, const std::string& out) {
  std::size_t widest = 3;
  for (const Overview::OfLab& lab : overview.labs)
    widest = std::max(widest, std::min<std::size_t>(lab.name.size(), 30));
  std::string text =
      fmt::format("{:<{}}  passed   failed  nothing  review      mean\n", "lab", widest);
  for (const Overview::OfLab& lab : overview.labs)
    text +=
        fmt::format("{:<{}}  {:>6}  {:>7}  {:>7}  {:>6}  {:>8}\n", grader::shortened(lab.name, 30),
                    widest, lab.passed, lab.failed, lab.not_attempted, lab.review,
                    fmt::format("{}/{}", grader::plain(lab.mean), lab.max_score));
  text += fmt::format(
      "{}, {}{}\n", grader::counted(overview.students, "student"),
      grader::counted(overview.labs.size(), "lab"),
      overview.outstanding == 0
          ? ""
          : fmt::format("; {} still to come", grader::counted(overview.outstanding, "result")));
  if (!overview.problems.empty()) {
    text += "\nfiles that could not be read, or were not graded\n";
    for (const std::string& each : overview.problems)
      text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.nothing.empty())
    text += "\nhanded in nothing\n" +
            grader::paragraph(grader::harmless(shown_names(overview.nothing)), 2);
  if (!overview.remarks.empty()) {
    text += "\nleft out, or not in the roster\n";
    for (const std::string& each :
         std::span{overview.remarks}.first(std::min(overview.remarks.size(), most_problems)))
      text += grader::paragraph(grader::harmless(each), 2);
    if (overview.remarks.size() > most_problems)
      text += fmt::format("  and {} more\n", overview.remarks.size() - most_problems);
  }
  if (!overview.sharing.empty()) {
    text += "\nquiz answers with the same name and seed, which count only after a review\n";
    for (const std::string& each : overview.sharing)
      text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.known.empty()) {
    text += "\nsimilar to known code (costs no points; the report shows both side by side)\n";
    for (const std::string& each : overview.known)
      text += grader::paragraph(grader::harmless(each), 2);
  }
  if (!overview.unmatched.empty()) {
    text += "\nextensions and marks by hand that change nothing\n";
    for (const std::string& each : overview.unmatched)
      text += grader::paragraph(grader::harmless(each), 2);
  }
  if (overview.without_times > 0)
    text +=
        "\n" + grader::paragraph(lateness_is_unknown(overview.without_times, overview.students), 0);
  if (overview.review > 0) {
    std::string sentence = fmt::format(
        "{} no mark yet, and a person has to review{}.",
        overview.review == 1 ? "1 result has" : fmt::format("{} results have", overview.review),
        overview.review == 1 ? " it" : " them");
    if (overview.machine_failed > 0)
      sentence += fmt::format(" The machine failed at {} of them; --resume tries these again.",
                              overview.machine_failed);
    text += "\n" + grader::paragraph(sentence, 0);
  }
  text += fmt::format(
      "\nresults in {}\nnext: histolab report {} --html class.html\n      histolab export {} "
      "--format csv\n",
      out, out, out);
  return text;
}

std::string progress_text(const Standing& now) {
  return fmt::format("{} of {}: {} passed, {} failed, {} to review{}", grader::grouped(now.done),
                     grader::grouped(now.of), grader::grouped(now.passed),
                     grader::grouped(now.failed), grader::grouped(now.review),
                     now.seconds_left < 0 || now.done == now.of
                         ? ""
                         : fmt::format("; about {} left", hours_and_minutes(now.seconds_left)));
}

}  // namespace histolab::batch
