// Forms, and commands for a running launch.
#include "grader/web/service/forms.h"

#include <doctest/doctest.h>

using namespace histolab::web;

TEST_CASE("a number of a query is small and has only digits") {
  CHECK(number_of("", 7, 9) == 7);
  CHECK(number_of("0", 7, 9) == 0);
  CHECK(number_of("9", 7, 9) == 9);
  for (const char* text : {"10", "-1", "1.0", " 1", "x", "99999999999999999999"})
    CHECK_FALSE_MESSAGE(number_of(text, 7, 9), text);
  CHECK(number_in({{"seed", "3"}}, "seed", 1, 9) == 3);
  CHECK(number_in({}, "seed", 1, 9) == 1);
}

TEST_CASE("a path has parts") {
  CHECK(parts_of("/").empty());
  CHECK(parts_of("/lab/02") == std::vector<std::string>{"lab", "02"});
}

TEST_CASE("a form has its fields, decoded") {
  const auto fields = form_of("question=final-values&answer=a+%2B+b%20%3D%2e&empty=&flag");
  CHECK(fields.at("question") == "final-values");
  CHECK(fields.at("answer") == "a + b =.");
  CHECK(fields.at("empty").empty());
  CHECK(fields.at("flag").empty());
  CHECK(form_of("").empty());
}

TEST_CASE("a broken escape stays as it is") {
  CHECK(form_of("a=%").at("a") == "%");
  CHECK(form_of("a=%4").at("a") == "%4");
  CHECK(form_of("a=%zz").at("a") == "%zz");
}

TEST_CASE("of a repeated field, the last value counts") {
  CHECK(form_of("a=1&a=2").at("a") == "2");
}

TEST_CASE("a running launch takes few commands") {
  for (const char* line : {"pause", "run", "quit", "step 1", "step 100000", "speed 0.5", "speed 0"})
    CHECK_MESSAGE(is_stream_command(line), line);
  for (const char* line : {"", "stop", "pause ", "run\nquit", "step", "step ", "step -1",
                           "step 1 2", "speed 1e9", "speed .", "speed 1.2.3", "step 1234567890123"})
    CHECK_FALSE_MESSAGE(is_stream_command(line), line);
}
