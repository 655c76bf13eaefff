// Tests with all pages of a lab: each one breaks one thing and expects the name of the page.
#include "grader/lessons/lab_pages.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/lab/catalogue.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::lessons;
using namespace histolab::grader::testing;

namespace {

struct Course {
  TemporaryFolder folder;
  FakeDevice device;
  Course() { put_sample_lab(folder.path()); }
  [[nodiscard]] std::string at(const std::string& file) const {
    return folder.at("02-sample/" + file);
  }
  [[nodiscard]] Sources sources() const {
    return {*load_catalogue(folder.path()), folder.path(), folder.path()};
  }
  [[nodiscard]] LabPages pages() {
    const auto pages = check_pages(device, sources().labs, sources(), 1);
    REQUIRE(pages.ok());
    REQUIRE(pages->size() == 1);
    return pages->front();
  }
  // Returns "FILE: MESSAGE" for the only problem after replacing `from` with `to` in a file.
  [[nodiscard]] std::string broken(const std::string& file, const std::string& from,
                                   const std::string& to) {
    const std::string text = get(at(file)), changed = replaced(text, from, to);
    CHECK(text != changed);
    put(at(file), changed);
    const LabPages got = pages();
    if (got.problems.size() != 1) return std::to_string(got.problems.size()) + " problems";
    return replaced(got.problems[0].file, folder.path() + "/02-sample/", "") + ": " +
           got.problems[0].message;
  }
};

}  // namespace

TEST_CASE("the sample's pages are valid") {
  Course course;
  const LabPages pages = course.pages();
  CHECK(pages.problems.empty());
  CHECK(pages.misconceptions.size() == 3);
}

TEST_CASE("every page is checked") {
  CHECK(Course{}
            .broken("lesson.md", "50 000", "50 001")
            .starts_with("lesson.md:3: says \"It has 50 001 letters.\", but lesson.in.md generates "
                         "\"It has 50 000 letters.\""));
  CHECK(Course{}
            .broken("lab.json", "\"length\": 50000", "\"length\": 50001")
            .starts_with("lesson.md:3: says \"It has 50 000 letters.\""));
  CHECK(Course{}
            .broken("lesson.in.md", "letters-256", "letters")
            .starts_with(
                "lesson.in.md:4: {{case this letters length}}: 02-sample has no case \"letters\""));
  CHECK(Course{}.broken("hints.md", "## Second", "Second") ==
        "hints.md: has 2 headings \"## ...\"; expected 3 hints, each under such a heading");
  CHECK(Course{}
            .broken("hints.md", "Think.", "[Think](nowhere.md).")
            .starts_with("hints.md:5: the link leads to nowhere.md"));
  CHECK(Course{}
            .broken("hints.md", "Think.", "```cuda\n// fake: compile 1\n__global__\n```")
            .starts_with("hints.md:6: this code does not compile"));
  CHECK(Course{}.broken("instructor.md", "`typo`", "`tipo`, `typo`") ==
        "instructor.md:9: there is no attempt tipo; did you mean typo?");
  CHECK(Course{}.broken("instructor.md", "`typo`", "`racy`") ==
        "instructor.md: the attempt typo fails, but no misconception names it");
}

TEST_CASE("a typed number is a problem of the source, not of the page") {
  Course course;
  put(course.at("lesson.in.md"),
      get(course.at("lesson.in.md")) + "\n## On real hardware\n\nIt does 5.4.\n");
  REQUIRE(write_lessons(course.device, course.sources().labs, course.sources(), 1).ok());
  const LabPages pages = course.pages();
  REQUIRE(pages.problems.size() == 1);
  CHECK(pages.problems[0].file == course.at("lesson.in.md:8"));
}

TEST_CASE("only changed lessons are written") {
  Course course;
  const auto write = [&] {
    const auto written = write_lessons(course.device, course.sources().labs, course.sources(), 1);
    REQUIRE(written.ok());
    REQUIRE(written->size() == 1);
    return written->front();
  };
  CHECK_FALSE(write().changed);
  std::filesystem::remove(course.at("lesson.md"));
  CHECK(write().changed);
  CHECK(course.pages().problems.empty());
  put(course.at("lesson.in.md"), "# A sample\n\n{{nonsense}}\n");
  const WrittenPage refused = write();
  CHECK_FALSE(refused.changed);
  CHECK(refused.problems.size() == 1);
  CHECK(get(course.at("lesson.md")).find("50 000") != std::string::npos);
}

TEST_CASE("if the machine cannot compile, there is no verdict on the pages") {
  Course course;
  put(course.at("hints.md"),
      replaced(get(course.at("hints.md")), "Think.", "```cuda\n// fake: machine\n__global__\n```"));
  CHECK_FALSE(check_pages(course.device, course.sources().labs, course.sources(), 1).ok());
}
