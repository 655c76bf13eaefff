#include "grader/batch/engine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "grader/batch/class_results.h"
#include "grader/batch/gradings.h"
#include "grader/batch/overview.h"
#include "grader/batch/replay.h"
#include "grader/batch/testing/sample_journal.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;
using batch::testing::read_class;
using grader::testing::FakeDevice;
using grader::testing::TemporaryFolder;

namespace {

// Fails `failures` times before it works.
class Shaky final : public FakeDevice {
 public:
  explicit Shaky(int failures) : failures_(failures) {}
  Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override {
    ++compiled;
    if (source.text.find("// shaky") != std::string::npos && failures_-- > 0)
      return Error{"no memory"};
    return FakeDevice::compile(source, signatures);
  }
  Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& kernel, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    if (kernel.budget != nullptr) kernel.budget->use(used, options.time_limit);
    return FakeDevice::launch(kernel, config, launches, options);
  }
  std::atomic<int> compiled = 0;
  std::chrono::milliseconds used{0};  // processor time of each launch

 private:
  std::atomic<int> failures_;
};

// A class with one lab, the sample, in a folder.
struct Fixture {
  explicit Fixture(int failures = 0) : device(failures) {}
  Engine engine(unsigned jobs = 1) {
    Engine made{.device = device, .labs = labs, .grading = {}, .measurements = {}};
    made.grading.jobs = jobs;
    made.patience = std::chrono::milliseconds{0};
    return made;
  }
  Meta meta() const {
    Meta made;
    made.version = HISTOLAB_VERSION, made.seed = 1, made.device_kind = "fake";
    return made;
  }
  Journal journal(const std::string& out, const batch::testing::SampleClass& class_,
                  bool resume = false) {
    return batch::testing::sample_journal(folder.at(out), labs, meta(), class_, resume);
  }
  std::map<std::string, Outcome> results(Journal& journal) {
    std::map<std::string, Outcome> found;
    REQUIRE(journal.database().each(
        "SELECT student, status, score, report, seconds FROM result", {},
        [&](const Row& row) -> Status {
          found[row.text(0)] = {row.text(1), row.real(2), row.text(3), row.real(4)};
          return histolab::Done{};
        }));
    return found;
  }
  void grade(Journal& journal, Engine made) {
    grader::SolutionStages stages{device, made.grading};
    const Status graded = grade_outstanding(journal, made, stages);
    REQUIRE_MESSAGE(graded.ok(), graded.error().message);
  }

  TemporaryFolder folder;
  Shaky device;
  std::vector<grader::LabSpec> labs{grader::testing::sample_lab_in(folder.path())};
};

// A comment selects what the fake device does. The kernels also differ in code: otherwise they
// would share their results.
const batch::testing::SampleClass class_of_five = {{"ada", "// fake: right\nint a;\n"},
                                                   {"bob", "// fake: lossy 3\nint b;\n"},
                                                   {"cy", "// fake: right\nint mine;\n"},
                                                   {"dee", ""},
                                                   {"eve", "// fake: compile 2\nint e;\n"}};

}  // namespace

TEST_CASE("results do not depend on the number of jobs, the order or an interruption") {
  Fixture fixture;
  Journal one = fixture.journal("one", class_of_five),
          two = fixture.journal("two", {class_of_five.rbegin(), class_of_five.rend()});
  fixture.grade(one, fixture.engine(1));
  Engine stopping = fixture.engine(4);
  int asked = 0;
  stopping.stopped = [&] { return ++asked > 3; };
  stopping.grading.jobs = 1;
  fixture.grade(two, stopping);
  CHECK(fixture.results(two).size() < 5);
  fixture.grade(two, fixture.engine(4));
  const auto first = fixture.results(one), second = fixture.results(two);
  REQUIRE(first.size() == 5);
  REQUIRE(second.size() == 5);
  for (const auto& [student, outcome] : first) {
    CAPTURE(student);
    CHECK(outcome.report == second.at(student).report);
    CHECK(outcome.status == second.at(student).status);
  }
  CHECK(first.at("ada").status == "passed");
  CHECK(first.at("bob").status == "failed");
  CHECK(first.at("dee").status == "not_attempted");
  CHECK(first.at("eve").status == "compile_error");
  const int before = fixture.device.compiled;
  fixture.grade(one, fixture.engine());  // nothing is outstanding
  CHECK(fixture.device.compiled == before);
}

