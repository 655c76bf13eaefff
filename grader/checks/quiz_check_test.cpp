#include "grader/checks/quiz_check.h"

#include <doctest/doctest.h>

#include "grader/course/check_course.h"
#include "grader/feedback/text.h"
#include "grader/pipeline/pipeline.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/testing/sample_quiz.h"
#include "grader/report/report_json.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

LabSpec lab_with_quiz() {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  put(labs.at("02-sample/lab.json"), sample_lab_json_with_quiz());
  Result<LabSpec> lab = load_lab(labs.at("02-sample"));
  REQUIRE_MESSAGE(lab.ok(), (lab ? "" : lab.error().message));
  return *lab;
}

// Returns an outcome for four questions: so many right, so many wrong, the rest not answered.
quiz::Outcome answered(std::size_t right, std::size_t wrong = 0) {
  quiz::Outcome outcome = *quiz::solved(quiz::testing::sample_quiz());
  for (std::size_t i = right; i < 4; ++i)
    outcome.questions[i].standing =
        i < right + wrong ? quiz::Standing::wrong : quiz::Standing::unanswered;
  return outcome;
}

LabResult graded(const std::string& kernel, std::optional<quiz::Outcome> outcome,
                 GradeOptions options = {}) {
  FakeDevice device;
  const LabSpec lab = lab_with_quiz();
  GradeJob job{&lab, std::nullopt, std::move(outcome)};
  if (!kernel.empty()) job.submission = Submission{"work/02-sample.cu", kernel, "-"};
  return grade_labs(device, {job}, options).front();
}

}  // namespace

TEST_CASE("quiz points follow the number of right answers, rounded down") {
  for (const auto& [right, points] : {std::pair{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 3}}) {
    const LabResult lab = graded("// fake: right\n", answered(static_cast<std::size_t>(right), 1));
    CHECK(lab.checks.back().score == points);
    CHECK(lab.score == 10 + points);
    CHECK(lab.max_score == 13);
    CHECK(lab.status == (right == 4 ? Verdict::passed : Verdict::failed));
  }
  const CheckResult partly = graded("// fake: right\n", answered(2, 1)).checks.back();
  CHECK(partly.status == CheckResult::Status::failed);
  CHECK(partly.seen.sentence() == "2 of 4 are right; wrong: which-call; unanswered: which-kernel");
  CHECK(partly.hint == "The lesson has it.");
  CHECK(graded("// fake: right\n", answered(0)).checks.back().status ==
        CheckResult::Status::not_run);
  CHECK(graded("// fake: right\n", std::nullopt).checks.back().status ==
        CheckResult::Status::not_run);
}

TEST_CASE("a kernel that fails, does not compile or is missing costs no quiz points") {
  CHECK(graded("// fake: nothing\n", answered(4)).score == 3);
  const LabResult broken = graded("// fake: compile 2\n", answered(4));
  CHECK(broken.status == Verdict::compile_error);
  CHECK(broken.score == 3);
  CHECK(broken.checks.back().status == CheckResult::Status::passed);
  CHECK(graded("// fake: refused\n", answered(2)).score == 1);
  CHECK(graded("// fake: right export coarsening_factor 1000\n", answered(4)).score == 3);
  const LabResult absent = graded("", answered(4));
  CHECK(absent.status == Verdict::not_attempted);
  CHECK(absent.score == 3);
  CHECK(graded("// fake: machine\n", answered(4)).status == Verdict::infrastructure_error);
}

TEST_CASE("the quick cases include the quiz") {
  GradeOptions quick;
  quick.quick = true;
  const LabResult lab = graded("// fake: right\n", answered(4), quick);
  CHECK(lab.score == 13);
  CHECK(lab.max_score == 13);
}

TEST_CASE("the report shows the state of each question but not the right answers") {
  Report report;
  report.labs = {graded("// fake: right\n", answered(3, 1))};
  const std::string json = to_json(report);
  CHECK(json.find("\"status\": \"wrong\"") != std::string::npos);
  CHECK(json.find("\"right\": 3") != std::string::npos);
  const std::string text = to_text(report, {});
  CHECK(text.find("02-sample: 3 of 4 are right; wrong: which-kernel") != std::string::npos);
  CHECK(text.find("next: histolab quiz 02-sample") != std::string::npos);
}

