#include "grader/batch/merge.h"

#include <doctest/doctest.h>

#include "grader/batch/engine.h"
#include "grader/batch/testing/sample_journal.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;

namespace {

struct Fixture {
  Meta meta() const {
    Meta made;
    made.version = HISTOLAB_VERSION;
    made.seed = 1;
    made.device_kind = "fake";
    made.compiler = "g++ 12.2.0";
    return made;
  }
  Journal journal(const std::string& out, const Meta& of) {
    return batch::testing::sample_journal(folder.at(out), labs, of, students);
  }
  Journal journal(const std::string& out) { return journal(out, meta()); }
  // Grades a shard into the folder `out`.
  void grade(const std::string& out, const Shard& shard) {
    Journal made = journal(out);
    grade(made, shard);
  }
  void grade(Journal& made, const Shard& shard = {}) {
    Engine engine{
        .device = device, .labs = labs, .grading = {}, .measurements = {}, .shard = shard};
    engine.patience = std::chrono::milliseconds{0};
    grader::SolutionStages stages{device, {}};
    const Status graded = grade_outstanding(made, engine, stages);
    REQUIRE_MESSAGE(graded.ok(), graded.error().message);
  }
  // Changes the rows of a shard after it was graded, and makes their checksums match.
  void forge(const std::string& out, const std::string& change) {
    Result<Journal> made = Journal::begin(folder.at(out), true);
    REQUIRE(made);
    REQUIRE(made->database().run(change));
    REQUIRE(made->database().run(
        "UPDATE result SET checksum = checksum_of(student, lab, grading, kernel, status, score, "
        "report, seconds, sharing, node, dispute)"));
  }
  Merged merge(Journal& into, const std::string& from) {
    const Result<Merged> merged = merge_from(into, folder.at(from), labs);
    REQUIRE_MESSAGE(merged.ok(), merged.error().message);
    return *merged;
  }
  std::string refusal(Journal& into, const std::string& from) {
    const Result<Merged> merged = merge_from(into, folder.at(from), labs);
    REQUIRE_FALSE(merged);
    return merged.error().message;
  }
  static std::string rows(Journal& journal) {
    std::string text;
    REQUIRE(journal.database().each(
        "SELECT student, lab, grading, kernel, status, score, report, sharing, node, dispute FROM "
        "result ORDER BY student",
        {}, [&](const Row& row) -> Status {
          for (int i = 0; i < 10; ++i) text += row.text(i) + "|";
          text += "\n";
          return histolab::Done{};
        }));
    return text;
  }

  batch::testing::SampleClass students = {
      {"ada", "// fake: right\nint a;\n"},     {"bob", "// fake: lossy 3\nint b;\n"},
      {"cy", "// fake: right\nint mine;\n"},   {"dee", ""},
      {"eve", "// fake: compile 2\nint e;\n"}, {"flo", "// fake: right\nint a; // a\n"}};
  grader::testing::TemporaryFolder folder;
  grader::testing::FakeDevice device;
  std::vector<grader::LabSpec> labs{grader::testing::sample_lab_in(folder.path())};
};

}  // namespace

TEST_CASE("merged shards equal the whole batch, in any order") {
  for (const bool reversed : {false, true}) {
    Fixture fixture;
    Journal whole = fixture.journal("whole");
    fixture.grade(whole);
    for (std::size_t i = 1; i <= 3; ++i) fixture.grade("shard" + std::to_string(i), {i, 3});
    Journal merged = fixture.journal("merged");
    std::size_t taken = 0;
    for (std::size_t i = 1; i <= 3; ++i)
      taken += fixture.merge(merged, "shard" + std::to_string(reversed ? 4 - i : i)).taken;
    CHECK(taken == 6);
    CHECK(merged.outstanding()->empty());
    CHECK(Fixture::rows(merged) == Fixture::rows(whole));
    const Merged again = fixture.merge(merged, "shard2");
    CHECK(again.taken == 0);
    CHECK(again.known > 0);
    CHECK(Fixture::rows(merged) == Fixture::rows(whole));
  }
}

TEST_CASE("a missing or unfinished shard: the rest is graded") {
  Fixture fixture;
  Journal whole = fixture.journal("whole");
  fixture.grade(whole);
  fixture.grade("shard1", {1, 3});
  static_cast<void>(fixture.journal("shard2"));  // stopped before its first result
  Journal merged = fixture.journal("merged");
  CHECK(fixture.merge(merged, "shard1").taken == 3);  // ada, flo and eve
  CHECK(to_text(fixture.merge(merged, "shard2")) == "0 results");
  CHECK(merged.outstanding()->size() == 3);
  fixture.grade(merged);
  CHECK(Fixture::rows(merged) == Fixture::rows(whole));
}

