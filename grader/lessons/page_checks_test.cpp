// Checks that need only a page's own text, or a compiler.
#include <doctest/doctest.h>

#include "grader/lessons/code_blocks.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/instructor.h"
#include "grader/lessons/links.h"
#include "grader/lessons/typed_numbers.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab::grader::lessons;
using namespace histolab::grader::testing;

namespace {

// Returns the problems as readable text with line numbers.
std::string describe(const std::vector<PageProblem>& problems) {
  std::string text;
  for (const PageProblem& each : problems)
    text += std::to_string(each.line) + ": " + each.message + "\n";
  return text;
}
std::vector<int> lines(const std::vector<PageProblem>& problems) {
  std::vector<int> list;
  for (const PageProblem& each : problems) list.push_back(each.line);
  return list;
}
const std::vector<int> none;

// Returns the lines of typed numbers in a text below "On real hardware". Its first line is 3.
std::vector<int> typed(const std::string& text) {
  return lines(typed_numbers("## On real hardware: so\n\n" + text));
}

}  // namespace

TEST_CASE("typed numbers in measured sections") {
  for (const char* wrong :
       {"It does 5.4 a second.", "It makes 257 of them.", "It is 4 times as fast.",
        "It takes 16 clocks.", "of 15 %", "at 4562 GB/s", "16 387 arrive", "in 3 ms", "from 637 on",
        "(911)", "- an item with 911", "2.3x as fast"})
    CHECK_MESSAGE(typed(wrong) == std::vector<int>{3}, wrong);
  for (const char* fine : {"7 bins and 32 threads", "2^26 samples, 10^9 a second",
                           "an H200, lab 06, 4-byte samples, 128-byte lines", "`5.4` in code",
                           "{{given 33}} and {{a / 1.5 as times}}", "1024 threads, 1 024 and 1000",
                           "[a page](2.5/x.md)", "sm_90"})
    CHECK_MESSAGE(typed(fine) == none, fine);
  CHECK(typed("one\ntwo 911\nthree") == std::vector<int>{4});
  CHECK(lines(typed_numbers("## The idea\n\nIt is 911.\n\n## What you will see\n\n911\n\n### "
                            "More\n\n912\n\n## To think about\n\n913\n")) ==
        std::vector<int>{7, 11});
}

TEST_CASE("a number of any length is a single one") {
  CHECK(typed("It is " + std::string(400, '9') + ".\n").size() == 1);
}

TEST_CASE("typed numbers in tables") {
  const std::string head = "| what | 911 |\n|---|---|\n";
  CHECK(lines(typed_numbers(head + "| 911 | {{given 7}} |\n")) == none);
  CHECK(
      lines(typed_numbers(
          head +
          "| a | 7 |\n| b | **12** |\n| c | 5 % |\n| d | with 911 of them |\n| e | 7 bins |\n")) ==
      std::vector<int>{3, 4, 5, 6});
}

TEST_CASE("links that lead nowhere") {
  const TemporaryFolder folder;
  put(folder.at("other.md"), "# Other\n\n## A heading\n");
  const std::string page =
      "# Page\n\n[a](other.md) [b](other.md#a-heading) [c](#page) "
      "[d](https://example.org/x)\n\n[e](absent.md)\n\n[f](other.md#a-headin)\n\n[g](#none)\n";
  const auto dead = dead_links(folder.at("page.md"), page);
  const std::vector<int> wanted = {5, 7, 9};
  CHECK_MESSAGE(lines(dead) == wanted, describe(dead));
  REQUIRE(dead.size() == 3);
  CHECK(dead[1].message == "other.md has no heading #a-headin; did you mean #a-heading?");
}

