#include "grader/cluster/collector.h"

#include <doctest/doctest.h>

#include "grader/batch/engine.h"
#include "grader/batch/second_result.h"
#include "grader/batch/testing/sample_journal.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::cluster;
using batch::Outcome;

namespace {

// Ada and eve have the same source, bob has it with a comment, cy has another one, dee has none.
struct Fixture {
  Fixture() {
    batch::Meta meta;
    meta.version = HISTOLAB_VERSION, meta.engine = "slurm";
    journal = batch::testing::sample_journal(folder.at("out"), labs, meta,
                                             {{"ada", "int a;\n"},
                                              {"bob", "int a;  // mine\n"},
                                              {"cy", "int c;\n"},
                                              {"dee", ""},
                                              {"eve", "int a;\n"}});
    begin();
  }
  // Like a process that resumes the batch.
  void begin() {
    Result<std::vector<batch::Task>> outstanding = journal->outstanding();
    REQUIRE(outstanding);
    groups = batch::groups_of_equal(std::move(*outstanding));
    tally = std::make_unique<batch::Tally>(groups, nullptr);
    collector = std::make_unique<Collector>(*journal, labs, groups, *tally);
  }
  const batch::Task& first_of(const std::string& student) const {
    for (const auto& group : groups)
      for (const batch::Task& task : group)
        if (task.student == student) return group.front();
    FAIL("no such student");
    std::abort();
  }
  static std::string report(const std::string& kernel, grader::Verdict status, int score,
                            bool measured = false, double ms = 1) {
    grader::LabResult result;
    result.lab = "02-sample", result.title = "A sample", result.max_score = 10,
    result.status = status, result.score = score;
    result.submission = grader::Submission{"02-sample.cu", "", kernel};
    if (measured) {
      grader::TimedCaseResult& timed = result.timed.emplace_back();
      timed.id = "large", timed.dataset = "english", timed.length = 1, timed.grid = timed.block = 1,
      timed.device = "a GPU";
      timed.timing.emplace().median_ms = ms;
    }
    return batch::report_of(result, "emulator");
  }
  Part part(const std::string& student, grader::Verdict status, int score,
            const std::string& node = "node1", bool measured = false, double ms = 1) const {
    return part_of(first_of(student), status, score, node, measured, ms);
  }
  static Part part_of(const batch::Task& task, grader::Verdict status, int score,
                      const std::string& node, bool measured = false, double ms = 1) {
    Part made;
    made.node.name = node;
    made.found = {{task.grading,
                   {std::string{name(status)}, static_cast<double>(score),
                    report(task.kernel, status, score, measured, ms), 0.5, node}}};
    return made;
  }
  Outcome kept(const std::string& student) {
    const auto works = journal->works_of(student);
    const auto found = journal->finished(works->front());
    REQUIRE(found);
    return found->value_or(Outcome{});
  }

  grader::testing::TemporaryFolder folder;
  std::vector<grader::LabSpec> labs{grader::testing::sample_lab_in(folder.path())};
  std::optional<batch::Journal> journal;
  std::vector<std::vector<batch::Task>> groups;
  std::unique_ptr<batch::Tally> tally;
  std::unique_ptr<Collector> collector;
};
using grader::Verdict;

}  // namespace

TEST_CASE("submissions share a result only if their bytes are equal, whatever its status") {
  for (const Verdict verdict :
       {Verdict::passed, Verdict::failed, Verdict::compile_error, Verdict::timeout,
        Verdict::crashed, Verdict::refused, Verdict::infrastructure_error}) {
    CAPTURE(name(verdict));
    Fixture fixture;
    REQUIRE(fixture.collector->take(fixture.part("ada", verdict, 0)));
    CHECK(fixture.kept("ada").status == name(verdict));
    CHECK(fixture.kept("eve").report == fixture.kept("ada").report);
    CHECK(fixture.kept("bob").status.empty());
    REQUIRE(fixture.collector->take(fixture.part("bob", Verdict::passed, 10)));
    CHECK(fixture.kept("bob").status == "passed");
    CHECK(fixture.kept("ada").status == name(verdict));
  }
}

