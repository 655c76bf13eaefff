#include "grader/class_report/overview.h"

#include <doctest/doctest.h>

#include "grader/class_report/figures.h"
#include "grader/class_report/review.h"
#include "grader/class_report/testing/sample_class.h"

using namespace histolab;
using namespace histolab::class_report;

namespace {

Overview overview_of(const batch::ClassResults& results) {
  Overview all{results};
  for (const batch::Entry& entry : results.entries) all.add(results, entry);
  all.sort();
  return all;
}

}  // namespace

TEST_CASE("the overview counts verdicts, and leaves out results without a mark") {
  const batch::ClassResults results = testing::small_class();
  const Overview all = overview_of(results);
  CHECK(all.labs[0].verdicts[index_of(grader::Verdict::passed)] == 3);
  CHECK(all.labs[0].verdicts[index_of(grader::Verdict::crashed)] == 1);
  CHECK(all.labs[1].verdicts[index_of(grader::Verdict::infrastructure_error)] == 1);
  CHECK(all.labs[1].scores.size() == 6);  // of eight, one submitted nothing and one has no mark
  CHECK(all.all_passed == 1);
  CHECK(all.nothing_handed_in == 1);
  CHECK(all.without_a_mark == 1);
  CHECK(all.totals.size() == 7);
  CHECK(all.totals.back() == 30);
  CHECK(all.labs[1].checks[2].title == "few global atomics");
  CHECK(all.labs[1].checks[2].failed == 1);
  CHECK(all.labs[1].checks[2].judged == 3);
}

TEST_CASE("times are multiples of the solution's") {
  const batch::ClassResults results = testing::small_class();
  const Overview all = overview_of(results);
  CHECK(all.labs[0].times.empty());
  REQUIRE(all.labs[1].times.size() == 3);
  CHECK(all.labs[1].times.front() == 1);
  CHECK(all.labs[1].times.back() == doctest::Approx(12.3 / 0.281));
}

TEST_CASE("medians and spreads") {
  CHECK(median({}) == 0);
  CHECK(median({1, 2, 9}) == 2);
  CHECK(median({1, 2, 3, 9}) == 2.5);
  CHECK(spread({0, 0.5, 9.9, 10}, 10) ==
        std::array<std::size_t, 11>{2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1});
  CHECK(spread({0}, 0)[0] == 1);  // a lab without points
}

TEST_CASE("the review starts with results without a mark") {
  const std::vector<ReviewItem> review = review_of(testing::small_class());
  REQUIRE(review.size() == 4);
  CHECK(review[0].concern == Concern::no_mark);
  CHECK(review[0].entry == 5);
  CHECK(review[0].reason == "the machine failed 3 times: cannot start the compiler: no memory");
  CHECK(review[1].concern == Concern::unreadable);
  CHECK(review[2].concern == Concern::refused);
  CHECK(review[3].concern == Concern::crashed);
}

TEST_CASE(
    "labs with the same reason are one item, and a missing submission is not an unreadable one") {
  batch::ClassResults results;
  results.labs.resize(2);
  results.entries.resize(2);
  for (batch::Entry& entry : results.entries) entry.marks.resize(2);
  for (batch::Mark& mark : results.entries[0].marks)
    mark.result.status = grader::Verdict::needs_review, mark.note = "a.cu was not graded";
  results.entries[0].problem = "a.cu was not graded";
  for (batch::Mark& mark : results.entries[1].marks)
    mark.result.status = grader::Verdict::not_attempted;
  results.entries[1].problem = batch::nothing_handed_in;
  const std::vector<ReviewItem> review = review_of(results);
  REQUIRE(review.size() == 2);
  CHECK(review[0].concern == Concern::no_mark);
  CHECK(review[0].labs == std::vector<std::size_t>{0, 1});
  CHECK(review[1].concern == Concern::nothing);
}

TEST_CASE("an anonymous class is ordered by its marks, not by its keys") {
  batch::ClassResults results = testing::small_class();
  const People people = people_of(results, true);
  CHECK(people.persons[people.order[0]].label == "Student 1");
  for (std::size_t i = 1; i < people.order.size(); ++i)
    CHECK(people.persons[people.order[i - 1]].score >= people.persons[people.order[i]].score);
}

TEST_CASE("students of one name are distinguished by their keys") {
  const batch::ClassResults results = testing::small_class();
  const People people = people_of(results, false);
  CHECK(people.persons[6].label == "Gray, Gus (gray-1)");
  CHECK(people.persons[7].label == "Gray, Gus (gray-2)");
  CHECK(people.persons[0].label == "Adams, Ann");
}

TEST_CASE("figures are those of the largest case that the kernel and the solution completed") {
  const batch::ClassResults results = testing::small_class();
  const auto figures = figures_of(results.entries[6].marks[1].result, results.labs[1].solution);
  REQUIRE(figures.has_value());
  CHECK(figures->case_id == "english-256");
  CHECK(figures->own[1] == 80133);
  CHECK(figures->solution[1] == 2737);
  CHECK(is_worse(figure_columns[1], figures->own[1], figures->solution[1]));
  CHECK_FALSE(is_worse(figure_columns[0], 1, 1));
  CHECK(is_worse(figure_columns[5], 8, 28));  // few threads of a warp participate
  CHECK_FALSE(figures_of(results.entries[4].marks[0].result, results.labs[0].solution)
                  .has_value());  // submitted nothing
}
