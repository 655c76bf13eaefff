#include "grader/class_report/mistakes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/class_report/mistake_words.h"
#include "grader/class_report/testing/sample_class.h"

using namespace histolab;
using namespace histolab::class_report;
using kernels::Finding;
using kernels::FindingKind;

namespace {

const Mistake* named(const std::vector<Mistake>& mistakes, const std::string& title) {
  const auto found = std::find_if(mistakes.begin(), mistakes.end(), [&](const Mistake& each) { return each.title == title; });
  return found == mistakes.end() ? nullptr : &*found;
}

std::string called(FindingKind kind, kernels::Space space, const std::string& variable, const std::string& message) {
  Finding finding;
  finding.kind = kind, finding.space = space, finding.variable = variable, finding.message = message;
  CourseWords words;
  words.learn("data length histo");
  return mistake_of(finding, words);
}

}  // namespace

TEST_CASE("a mistake has its name from the field: what happened, on what, and how") {
  using enum FindingKind;
  const auto global = kernels::Space::global, shared = kernels::Space::shared, none = kernels::Space::none;
  CHECK(called(data_race, global, "histo", "threads 0 and 3 of block 0 both update histo[2] without an atomic operation; one update is lost") == "data race on histo: updated without an atomic operation");
  CHECK(called(data_race, shared, "janes_bins", "thread 0 of block 0 atomically updates janes_bins[3] (line 13) while thread 3 of block 0 writes it (line 6); nothing orders the two") ==
        "data race in shared memory: a plain write beside atomic updates");
  CHECK(called(data_race, shared, "p", "thread 9 of block 0 atomically updates p[0] (line 13) while thread 0 of block 0 reads it (line 18); nothing orders the two") == "data race in shared memory: read while other threads update it");
  CHECK(called(out_of_bounds, global, "data", "thread 0 of block 0 reads data[0], but data has no elements here. Check the index against the length before you use it") ==
        "access out of bounds on data: the index is not tested against the length");
  CHECK(called(out_of_bounds, global, "histo", "thread 2 of block 0 atomically updates histo[-43], but histo has 7 elements, 0 to 6. The index is below zero: check what it is computed from") ==
        "access out of bounds on histo: the index is below zero");
  CHECK(called(barrier_divergence, none, "", "thread 0 of block 0 waits at the barrier (line 12) but thread 1 of block 0 has already ended") == "barrier that not all threads reach: some threads return before it");
  CHECK(called(out_of_bounds, global, "janes", "thread 0 of block 0 reads janes[7], but janes has 7 elements") == "access out of bounds in global memory: the index is beyond the end");
  const auto local = kernels::Space::local;
  CHECK(called(out_of_bounds, local, "", "thread 3 of block 0 writes 4 bytes outside of its local variables, by an index that lies beyond a local array") == "access out of bounds in local memory: the index is beyond the end");
  CHECK(called(out_of_bounds, local, "", "thread 3 of block 0 reads a local variable of another thread through its address") == "access out of bounds in local memory: a local variable of another thread");
  CHECK(called(out_of_bounds, global, "malloc@4", "thread 3 of block 0 frees malloc@4, which was freed already (line 9)") == "access out of bounds in global memory: freed twice");
  CHECK(called(out_of_bounds, global, "malloc@4", "something that nobody has thought of") == "access out of bounds in global memory");
}

TEST_CASE("wrong counts are told apart by how they are wrong") {
  const auto of = [](std::vector<grader::Mismatch> mismatches) {
    grader::LabResult lab;
    lab.cases.resize(1);
    lab.cases[0].correct = mismatches.empty(), lab.cases[0].mismatches = std::move(mismatches);
    return wrong_counts(lab);
  };
  CHECK(of({}) == "");
  CHECK(of({{1, 0, 5, 0}, {1, 1, 9, 0}}) == "nothing is counted");
  CHECK(of({{1, 0, 5, 0}, {1, 1, 9, 8}}) == "some elements are not counted");
  CHECK(of({{1, 0, 5, 6}}) == "more is counted than there is");
  CHECK(of({{1, 0, 5, 4}, {1, 1, 9, 10}}) == "counted in the wrong bins");
  CHECK(of({{1, 0, 5, 4}, {1, 1, 9, 99}}) == "counts are wrong");
}

TEST_CASE("each kind of mistake is there once, with who made it, where, and an excerpt that says nothing of whose it is") {
  const std::vector<Mistake> mistakes = mistakes_of(testing::small_class());
  const Mistake* race = named(mistakes, "data race on histo: updated without an atomic operation");
  REQUIRE(race != nullptr);
  CHECK(race->entries == std::vector<std::size_t>{1});  // once, though in two labs
  CHECK(race->labs == std::vector<std::size_t>{0, 1});
  CHECK(race->why == "who comes first changes from run to run, and with it the result");
  REQUIRE(race->excerpt.size() == 5);
  CHECK(race->excerpt[2].number == 7);
  CHECK(race->excerpt[2].code == "    histo[letter / 4] += 1;");  // its comment is gone
  CHECK(race->excerpt[2].marked);
  CHECK(named(mistakes, "does not compile: '...' was not declared in this scope") != nullptr);
  CHECK(named(mistakes, "refused: inline assembly is not for a kernel") != nullptr);
  const Mistake* slow = named(mistakes, "04-privatization, not reached: few global atomics");
  REQUIRE(slow != nullptr);
  CHECK(slow->next == "Count into the shared array, and add to histo only once per bin.");
  for (const Mistake& mistake : mistakes)
    for (const ExcerptLine& line : mistake.excerpt) CHECK(line.code.find("Jane") == std::string::npos);
}

TEST_CASE("what a lab is about, what the machine did and what passed are no mistakes") {
  batch::ClassResults results = testing::small_class();
  for (batch::Lab& lab : results.labs) lab.solution.findings = results.entries[1].marks[0].result.findings;  // its solution shows the race
  for (const Mistake& mistake : mistakes_of(results)) {
    CHECK(mistake.title.find("data race on histo") == std::string::npos);
    CHECK(mistake.title.find("cannot start the compiler") == std::string::npos);
    CHECK(std::find(mistake.entries.begin(), mistake.entries.end(), 0) == mistake.entries.end());
  }
}

TEST_CASE("what follows from threads that went out of step is not counted beside it") {
  batch::ClassResults results = testing::small_class();
  results.entries.resize(2);
  results.entries.erase(results.entries.begin());
  grader::LabResult& result = results.entries[0].marks[0].result;
  results.entries[0].marks.resize(1);
  kernels::Finding barrier;
  barrier.kind = FindingKind::barrier_divergence, barrier.line = 4, barrier.message = "thread 0 of block 0 waits at the barrier (line 4) but thread 1 of block 0 has already ended";
  result.findings.push_back(barrier);
  const std::vector<Mistake> mistakes = mistakes_of(results);
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].title == "barrier that not all threads reach: some threads return before it");
}