TEST_CASE(
    "sources that differ only in comments are graded once, and each result has its own hash") {
  Fixture fixture;
  Journal journal = fixture.journal("out", {{"ada", "// fake: right\nint a;  // Ada's\n"},
                                            {"bob", "// fake: right\nint a;  // by Bob\n"},
                                            {"cy", "// fake: right\n int a;\n"}});
  fixture.grade(journal, fixture.engine(2));
  CHECK(fixture.device.compiled == 2);
  const auto results = fixture.results(journal);
  CHECK(results.at("ada").report != results.at("bob").report);
  CHECK(differences_of(results.at("ada").report, results.at("bob").report).size() == 1);
  CHECK(differences_of(std::string(100'000, '[') + std::string(100'000, ']'),
                       results.at("ada").report)
            .size() == 1);
  CHECK(differences_of(R"({"checks":[1]})", R"({"checks":[1,2]})") ==
        std::vector<std::string>{"/checks/-: nothing, now 2"});
  CHECK(differences_of(R"({"checks":[1,2]})", R"({"checks":[1]})") ==
        std::vector<std::string>{"/checks/1: 2, now nothing"});
  CHECK(((results.at("ada").seconds == 0) != (results.at("bob").seconds == 0)));
}

TEST_CASE("only a result that passed or failed is shared with other bytes") {
  const batch::testing::SampleClass class_ = {{"ada", "// fake: compile 2\nint a;  // Ada's\n"},
                                              {"bob", "// fake: compile 2\nint a;  // by Bob\n"},
                                              {"cy", "// fake: compile 2\nint a;  // by Bob\n"},
                                              {"dee", "// fake: right\nint d;  // Dee's\n"}};
  Fixture fixture;
  Journal journal = fixture.journal("out", class_);
  fixture.grade(journal, fixture.engine(2));
  CHECK(fixture.device.compiled == 3);  // Bob's and Cy's have the same bytes
  auto results = fixture.results(journal);
  REQUIRE(results.size() == 4);
  for (const char* student : {"ada", "bob", "cy"})
    CHECK(results.at(student).status == "compile_error");
  CHECK(results.at("dee").status == "passed");

  // A later run takes none of them for a new student.
  batch::testing::SampleClass more = class_;
  more.push_back({"eve", "// fake: compile 2\nint a;  // Eve's\n"});
  more.push_back({"flo", "// fake: right\nint d;  // Flo's\n"});
  { const Journal closed = std::move(journal); }
  Journal again = fixture.journal("out", more, true);
  const int before = fixture.device.compiled;
  fixture.grade(again, fixture.engine());
  CHECK(fixture.device.compiled == before + 1);
  results = fixture.results(again);
  CHECK(results.at("eve").status == "compile_error");
  CHECK(results.at("flo").status == "passed");
}

TEST_CASE("a damaged journal with wrong students or labs is an error") {
  for (const std::string change :
       {"UPDATE student SET key = '../../ada' WHERE key = 'ada'",
        "UPDATE work SET student = 'nobody' WHERE student = 'ada'",
        "UPDATE work SET lab = '99-none' WHERE student = 'ada'",
        "DELETE FROM work WHERE student = 'ada'",
        "UPDATE meta SET value = '99999999999999999999999' WHERE name = 'seed'",
        "UPDATE meta SET value = '1x' WHERE name = 'seed'"}) {
    CAPTURE(change);
    Fixture fixture;
    Journal journal =
        fixture.journal("out", {{"ada", "// fake: right\n"}, {"bob", "// fake: wrong\n"}});
    REQUIRE(read_class(fixture.folder.at("out")));
    REQUIRE(journal.database().run(change));
    const auto read = read_class(fixture.folder.at("out"));
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("damaged") != std::string::npos);
  }
}

TEST_CASE("while the OOM killer is active, a failure gives no mark, and a pass counts") {
  Fixture fixture;
  Journal journal = fixture.journal("out", class_of_five);
  Engine engine = fixture.engine();
  std::uint64_t ended = 0;
  engine.ended_for_memory = [&] { return ended++; };
  fixture.grade(journal, engine);
  const auto results = fixture.results(journal);
  CHECK(results.at("ada").status == "passed");
  for (const char* student : {"bob", "eve"}) {
    CHECK(results.at(student).status == "needs_review");
    CHECK(results.at(student).report.find("memory ran out meanwhile") != std::string::npos);
  }
  // Only during the first try: the second one decides.
  Journal again = fixture.journal("again", class_of_five);
  ended = 0;
  engine.ended_for_memory = [&, asked = 0]() mutable {
    return ++asked < 4 ? std::uint64_t{0} : std::uint64_t{1};
  };
  fixture.grade(again, engine);
  CHECK(fixture.results(again).at("bob").status == "failed");
  CHECK(fixture.results(again).at("eve").status == "compile_error");
}

