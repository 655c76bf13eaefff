#include "grader/words/words.h"

#include <doctest/doctest.h>

using namespace histolab::grader;

TEST_CASE("numbers are grouped, and only exact shares are 0 % or 100 %") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(166012) == "166 012");
  CHECK(grouped(1048576) == "1 048 576");
  CHECK(plain(4) == "4");
  CHECK(plain(31.25) == "31.25");
  CHECK(plain(0.1) == "0.1");
  CHECK(plain(123456) == "123 456");
  CHECK(counted(1, "case") == "1 case");
  CHECK(counted(2000, "case") == "2 000 cases");
  CHECK(counted(0, "entry", "entries") == "0 entries");
  CHECK(percent(0, 10) == "0 %");
  CHECK(percent(1, 1000) == "under 1 %");
  CHECK(percent(3, 4) == "75 %");
  CHECK(percent(999999, 1000000) == "over 99 %");
  CHECK(percent(10, 10) == "100 %");
  CHECK(in_words("not_yet_attempted") == "not yet attempted");
}

TEST_CASE("the nearest word is suggested, a far one is not") {
  const std::vector<std::string> commands = {"list", "start", "grade", "run"};
  CHECK(nearest("grad", commands) == "grade");
  CHECK(nearest("strat", commands) == "start");
  CHECK(nearest("lst", commands) == "list");
  CHECK(nearest("calibrate", commands).empty());
  CHECK(either(commands) == "list, start, grade or run");
}

TEST_CASE("text is wrapped at blanks and measured in code points") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("unbreakable", 4) == std::vector<std::string>{"unbreakable"});
  CHECK(wrapped("a\nb", 10) == std::vector<std::string>{"a", "b"});
  CHECK(columns("naïve") == 5);
}

TEST_CASE("a student's text cannot control the terminal") {
  CHECK(harmless("\033[2J\ta\x7f\n\xc3\xa9") == "?[2J\ta?\n\xc3\xa9");
  CHECK(harmless("\xc2\x9b"
                 "31m \x9b"
                 "31m \xff\xc3") ==
        "?31m ?31m ??");  // C1, as UTF-8 and as an 8-bit terminal reads it
  CHECK(harmless("a\u202eb\u2066c\u200fd \u05d0") ==
        "a?b?c?d \u05d0");  // right-to-left letters are kept
}

TEST_CASE("a line is found by number") {
  CHECK(line_of("a\nb\r\nc", 2) == "b");
  CHECK(line_of("a\nb\r\nc", 3) == "c");
  CHECK(line_of("a\n", 7).empty());
  CHECK(line_of("a\n", 0).empty());
}

TEST_CASE("a number whose digits are grouped stays on one line") {
  CHECK(wrapped("seen 1 415 963 times", 12) ==
        std::vector<std::string>{"seen", "1 415 963", "times"});
  CHECK(wrapped("bins 7 256 and 1 2", 8) == std::vector<std::string>{"bins", "7 256", "and 1 2"});
  CHECK(wrapped("line 12 1234", 9) == std::vector<std::string>{"line 12", "1234"});
}
