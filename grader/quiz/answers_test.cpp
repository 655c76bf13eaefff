#include "grader/quiz/answers.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "grader/quiz/testing/sample_quiz.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::quiz;
using namespace histolab::quiz::testing;
using grader::testing::get;
using grader::testing::put;
using grader::testing::TemporaryFolder;

namespace {

constexpr const char* lab = "02-sample";

std::string sheet_json(const std::string& answers,
                       const std::string& rest = R"("student": "Ada", "seed": 3)") {
  return R"({"schema": "histolab/answers/1", "lab": "02-sample", )" + rest + R"(, "answers": )" +
         answers + "}";
}

Outcome outcome_of_text(const std::string& text) {
  const TemporaryFolder folder;
  put(folder.at("02-sample.quiz.json"), text);
  const Quiz quiz = sample_quiz();
  Result<Outcome> outcome = outcome_of_file(quiz, folder.at("02-sample.quiz.json"));
  REQUIRE(outcome.ok());
  CHECK(outcome->questions.size() == 4);
  return *outcome;
}

Standing of(const Outcome& outcome, const std::string& id) {
  for (const QuestionResult& each : outcome.questions)
    if (each.id == id) return each.standing;
  FAIL("no such question");
  return {};
}

}  // namespace

TEST_CASE("a written sheet reads the same, and leaves no temporary files") {
  const TemporaryFolder folder;
  const std::string path = folder.at("work/02-sample.quiz.json");
  Sheet sheet;
  sheet.person = {"Ada \xC3\xA4", 7};
  sheet.answers["one-address"] = {"10 M \"quoted\" \xff\x1b", 2, false};
  sheet.answers["gone"] = {"b", 0, true};
  REQUIRE(write_sheet(path, lab, sheet).ok());
  const auto read = read_sheet(path, lab);
  REQUIRE(read.ok());
  REQUIRE(read->has_value());
  CHECK((*read)->person == sheet.person);
  CHECK((*read)->answers.at("gone").gave_up);
  CHECK((*read)->answers.at("one-address").wrong_tries == 2);
  CHECK(std::distance(std::filesystem::directory_iterator{folder.at("work")},
                      std::filesystem::directory_iterator{}) == 1);
  // Invalid UTF-8 is replaced when the sheet is first read.
  REQUIRE(write_sheet(path, lab, **read).ok());
  CHECK(read_sheet(path, lab)->value().answers.at("one-address").text ==
        (*read)->answers.at("one-address").text);
}

TEST_CASE("if a sheet cannot be written, the old one remains") {
  const TemporaryFolder folder;
  put(folder.at("file"), "x");
  CHECK_FALSE(write_sheet(folder.at("file/02-sample.quiz.json"), lab, {}).ok());
  CHECK(get(folder.at("file")) == "x");
}

TEST_CASE("a missing file, and where files are expected") {
  const TemporaryFolder folder;
  CHECK(sheet_in(folder.path(), lab) == folder.at("02-sample.quiz.json"));
  CHECK_FALSE(read_sheet(folder.at("02-sample.quiz.json"), lab)->has_value());
  put(folder.at("02-sample/quiz.json"), "x");
  CHECK(sheet_in(folder.path(), lab) == folder.at("02-sample/quiz.json"));
  put(folder.at("02-sample.quiz.json"), "x");
  CHECK(sheet_in(folder.path(), lab) == folder.at("02-sample.quiz.json"));
  CHECK(sheet_next_to("ada.cu") == "ada.quiz.json");
  CHECK(sheet_next_to("in/ada.v2.cu") == "in/ada.v2.quiz.json");
  const Result<Outcome> outcome = outcome_of_file(sample_quiz(), folder.at("none.quiz.json"));
  CHECK(outcome->count(Standing::unanswered) == 4);
  CHECK(outcome->problem.find("there is no") != std::string::npos);
}

TEST_CASE("a verdict in the file is ignored") {
  const Outcome outcome = outcome_of_text(sheet_json(
      R"({"one-address": {"answer": "10 G/s", "wrong_tries": 1}, "final-values": {"answer": "1 2 3", "status": "right"}, "which-call": {"answer": "zebra"}, "which-kernel": {"answer": "a", "gave_up": true}})",
      R"("student": "", "seed": 0)"));
  CHECK(of(outcome, "one-address") == Standing::wrong);
  CHECK(outcome.questions[0].message == "A nanosecond is 10^-9 s.");
  CHECK(of(outcome, "final-values") == Standing::right);
  CHECK(of(outcome, "which-call") == Standing::not_understood);
  CHECK(of(outcome, "which-kernel") == Standing::gave_up);
  CHECK(outcome.count(Standing::right) == 1);
  CHECK(outcome.problem.empty());
}