TEST_CASE("a kernel that cannot be judged is reported before wrong answers") {
  FakeDevice device;
  const LabSpec lab = lab_with_quiz();
  const LabResult result =
      grade_labs(device,
                 {{&lab, Submission{"x.cu", "// fake: compile 2\n  }\n", "-"}, answered(1, 1)}}, {})
          .front();
  REQUIRE(first_failing(result) != nullptr);
  CHECK_FALSE(first_failing(result)->of_quiz);
  CHECK(first_failing(result)->seen.sentence() == "the kernel does not compile");
}

TEST_CASE("without a quiz check the report shows the answers, and they earn nothing") {
  FakeDevice device;
  const LabSpec lab = sample_lab();
  const LabResult result =
      grade_labs(device, {{&lab, Submission{"x.cu", "// fake: right\n", "-"}, answered(2)}}, {})
          .front();
  CHECK(result.quiz.has_value());
  CHECK(result.score == 10);
  CHECK(result.max_score == 10);
}

TEST_CASE("lab.json: the quiz check takes no cases, and there is at most one") {
  const auto problem = [](const std::string& from, const std::string& to) {
    const TemporaryFolder labs;
    put_sample_lab(labs.path());
    put(labs.at("02-sample/lab.json"), replaced(sample_lab_json_with_quiz(), from, to));
    const Result<LabSpec> lab = load_lab(labs.at("02-sample"));
    return lab ? "" : lab.error().message;
  };
  CHECK(problem("\"kind\": \"quiz\"", "\"kind\": \"quiz\", \"cases\": [\"empty\"]")
            .find("/checks/3/cases: is not a key of this object") != std::string::npos);
  CHECK(problem("{\"id\": \"coalesced\"",
                "{\"id\": \"more\", \"kind\": \"quiz\", \"points\": 1}, {\"id\": \"coalesced\"")
            .find("/checks/4/kind: a lab can have only one quiz check") != std::string::npos);
}

