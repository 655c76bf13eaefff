// Tests of `check`: a lab is broken on purpose, one thing at a time, and the message must name the
// lab and the file.
#include "grader/course/check_course.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/lab/catalogue.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

struct Course {
  TemporaryFolder labs;
  Course() { put_sample_lab(labs.path()); }
  [[nodiscard]] std::string at(const std::string& file) const {
    return labs.at("02-sample/" + file);
  }

  // "FILE: MESSAGE" of each problem.
  [[nodiscard]] std::vector<std::string> problems() const {
    FakeDevice device;
    const auto all = load_catalogue(labs.path());
    REQUIRE(all.ok());
    const auto course = check_course(device, *all, {}, {*all, "", ""});
    REQUIRE(course.ok());
    REQUIRE(course->size() == 1);
    CHECK(course->front().lab == "02-sample");
    std::vector<std::string> list;
    for (const CourseProblem& problem : course->front().problems)
      list.push_back(
          replaced(problem.file + ": " + problem.message, labs.path() + "/02-sample/", ""));
    return list;
  }
  // The only problem after `file` is replaced.
  [[nodiscard]] std::string broken(const std::string& file, const std::string& text) const {
    put(at(file), text);
    const std::vector<std::string> list = problems();
    return list.size() == 1 ? list.front()
                            : "there are " + std::to_string(list.size()) + " problems";
  }
};

const std::string racy_finding =
    R"("finding": {"kind": "data_race", "variable": "histo", "line": 3})";

}  // namespace

TEST_CASE("the sample course holds") {
  const Course course;
  CHECK(course.problems().empty());
}

TEST_CASE("a lab whose cases all run in ascending order is named, blocks and warps each") {
  const Course course;
  const std::string file = course.at("lab.json"), text = sample_lab_json();
  put(file, replaced(text, R"(, "schedule": "random")", ""));
  CHECK(
      course.problems() ==
      std::vector<std::string>{
          R"(lab.json: no case of histogram has "schedule": "random" or "adversarial" and more than 32 threads in a block; a kernel that relies on the order of warps would pass)"});
  std::string ascending =
      replaced(text, R"("block_order": "random")", R"("block_order": "ascending")");
  for (const char* length : {R"("length": 0)", R"("length": 4001)"})
    ascending =
        replaced(ascending, length, std::string(length) + R"(, "block_order": "ascending")");
  put(file, ascending);
  CHECK(
      course.problems() ==
      std::vector<std::string>{
          R"(lab.json: no case of histogram has "block_order": "random" or "descending"; a kernel that relies on the order of blocks would pass)"});
}

TEST_CASE("a stub that passes, or fails otherwise, is named") {
  CHECK(Course{}.broken("stub.cu", "// fake: right\n") ==
        "stub.cu: expected the verdict failed, got passed");
  CHECK(Course{}.broken("stub.cu", "// fake: right loads 9\n") ==
        "stub.cu: expected matches_reference to be the first check that fails, it is coalesced");
  CHECK(Course{}
            .broken("stub.cu", "// fake: compile 1\n")
            .starts_with("stub.cu: expected the verdict failed, got compile_error"));
}

TEST_CASE("a solution without full marks is named") {
  const std::string problem = Course{}.broken("solution.cu", "// fake: right loads 9\n");
  CHECK(problem.starts_with(
      "solution.cu: expected the verdict passed, got failed (coalesced: case letters-256"));
}

TEST_CASE("an attempt with another verdict, check, finding or line is named") {
  const auto expect = [](const std::string& from, const std::string& to) {
    const Course course;
    const std::string file = "attempts/racy/expect.json";
    return course.broken(file, replaced(get(course.at(file)), from, to));
  };
  CHECK(expect("\"line\": 3", "\"line\": 4") ==
        "attempts/racy/kernel.cu: expected the finding data_race on histo at line 4, got data_race "
        "on histo at line 3");
  CHECK(expect("\"variable\": \"histo\"", "\"variable\": \"bins\"")
            .starts_with("attempts/racy/kernel.cu: expected the finding data_race on bins"));
  CHECK(expect("data_race", "out_of_bounds")
            .starts_with("attempts/racy/kernel.cu: expected the finding out_of_bounds"));
  CHECK(expect(racy_finding + ", ", "") ==
        "attempts/racy/kernel.cu: expected no finding, got data_race on histo at line 3");
  CHECK(expect("\"matches_reference\"", "\"coalesced\"") ==
        "attempts/racy/kernel.cu: expected coalesced to be the first check that fails, it is "
        "matches_reference");
  CHECK(expect("\"failed\"", "\"timeout\"")
            .starts_with("attempts/racy/kernel.cu: expected the verdict timeout, got failed"));
  CHECK(expect("\"why\"", "\"wy\"")
            .starts_with("attempts/racy/expect.json: attempts/racy/expect.json: /wy: is not a key "
                         "of this object; did "
                         "you mean why?"));
  CHECK(Course{}.broken("attempts/typo/kernel.cu", "// fake: compile 9\n") ==
        "attempts/typo/kernel.cu: expected a compiler error on line 2");
}

TEST_CASE("an attempt whose patch does not apply is named") {
  const auto with_patch = [](const std::string& removed) {
    const Course course;
    std::filesystem::remove(course.at("attempts/strided/kernel.cu"));
    return course.broken("attempts/strided/solution.patch",
                         "@@ -1 +1 @@\n-" + removed + "\n+// fake: right loads 32\n");
  };
  CHECK(with_patch("histo = truth;") == "there are 0 problems");
  CHECK(with_patch("histo = false;") ==
        "attempts/strided/solution.patch: attempts/strided/solution.patch:2: the patch does not "
        "apply: it expects \"histo = false;\" as line 1 of the solution without its comments, "
        "which is \"histo = truth;\"");
}

TEST_CASE("a missing file is named") {
  const Course course;
  for (const char* file : {"lesson.md", "hints.md", "instructor.md", "solution.cu",
                           "attempts/racy/kernel.cu", "attempts/strided/expect.json"})
    std::filesystem::remove(course.at(file));
  const std::vector<std::string> list = course.problems();
  REQUIRE(list.size() == 6);
  CHECK(list[0].starts_with("solution.cu: "));
  CHECK(list[1].starts_with("attempts/racy/kernel.cu: "));
  CHECK(list[2].starts_with("attempts/strided/expect.json: "));
  CHECK(list[3].starts_with("lesson.md: "));
  CHECK(list[4].starts_with("hints.md: "));
  CHECK(list[5].starts_with("instructor.md: "));
}

TEST_CASE("points that do not add up stop the catalogue") {
  const Course course;
  put(course.at("lab.json"), replaced(sample_lab_json(), "\"points\": 3", "\"points\": 4"));
  CHECK(load_catalogue(course.labs.path())
            .error()
            .message.ends_with("/max_score: is 10, but the points of the checks add up to 11"));
}

TEST_CASE("a machine that cannot compile says nothing about the course") {
  const Course course;
  put(course.at("solution.cu"), "// fake: machine\n");
  FakeDevice device;
  const auto all = load_catalogue(course.labs.path());
  REQUIRE(all.ok());
  CHECK(check_course(device, *all, {}, {*all, "", ""})
            .error()
            .message.ends_with("the compiler g++ is not installed"));
}