TEST_CASE("a failure of the machine is retried, then needs review; it is never a zero") {
  {
    Fixture fixture{3};
    Journal journal = fixture.journal("out", {{"ada", "// fake: right\n// shaky\n"}});
    fixture.grade(journal, fixture.engine());
    CHECK(fixture.results(journal).at("ada").status == "passed");
  }
  Fixture fixture{5};
  Journal journal = fixture.journal(
      "out", {{"ada", "// fake: right\n// shaky\n"}, {"bob", "// fake: right\nint b;\n"}});
  fixture.grade(journal, fixture.engine());
  const auto results = fixture.results(journal);
  CHECK(results.at("ada").status == "needs_review");
  CHECK(results.at("ada").report.find("the machine failed 4 times: no memory") !=
        std::string::npos);
  CHECK(results.at("ada").report.find("\"score\":null") != std::string::npos);
  CHECK(results.at("bob").status == "passed");
  fixture.grade(journal, fixture.engine());  // --resume
  CHECK(fixture.results(journal).at("ada").status == "passed");
}

TEST_CASE("a verdict that another run may not repeat needs review") {
  for (const char* kernel : {"// fake: right\n", "// fake: out_of_bounds 2\n"})
    for (const auto& [used, limit, all, is_near] : {std::tuple{7, 10, 1000, false},
                                                    {8, 10, 1000, true},
                                                    {12, 10, 1000, true},
                                                    {7, 10, 8, true}}) {
      CAPTURE(used);
      Fixture fixture;
      fixture.labs.front().launch_limit = std::chrono::seconds{limit};
      fixture.labs.front().submission_limit = std::chrono::seconds{all};
      const Engine engine = fixture.engine();
      grader::SolutionStages stages{fixture.device, engine.grading};
      fixture.device.used = std::chrono::seconds{used};
      Work work;
      work.kernel = kernel;
      const Result<grader::LabResult> result =
          grade_work(engine, stages, fixture.labs.front().name, work, nullptr);
      REQUIRE(result);
      CHECK((result->status == grader::Verdict::needs_review) == is_near);
    }
}

TEST_CASE("a solution that does not pass stops everything") {
  Fixture fixture;
  const Engine engine = fixture.engine();
  grader::SolutionStages stages{fixture.device, engine.grading};
  CHECK(grade_solutions(engine, stages));
  grader::testing::put(fixture.folder.at("02-sample/solution.cu"), "// fake: lossy 3\n");
  const auto broken = grade_solutions(engine, stages);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("the solution of 02-sample does not pass here (failed: ") == 0);
}

TEST_CASE("a kernel longer than the rubric allows is refused") {
  Fixture fixture;
  fixture.labs.front().source_limit = 10;
  Journal journal = fixture.journal("out", {{"ada", "// fake: right\n"}});
  fixture.grade(journal, fixture.engine());
  CHECK(fixture.results(journal).at("ada").status == "refused");
}

TEST_CASE("a kernel that is too long shares no result with a short one") {
  for (const bool long_first : {false, true}) {
    CAPTURE(long_first);
    const std::string code = "// fake: right\nint a;", note = long_first ? "  // 1" : "  // 2";
    Fixture fixture;
    fixture.labs.front().source_limit = 60;
    Journal journal = fixture.journal("out", {{"ada", code + note + std::string(60, 'x') + "\n"},
                                              {"bob", code + note + std::string(70, 'x') + "\n"},
                                              {"cy", code + "\n"}});
    fixture.grade(journal, fixture.engine());
    const auto results = fixture.results(journal);
    CHECK(results.at("ada").status == "refused");
    CHECK(results.at("bob").status == "refused");
    CHECK(results.at("cy").status == "passed");
    CHECK(results.at("ada").report.find(" 88 bytes long") != std::string::npos);
    CHECK(results.at("bob").report.find(" 98 bytes long") != std::string::npos);
  }
}