TEST_CASE("check course: a valid quiz passes, a wrong key or a missing file does not") {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  put(labs.at("02-sample/lab.json"), sample_lab_json_with_quiz());
  put(labs.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
  quiz::testing::put_sample_measurements(labs.path());
  FakeDevice device;
  const auto checked = [&] {
    const std::vector<LabSpec> all = {*load_lab(labs.at("02-sample"))};
    const auto course = check_course(device, all, {}, {all, labs.path(), ""});
    REQUIRE(course.ok());
    return course->front();
  };
  const CourseLab holds = checked();
  CHECK_MESSAGE(holds.problems.empty(),
                (holds.problems.empty() ? "" : holds.problems.front().message));
  CHECK(holds.solution_score == 13);
  CHECK(holds.questions == 4);

  put(labs.at("02-sample/quiz.json"),
      replaced(quiz::testing::sample_quiz_json(), "0.01 G/s", "0.02 G/s"));
  const CourseLab wrong_key = checked();
  REQUIRE_FALSE(wrong_key.problems.empty());
  CHECK(wrong_key.problems.front().message.find("/questions/0/example") != std::string::npos);

  std::remove(labs.at("02-sample/quiz.json").c_str());
  CHECK(checked().problems.front().message.find("is missing") != std::string::npos);
}

TEST_CASE("where the answers come from, and when they are not needed") {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  const std::string folder = labs.at("02-sample"), sheet = labs.at("02-sample.quiz.json"),
                    absent = labs.at("nowhere.quiz.json");
  const std::string answers =
      R"({"schema": "histolab/answers/1", "lab": "02-sample", "student": "Ada", "seed": 3, "answers": {"one-address": {"answer": "10 M"}}})";
  quiz::testing::put_sample_measurements(labs.path());
  put(sheet, answers);
  enum class Came { none, solved, unanswered, answered, error };
  const auto came = [&](const Result<std::optional<quiz::Outcome>>& outcome) {
    if (!outcome) return Came::error;
    if (!*outcome) return Came::none;
    const std::size_t all = (*outcome)->questions.size();
    return (*outcome)->count(quiz::Standing::right) == all        ? Came::solved
           : (*outcome)->count(quiz::Standing::unanswered) == all ? Came::unanswered
                                                                  : Came::answered;
  };
  const auto of_file = [&](const std::string& path) {
    return came(quiz_outcome(*load_lab(folder), path, labs.path()));
  };
  const auto of_text = [&](const std::string* text) {
    return came(quiz_outcome(*load_lab(folder), "02-sample.quiz.json", text, labs.path()));
  };
  // There is neither a quiz nor a quiz check: answers are ignored.
  CHECK(of_file("") == Came::none);
  CHECK(of_file(sheet) == Came::none);
  CHECK(of_text(nullptr) == Came::none);
  CHECK(of_text(&answers) == Came::none);
  // There is a quiz without a check: it counts only if there are answers.
  put(labs.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
  CHECK(of_file("") == Came::none);
  CHECK(of_file(absent) == Came::none);
  CHECK(of_file(sheet) == Came::answered);
  CHECK(of_text(nullptr) == Came::none);
  CHECK(of_text(&answers) == Came::answered);
  // There is a quiz with a check: a solution has all answers right, a missing file has none.
  put(labs.at("02-sample/lab.json"), sample_lab_json_with_quiz());
  CHECK(of_file("") == Came::solved);
  CHECK(of_file(absent) == Came::unanswered);
  CHECK(of_file(sheet) == Came::answered);
  CHECK(of_text(&answers) == Came::answered);
  CHECK(of_text(nullptr) == Came::unanswered);
  CHECK((*quiz_outcome(*load_lab(folder), "02-sample.quiz.json", &answers, labs.path()))
            ->problem.empty());
  const auto nobody = quiz_outcome(*load_lab(folder), "02-sample.quiz.json", nullptr, labs.path());
  CHECK((*nobody)->problem == "there is no 02-sample.quiz.json");
  CHECK((*nobody)->path == "02-sample.quiz.json");
  CHECK(described(**nobody) ==
        "0 of 4 are right; unanswered: one-address, final-values, which-call, which-kernel (there "
        "is no 02-sample.quiz.json)");
  // A check without a quiz is the lab's mistake.
  std::remove(labs.at("02-sample/quiz.json").c_str());
  CHECK(of_file("") == Came::error);
  CHECK(of_text(&answers) == Came::error);
}

TEST_CASE("the practice quiz earns no points, and the message says how to draw a real one") {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  put(labs.at("02-sample/lab.json"), sample_lab_json_with_quiz());
  put(labs.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
  quiz::testing::put_sample_measurements(labs.path());
  const std::string sheet = labs.at("02-sample.quiz.json");
  const auto outcome_of = [&](const std::string& person, const std::string& answers) {
    const std::string text = R"({"schema": "histolab/answers/1", "lab": "02-sample", )" + person +
                             R"(, "answers": {)" + answers + "}}";
    put(sheet, text);
    const LabSpec lab = *load_lab(labs.at("02-sample"));
    const auto of_file = quiz_outcome(lab, sheet, labs.path());
    REQUIRE((of_file.ok() && of_file->has_value()));
    CHECK((*of_file)->problem == (*quiz_outcome(lab, sheet, &text, labs.path()))->problem);
    return **of_file;
  };
  const std::string
      nobody = R"("student": "", "seed": 0)",
      all = R"all("one-address": {"answer": "10 M"}, "final-values": {"answer": "1 2 3"},
    "which-call": {"answer": "atomicAdd(&Total, Partial)"},
    "which-kernel": {"answer": "the fast one"})all";
  const quiz::Outcome practice = outcome_of(nobody, all);
  CHECK(practice.count(quiz::Standing::right) == 4);
  CHECK(practice.problem.find("practice quiz") != std::string::npos);
  CHECK(practice.problem.find("`histolab quiz 02-sample --new`") != std::string::npos);
  const CheckResult check = graded("// fake: right\n", practice).checks.back();
  CHECK(check.score == 0);
  CHECK(check.status == CheckResult::Status::failed);
  CHECK(check.seen.sentence().find("practice quiz") != std::string::npos);
  CHECK(outcome_of(nobody, "").problem.empty());  // no answers, so no warning
  CHECK(outcome_of(R"("student": "", "seed": 1)", all).problem.empty());
  CHECK(outcome_of(R"("student": "Ada", "seed": 0)", all).problem.empty());
  // A lab without a quiz check gives no points, so the answers need no warning.
  put_sample_lab(labs.path());
  put(labs.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
  CHECK(outcome_of(nobody, all).problem.empty());
}

TEST_CASE("each state of a question has its own words") {
  quiz::Outcome outcome = answered(1);
  outcome.questions[1].standing = quiz::Standing::gave_up;
  outcome.questions[2].standing = quiz::Standing::not_understood;
  outcome.questions[3].standing = quiz::Standing::wrong;
  CHECK(described(outcome) ==
        "1 of 4 are right; wrong: which-kernel; not understood: which-call; gave up: final-values");
}
