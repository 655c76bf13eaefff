#include "grader/quiz/dialogue.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/quiz/testing/sample_quiz.h"
#include "grader/testing/files.h"
#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::quiz;
using namespace histolab::quiz::testing;
using grader::testing::matches_golden;

namespace {

struct Held {
  // Includes the typed text.
  std::string said;
  Sheet sheet;
  int kept = 0;
  bool to_the_end = false;
};

Held held(std::vector<std::string> typed, const Screen& screen = {}, Sheet sheet = {}) {
  Held result;
  const Quiz quiz = sample_quiz();
  std::size_t next = 0;
  const Terminal terminal{.screen = screen,
                          .read_line = [&]() -> std::optional<std::string> {
                            if (next == typed.size()) return std::nullopt;
                            result.said += typed[next] + "\n";
                            return typed[next++];
                          },
                          .print = [&](const std::string& text) -> Status {
                            result.said += text;
                            return Done{};
                          },
                          .save = [&](const Sheet&) -> Status {
                            ++result.kept;
                            return Done{};
                          }};
  const Result<bool> done = run_dialogue(quiz, sheet, terminal);
  REQUIRE(done.ok());
  result.to_the_end = *done;
  result.sheet = std::move(sheet);
  return result;
}

const std::vector<std::string> script = {"10 G/s", "ten", "0.01 G/s", "give up", "3",
                                         "",       "c",   "b",        "a",       "q"};

std::size_t widest(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    widest = std::max(widest, grader::columns(text.substr(at, end - at)));
    at = end + 1;
  }
  return widest;
}

}  // namespace

TEST_CASE("dialogue with 80 columns") { CHECK(matches_golden("quiz.txt", held(script).said)); }

TEST_CASE("dialogue with 40 columns") {
  const std::string said = held(script, {.width = 40}).said;
  CHECK(matches_golden("quiz-40.txt", said));
  CHECK(widest(said) <= 40);
}

TEST_CASE("colour adds only escape sequences") {
  std::string said = held(script, {.color = true}).said;
  CHECK(said.find('\x1b') != std::string::npos);
  for (std::size_t at = said.find('\x1b'); at != std::string::npos; at = said.find('\x1b'))
    said.erase(at, said.find('m', at) + 1 - at);
  CHECK(said == held(script).said);
  CHECK(held(script).said.find('\x1b') == std::string::npos);
}

TEST_CASE("each answer is saved at once, and right answers are not asked again") {
  const Held first = held({"10 G/s", "0.01 G/s", "q"});
  CHECK(first.kept == 2);
  CHECK_FALSE(first.to_the_end);
  CHECK(first.sheet.answers.at("one-address").text == "0.01 G/s");
  CHECK(first.sheet.answers.at("one-address").wrong_tries == 1);
  const Held second = held({"1-3", "", ""}, {}, first.sheet);
  CHECK(second.to_the_end);
  CHECK(second.said.find("one-address") == std::string::npos);
  CHECK(second.said.find("2 of 4: final-values") != std::string::npos);
}

TEST_CASE("giving up requires a try, shows the answer and earns nothing") {
  CHECK(held({"give up"}).said.find("Try it once first") != std::string::npos);
  CHECK(held({"give up", "give up"}).said.find("10 M") == std::string::npos);
  const Held gave_up = held({"1", "give up", "q"});
  CHECK(gave_up.said.find("The answer is 10 M atomics/s. 1 / 100 ns is 10 M atomics/s.") !=
        std::string::npos);
  CHECK(gave_up.sheet.answers.at("one-address").gave_up);
  CHECK(gave_up.said.find("1 gave up") != std::string::npos);
  // A wrong answer never shows the right one.
  CHECK(held({"10 G/s"}).said.find("10 M") == std::string::npos);
}

TEST_CASE("nonsense is accepted as input but not stored") {
  std::vector<std::string> nonsense = {
      "\x1b[31m",  "\xff\xfe",    "%s%n", std::string(100000, 'a'), "-", "{",
      "../../etc", "10 furlongs", "NaN"};
  const Held result = held(nonsense);
  CHECK(result.kept == 0);
  CHECK(result.sheet.answers.empty());
  std::string said = result.said;
  for (const std::string& each : nonsense)
    if (const std::size_t at = said.find(each + "\n"); at != std::string::npos)
      said.erase(at, each.size());
  CHECK(said.find('\x1b') == std::string::npos);
  CHECK(said.size() < 10000);
}

TEST_CASE("the list shows ids and states, but no answers") {
  Sheet sheet;
  sheet.answers["one-address"] = {"10 G/s", 1, false};
  sheet.answers["which-kernel"] = {"a", 0, false};
  const Quiz quiz = sample_quiz();
  const Result<std::string> text = listing(quiz, sheet, {.width = 40});
  REQUIRE(text.ok());
  CHECK(text->find("1 of 4: one-address (wrong)") != std::string::npos);
  CHECK(text->find("A nanosecond") != std::string::npos);
  CHECK(text->find("4 of 4: which-kernel (right)") != std::string::npos);
  CHECK(text->find("10 M atomics") == std::string::npos);
  CHECK(widest(*text) <= 40);

  const Result<nlohmann::ordered_json> state = state_of(quiz, sheet);
  REQUIRE(state.ok());
  CHECK((*state)["questions"][0]["status"] == "wrong");
  CHECK((*state)["questions"][0]["why"].is_null());
  CHECK((*state)["questions"][3]["why"] == "It does 2 G elements/s.");
  CHECK(state->dump().find("10 M atomics") == std::string::npos);
}