TEST_CASE(
    "a class is read back from its journal, by entries, then labs, with outstanding results") {
  Fixture fixture;
  Journal journal = fixture.journal("out", class_of_five);
  REQUIRE(journal.set_solution("02-sample", "{}"));
  CHECK_FALSE(
      read_class(fixture.folder.at("out")));  // an invalid report is an error, not an empty one
  const Engine engine = fixture.engine();
  grader::SolutionStages stages{fixture.device, engine.grading};
  const auto solutions = grade_solutions(engine, stages);
  REQUIRE(solutions);
  REQUIRE(journal.set_solution("02-sample", report_of(solutions->front(), "fake")));
  const auto before = read_class(fixture.folder.at("out"));
  REQUIRE_MESSAGE(before.ok(), before.error().message);
  CHECK(before->outstanding == 5);
  CHECK(before->entries[0].marks[0].result.status == grader::Verdict::needs_review);
  CHECK(before->entries[0].marks[0].note.find("not graded yet") == 0);
  CHECK(before->entries[0].marks[0].outstanding);

  Meta late = fixture.meta();
  late.rubric =
      R"({"schema": "histolab/rubric/1", "late": {"deadline": "1970-01-01", "percent_a_day": 10}})";
  REQUIRE(journal.set_meta(late));
  REQUIRE(journal.database().run("UPDATE work SET at = 100 WHERE student = 'ada'"));
  CHECK_FALSE(read_class(fixture.folder.at("out")));  // changed in the file
  REQUIRE(journal.database().run("DELETE FROM meta WHERE name = 'checksum of works'"));
  fixture.grade(journal, fixture.engine(2));
  const auto after = read_class(fixture.folder.at("out"));
  REQUIRE_MESSAGE(after.ok(), after.error().message);
  CHECK(after->outstanding == 0);
  REQUIRE(after->entries.size() == 5);
  REQUIRE(after->labs.size() == 1);
  CHECK(after->labs[0].solution.status == grader::Verdict::passed);
  const Mark& ada = after->entries[0].marks.at(0);
  CHECK(ada.result.status == grader::Verdict::passed);
  CHECK(ada.result.submission->text == "// fake: right\nint a;\n");
  CHECK(ada.result.score == 10);
  CHECK(ada.score == 9);
  CHECK(ada.note == "2 min late: 10 % less, 9 instead of 10");
  CHECK(after->entries[1].marks.at(0).score == after->entries[1].marks.at(0).result.score);
  CHECK(after->entries[3].marks.at(0).result.status == grader::Verdict::not_attempted);
  const auto overview = overview_of(journal);
  REQUIRE(overview.ok());
  double points = 0;
  for (const Entry& entry : after->entries) points += entry.marks.at(0).score;
  const Overview::OfLab& of_lab = overview->labs.at(0);
  CHECK(of_lab.mean ==
        doctest::Approx(points / static_cast<double>(of_lab.passed + of_lab.failed)));

  std::size_t seen = 0;
  Result<ClassReader> reader = ClassReader::open(fixture.folder.at("out"));
  REQUIRE(reader);
  const auto flat = reader->each([&](std::size_t number, const Entry& entry) -> Status {
    CHECK(reader->results().entries.at(number).marks.empty());
    CHECK(reader->results().entries.at(number).student.key == entry.student.key);
    CHECK(entry.marks.at(0).result.lab == "02-sample");
    CHECK(number == seen++);
    return histolab::Done{};
  });
  CHECK(flat);
  CHECK(seen == 5);
  CHECK_FALSE(read_class(fixture.folder.at("nowhere")));
}

TEST_CASE("a replay gives the same report, to the byte, or says why it cannot be compared") {
  Fixture fixture;
  Journal journal = fixture.journal("out", class_of_five);
  fixture.grade(journal, fixture.engine());
  const Engine engine = fixture.engine();
  grader::SolutionStages stages{fixture.device, engine.grading};
  auto gradings = Gradings::make(fixture.labs, fixture.meta(), "", {});
  const Task bob = works_of_student(journal, "bob")->front();
  const auto same = replay(journal, engine, stages, *gradings, fixture.meta(), bob);
  REQUIRE_MESSAGE(same.ok(), same.error().message);
  CHECK(same->same);
  CHECK(to_text(*same).find("02-sample: the same, to the byte: failed") == 0);

  REQUIRE(
      journal.database().run("UPDATE result SET report = replace(report, '\"failed\"', "
                             "'\"passed\"') WHERE student = 'bob'"));
  const auto forged = replay(journal, engine, stages, *gradings, fixture.meta(), bob);
  REQUIRE(forged);
  CHECK_FALSE(forged->same);
  CHECK(to_text(*forged).find("NOT the same") != std::string::npos);
  CHECK(to_text(*forged).find("/status: \"passed\", now \"failed\"") != std::string::npos);

  Meta older = fixture.meta();
  older.version = "0.0.1";
  const auto other_version = replay(journal, engine, stages, *gradings, older, bob);
  REQUIRE_FALSE(other_version);
  CHECK(other_version.error().message.find("it was graded by histolab 0.0.1") == 0);
  Meta older_data = fixture.meta();
  older_data.data_version = 1;
  const auto other_data = replay(journal, engine, stages, *gradings, older_data, bob);
  REQUIRE_FALSE(other_data);
  CHECK(other_data.error().message.starts_with(
      "its data came from version 1 of the generators, and this histolab has version 2"));
  grader::testing::put(fixture.folder.at("02-sample/solution.cu"), "// fake: right\n// another\n");
  gradings = Gradings::make(fixture.labs, fixture.meta(), "", {});
  CHECK_FALSE(replay(journal, engine, stages, *gradings, fixture.meta(), bob));
  CHECK_FALSE(works_of_student(journal, "nobody"));
}