TEST_CASE("another machine is refused, with what differs") {
  Fixture fixture;
  Journal merged = fixture.journal("merged");
  const auto with = [&](const std::string& out, auto change) {
    Meta meta = fixture.meta();
    change(meta);
    static_cast<void>(fixture.journal(out, meta));
    return fixture.refusal(merged, out);
  };
  const std::string seed = with("a", [](Meta& meta) { meta.seed = 77; });
  CHECK(seed.find("another --seed") != std::string::npos);
  CHECK(seed.find("77") == std::string::npos);
  CHECK(with("b", [](Meta& meta) {
          meta.version = "0.0.1";
        }).find("version of histolab is 0.0.1") != std::string::npos);
  CHECK(with("c", [](Meta& meta) {
          meta.compiler = "g++ 14.2.0";
        }).find("compiler is g++ 14.2.0, but here it is g++ 12.2.0") != std::string::npos);
  CHECK(with("d", [](Meta& meta) { meta.compiler = ""; }).find("compiler is unknown") !=
        std::string::npos);
  CHECK(with("e", [](Meta& meta) { meta.sandbox = "reduced"; }).find("sandbox is reduced") !=
        std::string::npos);
  CHECK(with("f", [](Meta& meta) { meta.gpu_name = "another"; }).find("GPU is another") !=
        std::string::npos);
  CHECK(fixture.refusal(merged, "nowhere").find("no journal") != std::string::npos);
  Journal other = fixture.journal("g");
  REQUIRE(merged.set_solution("02-sample", "{\"lab\": 1}"));
  REQUIRE(other.set_solution("02-sample", "{\"lab\": 2}"));
  CHECK(fixture.refusal(merged, "g").find("solution of 02-sample has another report") !=
        std::string::npos);
}

TEST_CASE("rows that no grading produced do not count") {
  struct Case {
    const char* change;
    std::size_t Merged::*counted;
    std::size_t rows;
  };
  for (const Case& each :
       {Case{"UPDATE result SET grading = 'x' || grading", &Merged::foreign, 6},
        {"UPDATE result SET student = 'mallory' WHERE student = 'bob'", &Merged::foreign, 1},
        {"UPDATE result SET lab = '01-race' WHERE student = 'bob'", &Merged::foreign, 1},
        {"UPDATE result SET score = 10 WHERE student = 'bob'", &Merged::damaged, 1},
        {"UPDATE result SET score = 1000 WHERE student = 'ada'", &Merged::damaged, 1},
        {"UPDATE result SET status = 'passed' WHERE student = 'bob'", &Merged::damaged, 1},
        {"UPDATE result SET report = '{}' WHERE student = 'bob'", &Merged::damaged, 1},
        {"UPDATE result SET report = 'x'", &Merged::damaged, 6},
        // Another student's report.
        {"UPDATE result SET (status, score, report) = (SELECT status, score, report FROM result "
         "WHERE student = 'ada') WHERE student = 'bob'",
         &Merged::damaged, 1}}) {
    CAPTURE(each.change);
    Fixture fixture;
    fixture.grade("shard", {});
    fixture.forge("shard", each.change);
    Journal merged = fixture.journal("merged");
    const Merged found = fixture.merge(merged, "shard");
    CHECK(found.*each.counted == each.rows);
    CHECK(found.taken == 6 - each.rows);
    CHECK(merged.outstanding()->size() == each.rows);
  }
}

TEST_CASE("a row that changed on the disk does not count") {
  Fixture fixture;
  fixture.grade("shard", {});
  {
    Result<Database> database =
        Database::open(journal_path(fixture.folder.at("shard")), Database::Mode::create);
    REQUIRE(database);
    REQUIRE(database->run("UPDATE result SET seconds = 99 WHERE student = 'ada'"));
  }
  Journal merged = fixture.journal("merged");
  CHECK(to_text(fixture.merge(merged, "shard")) == "5 results; 1 damaged");
}

TEST_CASE("results without a mark are left out, and graded again") {
  Fixture fixture;
  fixture.students = {{"ada", "// fake: right\n"}, {"gus", "// fake: machine\nint g;\n"}};
  fixture.grade("shard", {});
  Journal merged = fixture.journal("merged");
  CHECK(to_text(fixture.merge(merged, "shard")) == "1 result; 1 without a mark, graded again here");
  CHECK(merged.outstanding()->size() == 1);
}

TEST_CASE("results that disagree are left to a person") {
  Fixture fixture;
  for (const char* out : {"one", "two", "three"}) fixture.grade(out, {});
  fixture.forge("two",
                "UPDATE result SET report = replace(report, 'A sample', 'B sample') WHERE student "
                "= 'eve'");
  Journal merged = fixture.journal("merged");
  CHECK(fixture.merge(merged, "one").taken == 6);
  const Merged second = fixture.merge(merged, "two");
  CHECK(second.known == 5);
  CHECK(second.disputed == 1);
  const auto eve = merged.works_of("eve");
  REQUIRE(eve);
  const std::optional<Outcome> kept = *merged.finished(eve->front());
  REQUIRE(kept);
  CHECK(kept->status == "needs_review");
  CHECK(kept->report.find("two machines do not agree: this journal found") != std::string::npos);
  CHECK(fixture.merge(merged, "three").disputed == 0);  // the dispute stays
  CHECK(*merged.is_disputed(eve->front()));
  // A merge takes over the dispute of another journal, once.
  Journal next = fixture.journal("next");
  CHECK(fixture.merge(next, "one").taken == 6);
  CHECK(fixture.merge(next, "merged").taken == 1);
  CHECK(*next.is_disputed(next.works_of("eve")->front()));
  CHECK(fixture.merge(next, "merged").known == 6);
}
