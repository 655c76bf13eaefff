#include "grader/class_report/mistakes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/class_report/code_view.h"
#include "grader/class_report/testing/sample_class.h"

using namespace histolab;
using namespace histolab::class_report;
using kernels::Finding;
using kernels::FindingKind;

namespace {

const Mistake* named(const std::vector<Mistake>& mistakes, const std::string& title) {
  const auto found = std::find_if(mistakes.begin(), mistakes.end(),
                                  [&](const Mistake& each) { return each.title == title; });
  return found == mistakes.end() ? nullptr : &*found;
}

std::vector<Mistake> mistakes_of(const batch::ClassResults& results) {
  Mistakes mistakes{results};
  for (std::size_t i = 0; i < results.entries.size(); ++i) mistakes.add(i, results.entries[i]);
  return std::move(mistakes).sorted();
}

}  // namespace

TEST_CASE("each kind of mistake appears once, with its students, labs and an anonymous excerpt") {
  const std::vector<Mistake> mistakes = mistakes_of(testing::small_class());
  const Mistake* race = named(mistakes, "data race on histo: updated without an atomic operation");
  REQUIRE(race != nullptr);
  CHECK(race->entries == std::vector<std::size_t>{1});  // once, although in two labs
  CHECK(race->labs == std::vector<std::size_t>{0, 1});
  CHECK(race->why == "the order of threads changes from run to run, and with it the result");
  REQUIRE(race->excerpt.size() == 5);
  CHECK(race->excerpt[2].number == 7);
  CHECK(race->excerpt[2].code == "    histo[letter / 4] += 1;");  // without its comment
  CHECK(race->excerpt[2].marked);
  CHECK(named(mistakes, "does not compile: '...' was not declared in this scope") != nullptr);
  CHECK(named(mistakes, "refused: inline assembly is not for a kernel") != nullptr);
  const Mistake* slow = named(mistakes, "04-privatization, check failed: few global atomics");
  REQUIRE(slow != nullptr);
  CHECK(slow->next == "Count into the shared array, and add to histo only once per bin.");
  for (const Mistake& mistake : mistakes)
    for (const ExcerptLine& line : mistake.excerpt)
      CHECK(line.code.find("Jane") == std::string::npos);
}

TEST_CASE("a line of a megabyte is cut") {
  batch::ClassResults results = testing::small_class();
  grader::LabResult& result = results.entries[1].marks[0].result;
  result.submission->text += std::string(1 << 20, '&');
  result.findings[0].line = static_cast<int>(std::ranges::count(result.submission->text, '\n')) + 1;
  for (const Mistake& mistake : mistakes_of(results))
    for (const ExcerptLine& line : mistake.excerpt)
      CHECK(line.code.size() <= CodeView::most_columns);
}

TEST_CASE("a lab's subject, a failure of the machine and passed kernels are not mistakes") {
  batch::ClassResults results = testing::small_class();
  for (batch::Lab& lab : results.labs)
    lab.solution.findings =
        results.entries[1].marks[0].result.findings;  // its solution shows the race
  for (const Mistake& mistake : mistakes_of(results)) {
    CHECK(mistake.title.find("data race on histo") == std::string::npos);
    CHECK(mistake.title.find("cannot start the compiler") == std::string::npos);
    CHECK(std::find(mistake.entries.begin(), mistake.entries.end(), 0) == mistake.entries.end());
  }
}

TEST_CASE("a finding that only follows from divergent threads is not counted") {
  batch::ClassResults results = testing::small_class();
  results.entries.resize(2);
  results.entries.erase(results.entries.begin());
  grader::LabResult& result = results.entries[0].marks[0].result;
  results.entries[0].marks.resize(1);
  kernels::Finding barrier;
  barrier.kind = FindingKind::barrier_divergence;
  barrier.line = 4;
  // Journals of earlier versions say "ended".
  for (const char* word : {"exited", "ended"}) {
    barrier.message =
        std::string("thread 0 of block 0 waits at the barrier (line 4), but thread 1 of block 0 ") +
        "has already " + word;
    result.findings = {barrier};
    const std::vector<Mistake> mistakes = mistakes_of(results);
    REQUIRE(mistakes.size() == 1);
    CHECK(mistakes[0].title ==
          "barrier that not all threads reach: some threads return before the barrier");
  }
}
