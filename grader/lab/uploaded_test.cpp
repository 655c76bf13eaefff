#include "grader/lab/uploaded.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "grader/testing/files.h"

using namespace histolab::grader;

namespace {

const std::vector<std::string> the_labs = {"01-race", "02-atomic-add", "10-many-bins"};

std::string lab_of(const std::string& file) {
  const Uploaded found = match_uploaded({file}, the_labs);
  return found.kernels.empty() ? "" : found.kernels.begin()->first;
}

}  // namespace

TEST_CASE("a file is found by an approximate name") {
  for (const char* name :
       {"01-race.cu", "race.cu", "Race.cu", "01_race.cu", "01 race (2).cu", "01-race-1.cu", "1.cu",
        "01.cu", "lab1.cu", "Lab 01 - Race.cu", "work/01-race.cu", "01-race/stub.cu",
        "a b/01-race/Stub.cu", "01-race.cu.txt", "01-race - Copy.cu", "My Race (3).cu",
        "ada-race.cu", "hw3_01-race_final.cu"})
    CHECK_MESSAGE(lab_of(name) == "01-race", name);
  CHECK(lab_of("Atomic_Add(1).cu") == "02-atomic-add");
  CHECK(lab_of("10.cu") == "10-many-bins");
  const std::vector<std::string> alike = {"04-privatization", "07-global-privatization"};
  CHECK(match_uploaded({"privatization.cu"}, alike).kernels.contains("04-privatization"));
  CHECK(match_uploaded({"Global Privatization.cu"}, alike)
            .kernels.contains("07-global-privatization"));
  // It could be for either lab.
  CHECK(match_uploaded({"my global privatization.cu"}, alike).kernels.empty());
  for (const char* name : {"kernel.cu", "01-race.cpp", "race.cuh", "stub.cu", "03.cu", "11-race.cu",
                           "01-atomic-add.cu", "traces.cu", "race-atomic-add.cu"})
    CHECK_MESSAGE(lab_of(name).empty(), name);
}

TEST_CASE("upper case or a suffix after .cu is accepted if there is no better name") {
  for (const char* name :
       {"01-RACE.CU", "01-Race.Cu", "RACE.CU", "LAB1.CU", "01-race.CU.TXT", "01-race.Cu.txt",
        "01-race.cu~", "01-race.cu (1)", "01-race.cu.bak", "work/01-RACE.CU", "01-race/STUB.CU"}) {
    CAPTURE(name);
    CHECK(lab_of(name) == "01-race");
    const Uploaded both = match_uploaded({name, "race.cu"}, the_labs);
    CHECK(both.kernels.at("01-race") == "race.cu");
    CHECK(both.remarks.empty());
  }
  CHECK(match_uploaded({"KERNEL.CU"}, {"01-race"}).kernels.at("01-race") == "KERNEL.CU");
  CHECK(match_uploaded({"KERNEL.CU"}, the_labs).remarks.size() == 1);
  CHECK(match_uploaded({"01-RACE.CU", "01-Race.Cu"}, the_labs).remarks.size() == 1);
  CHECK(match_uploaded({"01-RACE.QUIZ.JSON"}, the_labs).sheets.at("01-race") ==
        "01-RACE.QUIZ.JSON");

  const testing::TemporaryFolder folder;
  testing::put(folder.at("01-RACE.CU"), "x");
  testing::put(folder.at("02-Atomic-Add.Quiz.Json"), "{}");
  testing::put(folder.at("notes.md"), "x");
  CHECK(*files_below(folder.path()) ==
        std::vector<std::string>{"01-RACE.CU", "02-Atomic-Add.Quiz.Json"});
}

TEST_CASE("an exact name comes first, and neither of two equally good files is taken") {
  CHECK(match_uploaded({"old/race.cu", "01-race.cu"}, the_labs).kernels.at("01-race") ==
        "01-race.cu");
  CHECK(match_uploaded({"01-race.cu", "z/race.cu", "1.cu"}, the_labs).remarks.empty());
  const Uploaded two = match_uploaded({"a/race.cu", "b/race.cu"}, the_labs);
  CHECK(two.kernels.empty());
  REQUIRE(two.remarks.size() == 1);
  CHECK(two.remarks.front() ==
        "a/race.cu and b/race.cu fit 01-race equally well, so none of them was graded. Hand in one "
        "file, named 01-race.cu");
}

TEST_CASE("files that fit no lab are reported; with only one lab, one file is enough") {
  CHECK(match_uploaded({"kernel.cu", "01-race.cu"}, the_labs).remarks.front() ==
        "kernel.cu was not graded: its name does not fit a lab. Rename it, for example to "
        "01-race.cu");
  CHECK(match_uploaded({"kernel.cu", "notes.txt"}, {"01-race"}).kernels.at("01-race") ==
        "kernel.cu");
  const Uploaded several = match_uploaded({"a.cu", "b.cu"}, {"01-race"});
  CHECK(several.kernels.empty());
  CHECK(several.remarks.size() == 2);
}

TEST_CASE("a kernel's name with another ending gets advice") {
  for (const char* name :
       {"01-race.cu", "01-RACE.CU", "01-Race.Cu", "01-race.cu.txt", "01-race.cu~", "01-race.cu ",
        "01-race.cu (1)", "01-race.cu.bak", "01-race.cu_old", "01-race.CU.docx", "01-race.cu."}) {
    CAPTURE(name);
    CHECK(meant_kernel(name) == "01-race.cu");
  }
  CHECK(meant_kernel("01-race.cu (1).cu") == "01-race.cu (1).cu");
  for (const char* name :
       {"01-race.cuh", "01-race.cpp", "notes.txt", ".cu", "01-race.cube.txt", "cu", ""}) {
    CAPTURE(name);
    CHECK_FALSE(meant_kernel(name));
  }
}

TEST_CASE("answers to quizzes are found in the same way") {
  CHECK(match_uploaded({"01-Race.quiz.json"}, the_labs).sheets.at("01-race") ==
        "01-Race.quiz.json");
  CHECK(match_uploaded({"01-Race (1).quiz.json", "01 Race.quiz.json"}, the_labs).remarks.size() ==
        // Neither counts, which is reported.
        1);
  CHECK(match_uploaded({"mine.quiz.json"}, the_labs).remarks.empty());
}

TEST_CASE("links and hidden files are ignored") {
  const testing::TemporaryFolder folder;
  testing::put(folder.at("a/01-race.cu"), "x");
  testing::put(folder.at(".git/01-race.cu"), "x");
  testing::put(folder.at("__MACOSX/._01-race.cu"), "x");
  std::filesystem::create_symlink("/etc/passwd", folder.at("02-atomic-add.cu"));
  const auto files = files_below(folder.path());
  REQUIRE(files.ok());
  CHECK(*files == std::vector<std::string>{"a/01-race.cu"});
  CHECK_FALSE(files_below(folder.at("missing")).ok());
}

TEST_CASE("a kernel is found among thousands of other files") {
  const testing::TemporaryFolder folder;
  for (int i = 0; i < 6000; ++i) testing::put(folder.at(fmt::format("modules/{}.js", i)), "");
  for (const char* name : {"modules/a/01-race.cu", "02-atomic-add/stub.cu",
                           "z/03_interleaved.cu.txt", "01-race.quiz.json"})
    testing::put(folder.at(name), "x");
  const auto files = files_below(folder.path());
  REQUIRE(files.ok());
  CHECK(*files == std::vector<std::string>{"01-race.quiz.json", "02-atomic-add/stub.cu",
                                           "modules/a/01-race.cu", "z/03_interleaved.cu.txt"});
}