TEST_CASE("only code marked as CUDA is compiled") {
  FakeDevice device;
  const histolab::grader::LabSpec lab = sample_lab();
  CHECK(broken_code(device, lab, "p",
                    "```cuda\n// fake: compile 2\n__global__ void histogram() {\n```\n")
            ->size() == 1);
  CHECK(broken_code(device, lab, "p",
                    "# A\n\n```cuda\n// fake: compile 2\n__global__ void histogram() {\n```\n")
            ->front()
            .line == 5);
  CHECK(broken_code(device, lab, "p",
                    "```\n// fake: compile 2\n__global__\n```\n\n    // fake: compile 1\n")
            ->empty());
  CHECK(broken_code(device, lab, "p", "```cuda histogram\n__syncthreads();\n```\n")->empty());
  CHECK(broken_code(device, lab, "p", "```cuda histo\n__syncthreads();\n```\n")->front().message ==
        "02-sample has no kernel histo");
  CHECK_FALSE(broken_code(device, lab, "p", "```cuda\n// fake: machine\n__global__\n```\n").ok());
}

TEST_CASE("there are three hints, none with the solution") {
  const std::string three = "# Hints\n\n## One\n\na\n\n## Two\n\nb\n\n## Three\n\n";
  const std::string solution =
      "// comment\nvoid f() {\n  if (letter >= 0 && letter < 26) {\n    atomicAdd(&histo[letter / "
      "4], 1u);\n  }\n  for (i = threadIdx.x; i < 7; i += blockDim.x) {\n  }\n}\n";
  const std::string stub =
      "void f() {\n  // TODO: for (i = threadIdx.x; i < 7; i += blockDim.x) {\n}\n";
  const auto bad = [&](const std::string& text) {
    return lines(bad_hints(three + text, solution, stub));
  };
  CHECK(bad("Use `atomicAdd`, and test `letter >= 0`. Start at blockIdx.x * blockDim.x + "
            "threadIdx.x.\n") == none);
  CHECK(bad("Well:\n\n    atomicAdd(&histo[letter / 4], 1u);\n") == std::vector<int>{15});
  CHECK(bad("`if (letter >= 0 && letter < 26)`\n") == std::vector<int>{13});
  CHECK(bad("in words: atomicAdd ( &histo[ letter/4 ],\n1u )\n") == std::vector<int>{13});
  CHECK(bad("`for (i = threadIdx.x; i < 7; i += blockDim.x)` as the stub says\n") == none);
  CHECK(lines(bad_hints("# Hints\n\n## One\n\na\n", solution, stub)) == std::vector<int>{0});
  CHECK(lines(bad_hints("## One\n\na\n\n## Two\n\n## Three\n\nc\n", solution, stub)) ==
        std::vector<int>{5});
  const auto hints = hints_of(three + "the last\n\nof them\n");
  REQUIRE(hints.size() == 3);
  CHECK(hints[2].title == "Three");
  CHECK(hints[2].text == "the last\n\nof them");
}

TEST_CASE("each misconception has an attempt, and each attempt a misconception") {
  const std::string page =
      "# Notes\n\n## Misconceptions\n\n| misconception | attempts | say |\n|---|---|---|\n| ++ is "
      "one step | `plain`, `volatile` | no |\n| nothing | none | `plain` |\n| typo | `volatil` | x "
      "|\n\n## More\n\n| a | b |\n|---|---|\n| c | `d` |\n";
  const auto found = misconceptions_of(page);
  REQUIRE(found.size() == 3);
  CHECK(found[0].title == "++ is one step");
  CHECK(found[0].attempts == std::vector<std::string>{"plain", "volatile"});
  const auto problems =
      uncovered(found, {"plain", "right", "volatile", "other"}, {"plain", "volatile", "other"});
  CHECK(lines(problems) == std::vector<int>{8, 9, 0});
  CHECK(problems[1].message == "there is no attempt volatil; did you mean volatile?");
  CHECK(problems[2].message == "the attempt other fails, but no misconception names it");
  CHECK(lines(uncovered({}, {}, {})) == std::vector<int>{0});
}
