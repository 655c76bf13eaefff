#include "grader/course/new_lab.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

const std::string from = HISTOLAB_SOURCE_DIR "/grader/template";

}  // namespace

TEST_CASE("a new lab gets the next number, loads, and lists its unwritten places") {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  const Result<std::string> folder = new_lab(from, labs.path(), "warp-votes");
  REQUIRE_MESSAGE(folder.ok(), (folder.ok() ? "" : folder.error().message));
  CHECK(*folder == labs.at("03-warp-votes"));
  const Result<LabSpec> lab = load_lab(*folder);
  REQUIRE_MESSAGE(lab.ok(), (lab.ok() ? "" : lab.error().message));
  CHECK(get(*folder + "/stub.cu").starts_with("// Lab 03: "));
  CHECK(get(*folder + "/lab.json").find("@") == std::string::npos);
  const std::vector<CourseProblem> places = unwritten(*lab);
  REQUIRE(places.size() > 10);
  CHECK(places.front().file == *folder + "/lab.json:3");
  CHECK(places.front().message == "is still to be written: a title of one to three words");
  put(*folder + "/lab.json", replaced(get(*folder + "/lab.json"), "TODO(author): ", ""));
  CHECK(unwritten(*lab).size() == places.size() - 3);
}

TEST_CASE("invalid or used names make no folder") {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  for (const char* slug :
       {"", "Votes", "../votes", "a b", "-a", "a-", "1st", "a\n", "votes-2", "warp-votes-10"}) {
    CAPTURE(slug);
    CHECK(new_lab(from, labs.path(), slug).error().message.find("is not a valid lab name") !=
          std::string::npos);
  }
  CHECK(new_lab(from, labs.path(), "votes-2").error().message ==
        "\"votes-2\" is not a valid lab name: a number at the end of a student's file name is "
        "dropped, as that of a copy; choose another name");
  CHECK(new_lab(from, labs.path(), "sample").error().message ==
        "there is " + labs.at("02-sample") + " already");
  CHECK(new_lab(labs.at("nothing"), labs.path(), "votes").error().message.find("No such file") !=
        std::string::npos);
  CHECK(std::distance(std::filesystem::directory_iterator(labs.path()), {}) == 1);
}