TEST_CASE("hostile files are refused with a reason") {
  const auto problem = [](const std::string& text) {
    const Outcome outcome = outcome_of_text(text);
    CHECK(outcome.count(Standing::unanswered) == 4);
    return outcome.problem;
  };
  for (const std::string& text :
       {std::string{""},
        std::string{"x"},
        std::string{"[]"},
        std::string{"null"},
        std::string{"{}"},
        std::string{"\xff\xfe\x9b"},
        std::string{"{\"a\": 1e999}"},
        std::string("\0\0", 2),
        sheet_json("[]"),
        sheet_json("{}", R"("student": 7, "seed": 1)"),
        sheet_json("{}", R"("student": "a\u001bb", "seed": 1)"),
        sheet_json("{}", R"("student": "a", "seed": -1)"),
        sheet_json("{}", R"("student": "a", "seed": 1e300)"),
        sheet_json("{}", R"("student": "a")"),
        sheet_json("{}", R"("student": ")" + std::string(200, 'a') + R"(", "seed": 1)"),
        std::string(1000000, '['),
        std::string(400000, '[') + std::string(400000, ']'),
        std::string(2000000, ' '),
        grader::testing::replaced(sheet_json("{}"), "02-sample", "03-other"),
        grader::testing::replaced(sheet_json("{}"), "answers/1", "answers/9"),
        sheet_json("{\"a\": 1, \"a\": 2}")})
    CHECK_MESSAGE(!problem(text).empty(), text.substr(0, 60));
  std::string many = "{";
  for (int i = 0; i < 1001; ++i)
    many += (i > 0 ? "," : "") + ("\"q" + std::to_string(i) + "\": {\"answer\": \"1\"}");
  CHECK(problem(sheet_json(many + "}")).find("the limit is 1000") != std::string::npos);
  CHECK(problem(R"({"schema": ")"
                "\\u001b[31m"
                R"("})")
            .find('\x1b') == std::string::npos);
}

TEST_CASE("a problem with one answer affects only that answer") {
  const Outcome outcome = outcome_of_text(sheet_json(
      R"({"one-address": 7, "final-values": {"answer": ["1"]}, "which-call": {"answer": ")" +
      std::string(401, 'a') +
      R"("}, "which-kernel": {"answer": "a"}, "unknown": {"answer": "1"}})"));
  CHECK(outcome.problem.empty());
  CHECK(outcome.count(Standing::unanswered) == 3);
  CHECK(outcome.questions[0].message == "its entry is not an object");
  CHECK(outcome.questions[1].message == "its answer is not a text");
  CHECK(outcome.questions[2].message == "its answer is longer than 400 bytes");
  CHECK(of(outcome, "which-kernel") == Standing::right);
  CHECK(outcome.person == Person{"Ada", 3});
  for (const char* bad : {R"("wrong_tries": -1)", R"("wrong_tries": "x")", R"("wrong_tries": 1e9)",
                          R"("gave_up": 1)"})
    CHECK(of(outcome_of_text(
                 sheet_json(std::string{R"({"which-kernel": {"answer": "a", )"} + bad + "}}")),
             "which-kernel") == Standing::unanswered);
}

TEST_CASE("pipes, folders and dangling links are not sheets") {
  const TemporaryFolder folder;
  const Quiz quiz = sample_quiz();
  mkfifo(folder.at("pipe").c_str(), 0600);
  std::filesystem::create_directory(folder.at("folder"));
  std::filesystem::create_symlink("nowhere", folder.at("link"));
  for (const char* name : {"pipe", "folder", "link"}) {
    const Result<Outcome> outcome = outcome_of_file(quiz, folder.at(name));
    REQUIRE(outcome.ok());
    CHECK_FALSE(outcome->problem.empty());
  }
}

TEST_CASE("each question accepts its computed answer") {
  const Result<Outcome> outcome = solved(sample_quiz());
  CHECK(outcome->count(Standing::right) == 4);
  CHECK(outcome->path.empty());
}
