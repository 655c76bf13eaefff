#include "grader/edition/edition.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/edition/leaks.h"
#include "grader/edition/questions.h"
#include "grader/quiz/testing/sample_quiz.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::edition;
using bundle::File;
using grader::testing::put;
using grader::testing::TemporaryFolder;

namespace {

constexpr const char* stub =
    R"(__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: count data[i]
}
)";
constexpr const char* solution =
    R"(__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ unsigned int own[7];  // one for each bin
  if (threadIdx.x < 7) own[threadIdx.x] = 0;
  __syncthreads();
  if (i < length) atomicAdd(&own[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], own[threadIdx.x]);
}
)";

// A lab in a folder. of() returns the leaks of an edition with one file.
struct Course {
  TemporaryFolder folder;
  grader::LabSpec lab;

  Course() {
    lab.name = "14-own";
    lab.directory = folder.at("14-own");
    put(lab.directory + "/stub.cu", stub);
    put(lab.directory + "/solution.cu", solution);
    put(lab.directory + "/instructor.md",
        "# Notes\n\nStudents believe that the block's copy becomes zero without any help from "
        "them. It does not.\n");
    put(lab.directory + "/lesson.md", "# Own copies\n");
  }
  [[nodiscard]] std::vector<std::string> of(const std::string& path,
                                            const std::string& text) const {
    const auto leaks = find_leaks({File{path, text, false}}, {lab});
    REQUIRE_MESSAGE(leaks.ok(), leaks.error().message);
    std::vector<std::string> found;
    for (const Leak& leak : *leaks) found.push_back(leak.what);
    return found;
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string with_each_line(const std::string& text, const std::string& before) {
  return before + replaced(text, "\n", "\n" + before);
}

}  // namespace

TEST_CASE(
    "a solution is found under any name, with other names in it, as a comment, a diff and a "
    "string") {
  const Course course;
  const std::string renamed = replaced(replaced(solution, "own", "bins_of_block"), "histo", "out");
  for (const std::string& text :
       {std::string{solution}, renamed, with_each_line(solution, "// "),
        with_each_line(solution, "+"), replaced(replaced(solution, "\n", "\\n"), "'", "\\'"),
        "Before it.\n\n```\n" + std::string{solution} + "```\n"})
    CHECK_MESSAGE(!course.of("docs/any.txt", text).empty(), text);
  CHECK(course.of("labs/14-own/stub.cu", stub).empty());
  CHECK(course.of("docs/any.txt", stub).empty());
  CHECK_FALSE(course.of("labs/14-own/stub.cu", renamed).empty());
}

TEST_CASE(
    "one line of a solution is found, unless a stub has it or the lab says that it is shown") {
  const Course course;
  const std::string line = "if(i < length) atomicAdd( &own[(data[i]-'a') / 4], 1u );";
  REQUIRE(course.of("CHANGELOG.md", "- `" + line + "`\n").size() == 1);
  CHECK(course.of("CHANGELOG.md", line).front().starts_with("a line of labs/14-own/solution.cu: "));
  CHECK(course.of("CHANGELOG.md", "const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;")
            .empty());
  put(course.lab.directory + "/shown.txt", line + "\n");
  CHECK(course.of("CHANGELOG.md", line).empty());
}

TEST_CASE("attempts, notes, explanations, keys and names are found") {
  const Course course;
  put(course.lab.directory + "/attempts/wrong/kernel.cu",
      replaced(solution, "  __syncthreads();\n",
               "  histo[0] = own[1] + own[2] * own[3] - own[4];\n"));
  put(course.lab.directory + "/attempts/wrong/expect.json",
      R"({"status": "failed", "why": "Without a barrier a thread may add to a bin before another thread has set it to zero."})");
  put(course.lab.directory + "/quiz.json",
      R"({"questions": [{"why": "Each block has {n} bins of its own, so most updates meet in fast shared memory instead."}]})");
  CHECK_FALSE(
      course.of("a.txt", grader::testing::get(course.lab.directory + "/attempts/wrong/kernel.cu"))
          .empty());
  CHECK_FALSE(course.of("a.txt", "without a barrier").size() == 1);
  CHECK(course
            .of("a.txt",
                "Without a barrier a thread may add to a bin before another\nthread has set it to "
                "zero")
            .size() == 1);
  CHECK(course
            .of("a.txt",
                "Students believe that the block's copy becomes zero without any help from them.")
            .size() == 1);
  CHECK(course.of("a.txt", "bins of its own, so most updates meet in fast shared memory instead")
            .size() == 1);
  CHECK(
      course
          .of("labs/14-own/quiz.json",
              R"({"schema": "histolab/questions/1", "questions": [{"options": [{"text": "a"}]}]})")
          .empty());
  CHECK(
      course
          .of("labs/14-own/quiz.json",
              R"({"schema": "histolab/questions/1", "questions": [{"options": [{"text": "a", "right": true}]}]})")
          .size() == 1);
  CHECK(course.of("labs/14-own/quiz.json", R"({"schema": "histolab/quiz/1", "questions": []})")
            .size() == 1);
  for (const char* name : {"x/solution.cu", "labs/14-own/attempts/a.txt",
                           "labs/14-own/instructor.md", "grader/golden/x"})
    CHECK_MESSAGE(course.of(name, "x").size() == 1, name);
}

TEST_CASE("links to pages that an edition does not have become their text") {
  const std::vector<File> files = {
      {"docs/a.md", "", false}, {"docs/pictures/p.png", "", false}, {"README.md", "", false}};
  CHECK(
      without_dead_links(
          "docs/a.md",
          "See [b](b.md#c), [a](a.md#x), [top](../README.md), [web](https://e.org/x), [here](#h).",
          files) == "See b, [a](a.md#x), [top](../README.md), [web](https://e.org/x), [here](#h).");
  CHECK(without_dead_links("docs/a.md",
                           "![gone](gone.png) ![there](pictures/p.png) [![both](x.png)](y.png) "
                           "[pictures](pictures/)",
                           files) == "gone ![there](pictures/p.png) both [pictures](pictures/)");
  CHECK(without_dead_links("docs/a.md", "[ open and ](x.md", files) == "[ open and ](x.md");
}

TEST_CASE("questions keep their texts, draws and units, and nothing of what is right") {
  const TemporaryFolder folder;
  put(folder.at("02-sample/quiz.json"), quiz::testing::sample_quiz_json());
  quiz::testing::put_sample_measurements(folder.at("measurements"));
  const auto questions = questions_of(folder.at("02-sample"), folder.at("measurements"));
  REQUIRE_MESSAGE(questions.ok(), questions.error().message);
  const std::string text = questions->dump();
  for (const char* key : {"\"right\"", "\"why\"", "\"answer\"", "\"example\"", "\"misconceptions\"",
                          "\"row\"", "\"tolerance\"", "{device}"})
    CHECK_MESSAGE(text.find(key) == text.npos, key);
  CHECK(text.find("SLOW 1") != text.npos);

  put(folder.at("student/02-sample/quiz.json"), text);
  const Result<quiz::Quiz> own = quiz::load_quiz(folder.at("student/02-sample"),
                                                 folder.at("measurements")),
                           whole =
                               quiz::load_quiz(folder.at("02-sample"), folder.at("measurements"));
  REQUIRE_MESSAGE(own.ok(), own.error().message);
  REQUIRE(own->questions.size() == whole->questions.size());
  CHECK_FALSE(own->has_key);
  for (std::size_t i = 0; i < own->questions.size(); ++i)
    for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
      const quiz::Person person{"Ada", seed};
      const Result<quiz::Posed> mine = quiz::pose(*own, own->questions[i], person),
                                theirs = quiz::pose(*whole, whole->questions[i], person);
      REQUIRE_MESSAGE(mine.ok(), mine.error().message);
      CHECK(mine->text == theirs->text);
      CHECK(mine->code == theirs->code);
      CHECK(mine->why.empty());
      std::vector<std::string> shown, all;
      for (const quiz::Option& option : mine->options) shown.push_back(option.text);
      for (const quiz::Option& option : theirs->options) all.push_back(option.text);
      std::ranges::sort(shown), std::ranges::sort(all);
      CHECK(shown == all);
    }
}
