#include "grader/bundle/bundle.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "grader/bundle/kit_sources.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::bundle;
using grader::testing::put;
using grader::testing::TemporaryFolder;

namespace {

const File* find(const std::vector<File>& files, const std::string& path) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const File& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a zip archive does not depend on the order of its files") {
  const File a{"a/one", "1\n", false}, b{"run", "#!/bin/sh\n", true};
  const Result<std::string> first = zip_of({a, b}), second = zip_of({b, a});
  REQUIRE(first.ok());
  CHECK(*first == *second);
  CHECK(first->substr(0, 4) == "PK\x03\x04");
}

TEST_CASE(
    "a bundle has the kit's sources, its own scripts and the course's settings, and no other "
    "files") {
  Settings settings{.labs_folder = HISTOLAB_SOURCE_DIR "/labs",
                    .all_labs = {"01-race", "02-atomic-add", "04-privatization"},
                    .labs = {"01-race", "04-privatization"},
                    .seed = 815,
                    .rubric = "{}"};
  for (const std::string& system : systems()) {
    const Result<std::vector<File>> files = files_of(system, settings, HISTOLAB_SOURCE_DIR);
    REQUIRE_MESSAGE(files.ok(), files.error().message);
    const std::string kit = system == "classroom50" ? "histolab-image/" : "";
    for (const char* needed :
         {"histolab/CMakeLists.txt", "histolab/histolab", "histolab/cmake/module.cmake",
          "histolab/grader/pipeline/pipeline.cpp", "histolab/labs/01-race/solution.cu",
          "histolab/kernels/emulator/CMakeLists.txt"})
      CHECK_MESSAGE(find(*files, kit + needed) != nullptr, system, ": ", needed);
    CHECK(find(*files, kit + "arguments")->bytes == "--seed\n815\n01-race\n04-privatization\n");
    CHECK(find(*files, kit + "rubric.json")->bytes == "{}");
    CHECK(find(*files, kit + "histolab/histolab")->executable);
    for (const File& file : *files) {
      CHECK(file.path.find("/build/") == std::string::npos);
      for (const char* of_tests : {"grader/golden", "grader/testdata"})
        CHECK(file.path.find(of_tests) == std::string::npos);
      CHECK(file.path.find("..") == std::string::npos);
    }
  }
  settings.labs = {}, settings.seed = {};
  const auto gradescope = files_of("gradescope", settings, HISTOLAB_SOURCE_DIR);
  for (const char* script : {"setup.sh", "run_autograder"}) {
    REQUIRE(find(*gradescope, script) != nullptr);
    CHECK(find(*gradescope, script)->executable);
  }
  CHECK(find(*gradescope, "arguments")->bytes.empty());
}

TEST_CASE("files that are not the kit's are left out: work, hidden files, backups, links") {
  const TemporaryFolder tree;
  for (const char* path : {"CMakeLists.txt",
                           "CMakePresets.json",
                           "LICENSE",
                           "README.md",
                           "histolab",
                           "cmake/a.cmake",
                           "datasets/a.h",
                           "docs/measurements/m.json",
                           "docs/big.png",
                           "grader/a.cpp",
                           "grader/golden/x",
                           "grader/testdata/x",
                           "grader/attacks/bomb.cu",
                           "kernels/.hidden",
                           "kernels/a.cpp~",
                           "labs/01-race/stub.cu",
                           "profiles/p.json",
                           "reference/a.h",
                           "work/01-race.cu",
                           "build/x",
                           ".git/config"})
    put(tree.at(path), "x");
  std::filesystem::create_symlink("/etc/passwd", tree.at("reference/passwd"));
  const auto files = kit_sources(tree.path(), "k/");
  REQUIRE_MESSAGE(files.ok(), files.error().message);
  std::vector<std::string> paths;
  for (const File& file : *files) paths.push_back(file.path);
  std::sort(paths.begin(), paths.end());
  CHECK(paths == std::vector<std::string>{"k/CMakeLists.txt", "k/CMakePresets.json", "k/LICENSE",
                                          "k/README.md", "k/cmake/a.cmake", "k/datasets/a.h",
                                          "k/docs/measurements/m.json", "k/grader/a.cpp",
                                          "k/histolab", "k/profiles/p.json", "k/reference/a.h"});
}

TEST_CASE("named labs come from any folder, with all their files and links") {
  const TemporaryFolder mine, elsewhere;
  for (const char* path :
       {"compile_flags.txt", "14-vowels/lab.json", "14-vowels/attempts/a/kernel.cu",
        "14-vowels/.hidden", "14-vowels/stub.cu~", "drafts/lab.json", "notes.txt"})
    put(mine.at(path), "x");
  put(elsewhere.at("15-words/lab.json"), "y"), put(elsewhere.at("solution.cu"), "z");
  std::filesystem::create_directory_symlink(elsewhere.at("15-words"), mine.at("15-words"));
  std::filesystem::create_symlink(elsewhere.at("solution.cu"), mine.at("14-vowels/solution.cu"));
  std::filesystem::create_directory_symlink(mine.path(), mine.at("14-vowels/loop"));
  auto files = lab_files(mine.path(), {"14-vowels", "15-words"}, "k/");
  REQUIRE_MESSAGE(files.ok(), files.error().message);
  std::ranges::sort(*files, {}, &File::path);
  std::vector<std::string> paths;
  for (const File& file : *files) paths.push_back(file.path);
  CHECK(paths == std::vector<std::string>{"k/14-vowels/attempts/a/kernel.cu",
                                          "k/14-vowels/lab.json", "k/14-vowels/solution.cu",
                                          "k/15-words/lab.json", "k/compile_flags.txt"});
  CHECK(find(*files, "k/14-vowels/solution.cu")->bytes == "z");
  CHECK_FALSE(lab_files(mine.path(), {"16-none"}, "k/").ok());

  const Settings settings{.labs_folder = mine.path(),
                          .all_labs = {"14-vowels", "15-words"},
                          .labs = {},
                          .seed = {},
                          .rubric = {}};
  const auto bundled = files_of("prairielearn", settings, HISTOLAB_SOURCE_DIR);
  REQUIRE_MESSAGE(bundled.ok(), bundled.error().message);
  CHECK(find(*bundled, "histolab/labs/14-vowels/lab.json") != nullptr);
  CHECK(find(*bundled, "histolab/labs/01-race/lab.json") == nullptr);
  CHECK(find(*bundled, "question/question.html")
            ->bytes.find("file-names=\"14-vowels.cu,15-words.cu\"") != std::string::npos);
}

TEST_CASE("an unknown system and a missing source tree are reported") {
  CHECK(files_of("gradescop", {}, HISTOLAB_SOURCE_DIR).error().message ==
        "there is no bundle \"gradescop\"; did you mean gradescope?; the bundles are gradescope, "
        "prairielearn, classroom50, exercism");
  CHECK(files_of("gradescope", {}, "/nowhere").error().message.find("no longer in /nowhere") !=
        std::string::npos);
}
