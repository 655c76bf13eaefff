// The sentence that a check's parts make.
#include "grader/words/seen.h"

#include <doctest/doctest.h>

using histolab::grader::Seen;

TEST_CASE(
    "what was seen stands behind the case, and what belongs to it behind that, each as a sentence "
    "of its own") {
  const Seen seen{.where = "case a (mixed, 31 bytes)",
                  .what = "expected 4, got 3",
                  .aside = "2 of 3 cases fail",
                  .why = "line 9: nobody waits",
                  .next = "Wait",
                  .note = "one block was launched"};
  CHECK(seen.sentence() ==
        "case a (mixed, 31 bytes): expected 4, got 3 (2 of 3 cases fail). Line 9: nobody waits. "
        "Wait. Note: one block was launched");
}

TEST_CASE("what is said of the case itself follows without a colon") {
  CHECK(
      Seen{.where = "case a", .what = "was stopped: it never ends", .of_where = true}.sentence() ==
      "case a was stopped: it never ends");
}

TEST_CASE("a hint stands last, and what asks needs no full stop") {
  CHECK(Seen{.what = "a race", .next = "Does it wait?"}.sentence("Look.") ==
        "a race. Does it wait? Hint: Look.");
  CHECK(Seen{.what = "a race"}.sentence("Look.") == "a race. Hint: Look.");
}

TEST_CASE("parts that are not there leave nothing behind") {
  CHECK(Seen{}.sentence().empty());
  CHECK(Seen{.what = "right in 3 cases"}.sentence() == "right in 3 cases");
  CHECK(Seen{.where = "case a"}.sentence() == "case a");
  CHECK(Seen{.why = "nobody waits"}.sentence() == "Nobody waits");
  CHECK(Seen{.next = "atomicAdd"}.sentence() == "atomicAdd");  // a name of the code stays as it is
}
