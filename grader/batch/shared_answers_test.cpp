#include "grader/batch/shared_answers.h"

#include <doctest/doctest.h>

#include "grader/batch/engine.h"
#include "grader/batch/gradings.h"
#include "grader/batch/overview.h"
#include "grader/batch/testing/sample_journal.h"
#include "grader/quiz/testing/sample_quiz.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::batch;
using namespace grader::testing;

namespace {

std::string sheet(const std::string& student, std::uint64_t seed,
                  const std::string& answers = R"("one-address": {"answer": "10 M"})") {
  return R"({"schema": "histolab/answers/1", "lab": "02-sample", "student": ")" + student +
         R"(", "seed": )" + std::to_string(seed) + R"(, "answers": {)" + answers + "}}";
}

struct Fixture {
  Fixture() {
    put_sample_lab(folder.path());
    put(folder.at("02-sample/lab.json"), sample_lab_json_with_quiz());
    put(folder.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
    quiz::testing::put_sample_measurements(folder.path());
    labs = {*grader::load_lab(folder.at("02-sample"))};
  }
  void hand_in(const std::string& name, const std::string& answers, const std::string& path = "") {
    HandIn& one = class_.emplace_back();
    one.student.key = one.student.name = name;
    Work& work = one.works["02-sample"];
    work.kernel = "// fake: right\nint " + name + ";\n";
    work.sheet = answers;
    work.sheet_path = path.empty() ? name + "/02-sample.quiz.json" : path;
  }
  std::string problem_of(const std::string& name) {
    for (const HandIn& each : class_)
      if (each.student.name == name) return each.works.at("02-sample").problem;
    FAIL("no such student");
    return {};
  }

  TemporaryFolder folder;
  std::vector<grader::LabSpec> labs;
  std::vector<HandIn> class_;
};

void mark_shared_answers(std::vector<HandIn>& class_, const std::vector<grader::LabSpec>& labs) {
  const SharedAnswers shared{batch::testing::these(class_), labs};
  for (HandIn& each : class_) shared.mark(each);
}

}  // namespace

TEST_CASE("two submissions with the same quiz are marked, without other students' names") {
  Fixture fixture;
  fixture.hand_in("ada", sheet("", 3));
  fixture.hand_in("bob", sheet("", 3, R"("one-address": {"answer": "20 M"})"));
  fixture.hand_in("cy", sheet("", 4));
  fixture.hand_in("dee", sheet("Dee", 3));
  mark_shared_answers(fixture.class_, fixture.labs);
  for (const char* name : {"ada", "bob"}) {
    CHECK(fixture.problem_of(name).starts_with(shared_answers));
    CHECK(fixture.problem_of(name).find("1 other student as well") != std::string::npos);
    for (const char* other : {"ada", "bob"})
      CHECK(fixture.problem_of(name).find(other) == std::string::npos);
  }
  for (const char* name : {"cy", "dee"}) CHECK(fixture.problem_of(name).empty());
}

TEST_CASE(
    "a group's single file, the practice quiz, unanswered quizzes and invalid files are not shared "
    "answers") {
  Fixture fixture;
  for (const char* name : {"ada", "bob"})
    fixture.hand_in(name, sheet("", 3), "submission_1/02-sample.quiz.json");
  for (const char* name : {"cy", "dee"}) fixture.hand_in(name, sheet("", 0));
  for (const char* name : {"eve", "fay"}) fixture.hand_in(name, sheet("", 5, ""));
  for (const char* name : {"guy", "hal"}) fixture.hand_in(name, "{}");
  mark_shared_answers(fixture.class_, fixture.labs);
  for (const HandIn& each : fixture.class_)
    CHECK_MESSAGE(each.works.at("02-sample").problem.empty(), each.student.name);
  // A quiz without points is not checked.
  put_sample_lab(fixture.folder.path());
  fixture.hand_in("ivy", sheet("", 3));
  mark_shared_answers(fixture.class_, {*grader::load_lab(fixture.folder.at("02-sample"))});
  CHECK(fixture.problem_of("ivy").empty());
  mark_shared_answers(fixture.class_, fixture.labs);
  CHECK(fixture.problem_of("ivy").find("2 other students") != std::string::npos);
}

TEST_CASE("shared answers need review; the kernel is graded, and the overview has the names") {
  Fixture fixture;
  fixture.hand_in("ada", sheet("", 3));
  fixture.hand_in("bob", sheet("", 3));
  fixture.hand_in("cy", sheet("", 4));
  mark_shared_answers(fixture.class_, fixture.labs);
  Result<Journal> journal = Journal::begin(fixture.folder.at("out"), false);
  REQUIRE(journal.ok());
  Meta meta;
  meta.version = HISTOLAB_VERSION, meta.seed = 1, meta.device_kind = "fake";
  REQUIRE(journal->set_meta(meta));
  const auto gradings = Gradings::make(fixture.labs, meta, "", {});
  REQUIRE(gradings.ok());
  const auto hashes = [&](const std::string& name, const Work& work) {
    return gradings->of(name, work);
  };
  Lab lab;
  lab.name = "02-sample", lab.max_score = 13;
  REQUIRE(journal->set_class({lab}, batch::testing::these(fixture.class_), hashes));
  FakeDevice device;
  Engine engine{
      .device = device, .labs = fixture.labs, .grading = {}, .measurements = fixture.folder.path()};
  engine.grading.jobs = 1;
  grader::SolutionStages stages{device, engine.grading};
  REQUIRE(grade_outstanding(*journal, engine, stages));
  CHECK(journal->outstanding()->empty());  // it needs review, not another run

  const auto result = [&](const std::string& name) {
    return **journal->finished(journal->works_of(name)->front());
  };
  for (const char* name : {"ada", "bob"}) {
    CHECK(result(name).status == "needs_review");
    CHECK(result(name).report.find("handed in by 1 other student") != std::string::npos);
    CHECK(result(name).report.find(std::string{name} == "ada" ? "bob" : "ada") ==
          std::string::npos);
  }
  CHECK(result("cy").status == "failed");  // at most one of four questions is right
  const grader::LabResult graded =
      *grade_work(engine, stages, "02-sample", fixture.class_[0].works.at("02-sample"));
  REQUIRE(graded.checks.size() == 4);
  CHECK(graded.checks[0].status == grader::CheckResult::Status::passed);
  CHECK(graded.checks[3].score == 0);
  CHECK(graded.score == 10);

  const auto overview = overview_of(*journal);
  REQUIRE(overview.ok());
  CHECK(overview->sharing == std::vector<std::string>{"02-sample: ada, bob"});
  CHECK(overview->problems.empty());
  CHECK(overview->machine_failed == 0);
  CHECK(overview->review == 2);
  CHECK(to_text(*overview, "out").find("02-sample: ada, bob") != std::string::npos);

  // The instructor removes the copy.
  fixture.class_[1].works.at("02-sample").sheet.reset();
  fixture.class_[0].works.at("02-sample").problem.clear(),
      fixture.class_[1].works.at("02-sample").problem.clear();
  mark_shared_answers(fixture.class_, fixture.labs);
  REQUIRE(journal->set_class({lab}, batch::testing::these(fixture.class_), hashes));
  CHECK(journal->outstanding()->size() == 2);
  REQUIRE(grade_outstanding(*journal, engine, stages));
  CHECK(result("ada").status == "failed");
  CHECK(overview_of(*journal)->sharing.empty());
}
