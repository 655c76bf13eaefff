#include "grader/files/spool.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::grader;

TEST_CASE("a spooled text is read back byte for byte") {
  const auto spool = Spool::make();
  REQUIRE_MESSAGE(spool.ok(), spool.error().message);
  SpooledText none, one{std::string("a\0b", 3)}, large{std::string(300'000, 'x')};
  for (SpooledText* each : {&none, &one, &large, &one}) CHECK((*spool)->take(*each));
  CHECK(one.size() == 3);
  CHECK(*one.text() == std::string("a\0b", 3));
  CHECK(large == SpooledText{std::string(300'000, 'x')});
  CHECK_FALSE(large == one);
  CHECK(none.empty());
  CHECK(*none.text() == "");
}

TEST_CASE("a text outlives the spool that holds it, and its copies read the same") {
  SpooledText text{"kept"};
  {
    const auto spool = Spool::make();
    REQUIRE(spool);
    REQUIRE((*spool)->take(text));
  }
  const SpooledText copy = text;
  CHECK(*copy.text() == "kept");
}

TEST_CASE("a spool leaves no file behind, and its error names the unusable folder") {
  const grader::testing::TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", folder.path().c_str(), 1);
  {
    const auto spool = Spool::make();
    REQUIRE(spool);
    SpooledText text{"kept"};
    REQUIRE((*spool)->take(text));
    CHECK(std::filesystem::is_empty(folder.path()));
  }
  setenv("TMPDIR", "/nowhere", 1);
  const auto nowhere = Spool::make();
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message.find("/nowhere: cannot create a temporary file: No such file") ==
        0);
  if (before == nullptr)
    unsetenv("TMPDIR");
  else
    setenv("TMPDIR", kept.c_str(), 1);
}
