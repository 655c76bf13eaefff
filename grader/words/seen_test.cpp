// The sentence made from the parts of an observation.
#include "grader/words/seen.h"

#include <doctest/doctest.h>

using histolab::grader::Seen;

TEST_CASE("a sentence starts with the case and the observation; reason, advice and note follow") {
  const Seen seen{.where = "case a (mixed, 31 bytes)",
                  .what = "expected 4, got 3",
                  .aside = "2 of 3 cases fail",
                  .why = "line 9: no thread waits",
                  .next = "Wait",
                  .note = "one block was launched"};
  CHECK(seen.sentence() ==
        "case a (mixed, 31 bytes): expected 4, got 3 (2 of 3 cases fail). Line 9: no thread waits. "
        "Wait. Note: one block was launched");
}

TEST_CASE("a predicate of the case follows it without a colon") {
  CHECK(
      Seen{.where = "case a", .what = "was stopped: it never ends", .of_where = true}.sentence() ==
      "case a was stopped: it never ends");
}

TEST_CASE("a hint comes last, and a question gets no full stop") {
  CHECK(Seen{.what = "a race", .next = "Does it wait?"}.sentence("Look.") ==
        "a race. Does it wait? Hint: Look.");
  CHECK(Seen{.what = "a race"}.sentence("Look.") == "a race. Hint: Look.");
}

TEST_CASE("empty parts leave no punctuation") {
  CHECK(Seen{}.sentence().empty());
  CHECK(Seen{.what = "right in 3 cases"}.sentence() == "right in 3 cases");
  CHECK(Seen{.where = "case a"}.sentence() == "case a");
  CHECK(Seen{.why = "no thread waits"}.sentence() == "No thread waits");
  CHECK(Seen{.next = "atomicAdd"}.sentence() == "atomicAdd");  // an identifier keeps its case
}
