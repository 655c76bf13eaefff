// Tests of attempts: whole kernels, and patches of the solution.
#include "grader/lab/attempt.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/lab/patch.h"
#include "grader/lab/submission.h"
#include "grader/testing/files.h"

using namespace histolab::grader;
using namespace histolab::grader::testing;
namespace fs = std::filesystem;

namespace {

const std::string old_text = "one\ntwo\n\nthree\nfour\nfive\nsix\nseven\n";

// The text that the hunks make of the old one, or the message that says why not.
std::string patched(const std::string& hunks) {
  const auto made = apply_patch(old_text, hunks, "p", "the text");
  return made ? *made : made.error().message;
}

std::string message(const std::string& path) {
  const auto read = read_kernel(path);
  return read ? "it was read" : read.error().message;
}

}  // namespace

TEST_CASE("a patch is a unified diff, with any context") {
  const std::string changed = "one\n2\n\nthree\nfour\nfive\nseven\neight\n";
  CHECK(patched("--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n \n@@ -6,3 +6,3 @@ f()\n five\n"
                "-six\n seven\n+eight\n") == changed);
  CHECK(patched("@@ -2 +2 @@\n-two\n+2\n@@ -7,1 +6,0 @@\n-six\n@@ -8,0 +8 @@\n+eight\n") ==
        changed);
  CHECK(patched("@@ -2,2 +2,2 @@\n-two\n+2\n\n@@ -7 +7 @@\n-six\n+6\n") ==
        "one\n2\n\nthree\nfour\nfive\n6\nseven\n");
  CHECK(patched("@@ -0,0 +1 @@\n+zero\n") == "zero\n" + old_text);
  CHECK(patched("@@ -1,8 +0,0 @@\n-one\n-two\n-\n-three\n-four\n-five\n-six\n-seven\n").empty());
}

TEST_CASE("a patch of another text does not apply: no fuzz, no offset") {
  CHECK(patched("--- a\n+++ b\n@@ -2,2 +2 @@\n tow\n-\n") ==
        "p:4: the patch does not apply: it expects \"tow\" as line 2 of the text, which is "
        "\"two\"");
  CHECK(patched("@@ -3,2 +3,2 @@\n-two\n+2\n \n") ==
        "p:2: the patch does not apply: it expects \"two\" as line 3 of the text, which is \"\"");
  CHECK(patched("@@ -2 +2 @@\n-two \n+2\n").starts_with("p:2: the patch does not apply"));
  CHECK(patched("@@ -8,2 +8 @@\n seven\n-eight\n") ==
        "p:3: the patch does not apply: it expects \"eight\" as line 9 of the text, which has 8 "
        "lines");
  CHECK(patched("@@ -70 +70 @@\n-two\n+2\n") ==
        "p:1: the hunk begins on line 9 of the kernel, but its header says 70");
  CHECK(patched("@@ -2 +3 @@\n-two\n+2\n") ==
        "p:1: the hunk begins on line 2 of the kernel, but its header says 3");
  CHECK(patched("@@ -5 +5 @@\n-four\n+4\n@@ -2 +2 @@\n-two\n+2\n") ==
        "p:4: the hunk begins on line 2 of the text, but the previous one ends after that");
}

TEST_CASE("text that is not a unified diff is refused") {
  CHECK(patched("") == "p:1: the patch has no hunk");
  CHECK(patched("--- a\n+++ b\n") == "p:3: the patch has no hunk");
  const std::string no_hunk = ": expected a hunk, \"@@ -LINE,COUNT +LINE,COUNT @@\", found ";
  CHECK(patched("2c2\n< two\n") == "p:1" + no_hunk + "\"2c2\"");
  for (const std::string header : {"@@ -2 @@", "@@ -2 +2", "@@ -2, +2 @@", "@@ -x +2 @@",
                                   "@@ -2 +-2 @@", "@@ -99999999999 +2 @@"})
    CHECK(patched(header + "\n-two\n+2\n") == "p:1" + no_hunk + "\"" + header + "\"");
  CHECK(patched("@@ -2 +2 @@\n-two\n+2\n+3\n") == "p:4" + no_hunk + "\"+3\"");
  const std::string too_short = ", but its header says more";
  CHECK(patched("@@ -2 +2 @@\n-two\n") == "p:1: the hunk ends before line 3" + too_short);
  CHECK(patched("@@ -2,2 +2 @@\n-two\n+2\n+3\n") == "p:1: the hunk ends before line 4" + too_short);
  CHECK(patched("@@ -2 +2 @@\n-two\n\\ No newline at end of file\n+2\n") ==
        "p:1: the hunk ends before line 3" + too_short);
}

TEST_CASE("an attempt is stored whole or as a patch, and has one path") {
  const TemporaryFolder lab;
  put(lab.at("solution.cu"), "// The solution.\nint a;  // one\n\nint b;\n");
  const std::string whole = lab.at("attempts/whole/kernel.cu");
  put(whole, "int c;\n");
  CHECK(stored_path(whole) == whole);
  CHECK(read_submission(whole)->text == "int c;\n");

  const std::string path = lab.at("attempts/patched/kernel.cu"),
                    patch = lab.at("attempts/patched/solution.patch");
  CHECK(message(path) == path + ": there is no such file");
  put(patch, "@@ -1,2 +1,2 @@\n-int a;\n+int z;\n\n");
  CHECK(stored_path(path) == patch);
  CHECK(kernel_path(patch) == path);
  for (const std::string& named : {path, patch}) {
    const auto read = read_submission(named);
    REQUIRE(read.ok());
    CHECK(read->path == path);
    CHECK(read->text == "int z;\n\nint b;\n");
  }
  CHECK(*patched_code(lab.path()) == "int a;\n\nint b;\n");

  put(path, "int c;\n");
  CHECK(message(path) ==
        path + " and " + patch + " are both there; which one is the attempt? Remove the other");
  fs::remove(path);
  put(lab.at("solution.cu"), "int b;\n");
  CHECK(message(path) == patch +
                             ":2: the patch does not apply: it expects \"int a;\" as line 1 of "
                             "the solution without its comments, which is \"int b;\"");
  fs::remove(lab.at("solution.cu"));
  CHECK(message(path) == lab.at("solution.cu") + ": there is no such file");
}

TEST_CASE("only a folder of attempts has patches") {
  const TemporaryFolder folder;
  put(folder.at("solution.cu"), "int a;\n");
  for (const char* name : {"x/y/solution.patch", "solution.patch"}) {
    put(folder.at(name), "@@ -1 +1 @@\n-int a;\n+int b;\n");
    CHECK(kernel_path(folder.at(name)) == folder.at(name));
    CHECK(read_kernel(folder.at(name)).value().starts_with("@@"));
  }
  CHECK(message(folder.at("x/y/kernel.cu")) ==
        folder.at("x/y/kernel.cu") + ": there is no such file");
}