TEST_CASE("a result counts for each student with the same bytes") {
  Fixture fixture;
  REQUIRE(fixture.collector->take(fixture.part("ada", Verdict::passed, 10)));
  CHECK(fixture.kept("cy").status.empty());
  CHECK(fixture.tally->standing().done == 2);
  CHECK(*fixture.journal->node_of(fixture.journal->works_of("ada")->front()) == "node1");
}

TEST_CASE("the first of two equal results counts, and the second changes nothing") {
  Fixture fixture;
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::failed, 4)));
  const std::string before = fixture.kept("cy").report;
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::failed, 4, "node2")));
  CHECK(fixture.kept("cy").report == before);
  CHECK(fixture.tally->standing().done == 1);
  CHECK(fixture.collector->found_twice() == 1);
  CHECK(fixture.collector->disputed() == 0);
}

TEST_CASE("two results that disagree are left to a person, whatever follows") {
  Fixture fixture;
  REQUIRE(fixture.collector->take(fixture.part("ada", Verdict::failed, 4)));
  REQUIRE(fixture.collector->take(fixture.part("ada", Verdict::passed, 10, "node2")));
  REQUIRE(fixture.collector->take(fixture.part("ada", Verdict::passed, 10, "node3")));
  CHECK(fixture.collector->disputed() == 1);
  CHECK(*fixture.journal->is_disputed(fixture.first_of("ada")));
  fixture.begin();  // another process: the dispute stays
  CHECK(fixture.groups.size() == 3);
  REQUIRE(fixture.collector->take(
      fixture.part_of(fixture.journal->works_of("ada")->front(), Verdict::passed, 10, "node4")));
  for (const char* student : {"ada", "eve"}) {
    const Outcome kept = fixture.kept(student);
    CHECK(kept.status == "needs_review");
    CHECK(kept.score == 0);
    CHECK(
        kept.report.find(
            "two machines do not agree: node1 found failed with 4 points, node2 passed with 10") !=
        std::string::npos);
  }
}

TEST_CASE("a second result is compared after a restart, too") {
  Fixture fixture;
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::failed, 4)));
  const Part late = fixture.part("cy", Verdict::passed, 10, "node2");
  fixture.begin();
  REQUIRE(fixture.collector->take(late));
  CHECK(fixture.kept("cy").status == "needs_review");
}

TEST_CASE("measured times differ from run to run: points decide whether two agree") {
  Fixture fixture;
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::passed, 10, "node1", true, 1.00)));
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::passed, 10, "node2", true, 1.25)));
  CHECK(fixture.collector->disputed() == 0);
  CHECK(fixture.kept("cy").status == "passed");
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::failed, 7, "node3", true, 9)));
  CHECK(fixture.kept("cy").status == "needs_review");
  CHECK_FALSE(batch::agree(Fixture::report("k", Verdict::passed, 10),
                           Fixture::report("k", Verdict::passed, 10, true)));
  CHECK_FALSE(batch::agree("{", "}"));
}

TEST_CASE("a submission that is given up has no mark; a later result counts") {
  Fixture fixture;
  const batch::Task& cy = fixture.first_of("cy");
  REQUIRE(fixture.collector->give_up(
      {cy.grading}, 4, {.why = "node2: its memory ran out", .node = "node2", .reported = {}}));
  const Outcome lost = fixture.kept("cy");
  CHECK(lost.status == "infrastructure_error");
  CHECK(lost.report.find(
            "the cluster failed at it 4 times, the last time on node2: its memory ran out") !=
        std::string::npos);
  CHECK(lost.report.find("\"score\":null") != std::string::npos);
  CHECK(fixture.tally->standing().review == 1);
  CHECK(fixture.journal->outstanding()->size() == 5);
  REQUIRE(fixture.collector->take(fixture.part("cy", Verdict::passed, 10)));
  CHECK(fixture.kept("cy").status == "passed");
  REQUIRE(fixture.collector->give_up({cy.grading}, 4, {.why = "?", .node = "", .reported = {}}));
  CHECK(fixture.kept("cy").status == "passed");
}

TEST_CASE("a result of a submission that the class no longer has is ignored") {
  Fixture fixture;
  Part part = fixture.part("cy", Verdict::passed, 10);
  part.found.front().grading = "unknown";
  REQUIRE(fixture.collector->take(part));
  CHECK(fixture.tally->standing().done == 0);
}
