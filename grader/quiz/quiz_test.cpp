#include "grader/quiz/quiz.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "grader/quiz/judge.h"
#include "grader/quiz/testing/sample_quiz.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::quiz;
using namespace histolab::quiz::testing;
using grader::testing::put;
using grader::testing::replaced;
using grader::testing::TemporaryFolder;

namespace {

// Returns the error of loading the sample after replacing `from` with `to`, or an empty string.
std::string problem(const std::string& from, const std::string& to) {
  REQUIRE_MESSAGE(sample_quiz_json().find(from) != std::string::npos, from);
  const TemporaryFolder labs;
  put(labs.at("02-sample/quiz.json"), replaced(sample_quiz_json(), from, to));
  put_sample_measurements(labs.path());
  const Result<Quiz> quiz = load_quiz(labs.at("02-sample"), labs.path());
  return quiz ? "" : quiz.error().message;
}

void says(const std::string& from, const std::string& to, const std::string& expected) {
  const std::string got = problem(from, to);
  CHECK_MESSAGE(got.find("02-sample/quiz.json: " + expected) != std::string::npos,
                from << " -> " << to << ": " << got);
}

Posed posed_to(const Quiz& quiz, const std::string& id, const Person& person = {}) {
  const Question* question = quiz.find(id);
  REQUIRE(question != nullptr);
  Result<Posed> result = pose(quiz, *question, person);
  REQUIRE(result.ok());
  return *result;
}

}  // namespace

TEST_CASE("the sample loads and accepts its computed answers") {
  const Quiz quiz = sample_quiz();
  CHECK(quiz.questions.size() == 4);
  CHECK(check_drawn_questions(quiz).ok());
  CHECK(posed_to(quiz, "one-address").text ==
        "Each takes 100 ns on one address. How many a second?");
  CHECK(posed_to(quiz, "one-address").answer() == "10 M atomics/s");
  CHECK(posed_to(quiz, "final-values").answer() == "1 2 3");
  CHECK(posed_to(quiz, "final-values").code ==
        std::vector<std::string>{"sample<<<1, 3>>>(histo);"});
}

TEST_CASE("right answers get the reason, misconceptions an explanation, others no help") {
  const Quiz quiz = sample_quiz();
  const Posed address = posed_to(quiz, "one-address");
  CHECK(judge(address, "0.01 G/s").standing == Standing::right);
  CHECK(judge(address, "0.01 G/s").message == "1 / 100 ns is 10 M atomics/s.");
  CHECK(judge(address, "10.05 M").standing == Standing::right);
  CHECK(judge(address, "10 G/s").message == "A nanosecond is 10^-9 s.");
  CHECK(judge(address, "320 M/s").message == "Lanes do not help on one address.");
  CHECK(judge(address, "7 M/s").standing == Standing::wrong);
  CHECK(judge(address, "7 M/s").message == "That is not it.");
  CHECK(judge(address, "9.8 M").message.find("near") != std::string::npos);
  CHECK(judge(address, "many").standing == Standing::not_understood);
  CHECK(judge(address, "10 ns").standing == Standing::not_understood);
  CHECK(judge(address, "  ").standing == Standing::unanswered);
  CHECK(judge(address, std::string(max_answer_bytes + 1, '1')).standing ==
        Standing::not_understood);

  const Posed values = posed_to(quiz, "final-values");
  CHECK(judge(values, "3, 2 and 1").standing == Standing::right);
  CHECK(judge(values, "3").message == "Some may be lost.");
  CHECK(judge(values, "1 2").message == "These are right, but some are missing.");
  CHECK(judge(values, "1 2 3 4").message == "Some of these are wrong.");
  CHECK(judge(values, "all").standing == Standing::not_understood);

  const Posed choice = posed_to(quiz, "which-call");
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    const Judgement judgement = judge(choice, std::string(1, static_cast<char>('a' + i)));
    CHECK(judgement.standing == (choice.options[i].right ? Standing::right : Standing::wrong));
    CHECK(judgement.message == (choice.options[i].right ? choice.why : choice.options[i].why));
  }
  CHECK(judge(choice, " (" + choice.answer() + ") ").standing == Standing::right);
  CHECK(judge(choice, "atomicAdd(&Total, Partial)").standing == Standing::right);
  for (const char* text : {"d", "z", "aa", "1", "", "\xff", "atomicAdd"})
    CHECK_MESSAGE(judge(choice, text).standing != Standing::right, std::string{text});
}

TEST_CASE("values are equal within a tolerance of the key, or of 1 if the key is 0") {
  CHECK(same(Value{101.0}, Value{100.0}, 0.01));
  CHECK_FALSE(same(Value{101.5}, Value{100.0}, 0.01));
  CHECK(same(Value{99.0}, Value{100.0}, 0.01));
  CHECK(same(Value{0.005}, Value{0.0}, 0.01));
  CHECK_FALSE(same(Value{0.02}, Value{0.0}, 0.01));
  CHECK(same(Value{0.1 + 0.2}, Value{0.3}, 0));
  CHECK_FALSE(same(Value{0.3001}, Value{0.3}, 0));
  CHECK(same(Value{Numbers{0.1 + 0.2, 1}}, Value{Numbers{0.3, 1}}, 0));
  CHECK_FALSE(same(Value{Numbers{0.3, 1}}, Value{Numbers{0.3}}, 0));
  CHECK_FALSE(same(Value{Numbers{1}}, Value{1.0}, 1));
}

TEST_CASE("the reply to a wrong answer never contains the right one") {
  const Quiz quiz = sample_quiz();
  for (const Question& question : quiz.questions) {
    if (question.kind == Question::Kind::choice) continue;
    const Posed posed = posed_to(quiz, question.id);
    for (const char* answer : {"0", "1", "2", "3", "10 G/s", "320 M/s", "x", "9.8 M"})
      if (const Judgement judgement = judge(posed, answer); judgement.standing != Standing::right)
        CHECK(judgement.message.find(posed.answer()) == std::string::npos);
  }
}

TEST_CASE("different students have different numbers, the same student always the same") {
  const Quiz quiz = sample_quiz();
  std::set<std::string> texts, orders;
  for (int i = 0; i < 40; ++i) {
    const Person person{"student " + std::to_string(i), 0};
    const Posed posed = posed_to(quiz, "one-address", person);
    CHECK(posed.text == posed_to(quiz, "one-address", person).text);
    CHECK(judge(posed, posed.answer()).standing == Standing::right);
    texts.insert(posed.text);
    std::string order;
    for (const Option& option : posed_to(quiz, "which-call", person).options) order += option.text;
    orders.insert(order);
  }
  CHECK(texts.size() == 3);   // all possible draws
  CHECK(orders.size() == 6);  // 3!
  CHECK(posed_to(quiz, "one-address", {"", 0}).text == posed_to(quiz, "one-address").text);
  std::set<std::string> by_seed;
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    by_seed.insert(posed_to(quiz, "one-address", {"Ada", seed}).text);
  CHECK(by_seed.size() == 3);
}

namespace {

// The sample's third question, with three variants and a drawn name.
std::string variants_json() {
  std::string json = sample_quiz_json();
  const std::size_t begin = json.find("    {\"id\": \"which-call\""),
                    end = json.find("    {\"id\": \"which-kernel\"");
  return json.replace(begin, end - begin,
                      R"json(
    {"id": "which-call", "kind": "choice", "text": "Which line is wrong?",
     "draw": {"i": ["i", "at", "pos", "k"]},
     "variants": [
       {"code": ["if ({i} <= n)"], "why": "n is one too far.", "options": [
         {"text": "`{i} <= n`: too far", "right": true}, {"text": "none", "why": "There is one."}]},
       {"code": ["if ({i} < n - 1)"], "why": "n - 1 counts.", "options": [
         {"text": "`{i} < n - 1`: too early", "right": true}, {"text": "none", "why": "There is one."}]},
       {"text": "And here?", "code": ["if ({i} > n)"], "why": "It is turned round.", "options": [
         {"text": "`{i} > n`: turned round", "right": true}, {"text": "none", "why": "There is one."}]}
     ]},
)json");
}

Result<Quiz> quiz_with_variants(const std::string& from = "", const std::string& to = "") {
  const TemporaryFolder labs;
  put(labs.at("02-sample/quiz.json"),
      from.empty() ? variants_json() : replaced(variants_json(), from, to));
  put_sample_measurements(labs.path());
  return load_quiz(labs.at("02-sample"), labs.path());
}

}  // namespace

TEST_CASE("one variant is drawn per student, and its right words are wrong in the others") {
  const Result<Quiz> quiz = quiz_with_variants();
  REQUIRE_MESSAGE(quiz.ok(), (quiz ? "" : quiz.error().message));
  CHECK(check_drawn_questions(*quiz).ok());
  CHECK(posed_to(*quiz, "which-call").code == std::vector<std::string>{"if (i <= n)"});
  std::map<std::string, std::string> words;  // the code, by the words of the right answer
  std::size_t texts = 0, served = 0, pairs = 0;
  std::vector<Posed> all;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Posed posed = posed_to(*quiz, "which-call", {"", seed});
    CHECK(posed.code == posed_to(*quiz, "which-call", {"", seed}).code);
    CHECK(judge(posed, posed.answer()).standing == Standing::right);
    texts += posed.text == "And here?";
    for (const Option& option : posed.options)
      if (option.right) words[option.text] = posed.code.front();
    all.push_back(posed);
  }
  CHECK(words.size() == 12);  // 3 variants, 4 names
  CHECK(texts > 5);
  for (const Posed& mine : all)
    for (const auto& [text, code] : words) {
      ++pairs;
      served += judge(mine, text).standing == Standing::right;
    }
  CHECK(served * 12 == pairs);
}

TEST_CASE("variants are read strictly") {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& expected) {
    const Result<Quiz> quiz = quiz_with_variants(from, to);
    const std::string got = quiz ? "" : quiz.error().message;
    CHECK_MESSAGE(got.find("02-sample/quiz.json: " + expected) != std::string::npos,
                  from << " -> " << to << ": " << got);
  };
  refused("\"why\": \"n - 1 counts.\", ", "", "/questions/2/variants/1/why: is missing");
  refused("\"why\": \"n - 1 counts.\"", "\"why\": \"n - 1 counts.\", \"id\": \"x\"",
          "/questions/2/variants/1/id: is a key of the question");
  refused("\"text\": \"Which line is wrong?\"", "\"text\": \"Which?\", \"why\": \"Because.\"",
          "/questions/2/why: is a key of each variant");
  refused("\"text\": \"Which line is wrong?\",", "", "/questions/2/variants/0/text: is missing");
  refused("{\"text\": \"And here?\"", "7, {\"text\": \"And here?\"",
          "/questions/2/variants/2: expected an object");
  refused("\"kind\": \"choice\", \"text\": \"Which line is wrong?\"",
          "\"kind\": \"set\", \"text\": \"Which line is wrong?\"", "/questions/2/");
  refused("if ({i} > n)", "if ({j} > n)",
          "/questions/2/variants/2/code/0: {j}: \"j\" is not defined here");
  refused("if ({i} > n)", "if ({i} > n) // a line of code that is too long",
          "/questions/2/variants/2/code/0: a line of code may have at most 36 columns");
  // Otherwise one answer would be right for two variants. Blanks, dots, parentheses and case do not
  // count.
  refused("`{i} < n - 1`: too early", "`{i} <= N`: Too far.",
          "/questions/2/variants/0/options: the right option is right in variant 1, too");
  refused("`{i} < n - 1`: too early", "({i} <=  n): too far.",
          "/questions/2/variants/0/options: the right option is right in variant 1, too");
  refused("`{i} > n`: turned round", "(None.)",
          "/questions/2/variants/2/options: two options are \"none\"");
  refused("`{i} > n`: turned round", "B.",
          "/questions/2/variants/2/options: \"B.\" cannot be an answer");
}

TEST_CASE("no text matches several options, and a longer text matches none") {
  const Result<Quiz> quiz = quiz_with_variants();
  REQUIRE(quiz.ok());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Posed posed = posed_to(*quiz, "which-call", {"", seed});
    std::string all, letters;
    for (const Option& option : posed.options) {
      all += option.text + "\n";
      letters += static_cast<char>('a' + letters.size());
    }
    for (const std::string& text :
         std::vector<std::string>{all, letters, "a or b", "a, b", posed.answer() + posed.answer(),
                                  posed.code.front(), "none " + all})
      CHECK_MESSAGE(judge(posed, text).standing != Standing::right, text);
  }
}

TEST_CASE("an answer in words is wrong for nearly all other students in each choice of lab 12") {
  const std::string source = HISTOLAB_SOURCE_DIR;
  const Result<Quiz> quiz = load_quiz(source + "/labs/12-bug-hunt", source + "/docs/measurements");
  REQUIRE(quiz.ok());
  std::size_t choices = 0;
  for (const Question& question : quiz->questions) {
    if (question.kind != Question::Kind::choice) continue;
    ++choices;
    CHECK_MESSAGE(question.variants.size() >= 4, question.id);
    std::vector<Posed> all;
    for (std::uint64_t seed = 0; seed < 32; ++seed)
      all.push_back(posed_to(*quiz, question.id, {"", seed}));
    std::size_t served = 0;
    for (const Posed& mine : all)
      for (const Posed& other : all)
        if (&mine != &other)
          for (const Option& option : other.options)
            served += option.right && judge(mine, option.text).standing == Standing::right;
    CHECK_MESSAGE(served < 32 * 31 * 2 / 5, question.id);
  }
  CHECK(choices == 13);
}

TEST_CASE("a wrong key is an error with its position") {
  says("\"example\": \"0.01 G/s\"", "\"example\": \"0.1 G/s\"",
       "/questions/0/example: \"0.1 G/s\" is not the answer; that is 10 M atomics/s");
  says("\"latency_ns\": \"latency\"", "\"latency_ns\": 50", "/questions/0/example");
  says("\"example\": \"1 2 3\"", "\"example\": \"1 2\"",
       "/questions/1/example: \"1 2\" is not the answer; that is 1 2 3");
  says("\"right\": true, \"row\": {\"kernel\": \"fast\"}",
       "\"why\": \"No.\", \"row\": {\"kernel\": \"fast\"}",
       "/questions/3/options: exactly one option must be right");
  says("{\"text\": \"Total\", \"why\": \"An address is needed.\"}",
       "{\"text\": \"Total\", \"right\": true}",
       "/questions/2/options: exactly one option must be right");
  says("\"highest\"", "\"lowest\"",
       "/questions/3/options: by the measurements \"the slow one\" is right");
  says("{\"kernel\": \"slow\"}", "{\"kernel\": \"nearly\"}",
       "/questions/3/options: the two best are too close");
  says("{\"kernel\": \"slow\"}", "{\"kernel\": \"none\"}",
       "/questions/3/options/1/row: no rows of sample.json fit");
  says("on an {device}", "somewhere",
       "/questions/3/text: does not name the measured device: SLOW 1");
}

TEST_CASE("answers use models with valid arguments") {
  const std::string model = "{\"model\": \"updates_per_second\", \"latency_ns\": \"latency\"}";
  says("\"answer\": " + model, "\"answer\": 10000000", "/questions/0/answer: expected a model");
  says("\"updates_per_second\"", "\"updates_per_secnd\"",
       "/questions/0/answer/model: unknown word \"updates_per_secnd\"; did you mean "
       "updates_per_second?");
  says("\"latency_ns\": \"latency\"", "\"latency_ns\": \"latencies\"",
       "/questions/0/answer/latency_ns: \"latencies\" is not defined here; did you mean "
       "latency?");
  says("\"latency_ns\": \"latency\"", "\"latency_ns\": 0",
       "/questions/0/answer/latency_ns: is 0; expected a number from");
  says("\"latency_ns\": \"latency\"", "\"latency\": \"latency\"",
       "/questions/0/answer/latency: is not a key of this object; did you mean latency_ns?");
  says("\"latency_ns\": \"latency\"", "\"shape\": 1", "/questions/0/answer/latency_ns: is missing");
  says("\"latency_ns\": \"latency\"", "\"latency_ns\": \"latency\", \"more\": 1",
       "/questions/0/answer/more: is not a key of this object");
  says("\"latency_ns\": \"latency\"", "\"latency_ns\": [1]",
       "/questions/0/answer/latency_ns: expected a number, a name, a model or a measurement");
  says("\"threads\": 3", "\"threads\": 2.5",
       "/questions/1/answer/threads: is 2.5; expected a whole number from 1 to 6");
  says("\"threads\": 3", "\"threads\": 60", "/questions/1/answer/threads");
}

TEST_CASE("misconceptions have different answers and do not reveal the key") {
  says("\"of\": [\"answer\", 32]", "\"of\": [\"answer\", 1000]",
       "/questions/0/misconceptions/1: gives the same answer as misconceptions/0");
  says("\"of\": [3]", "\"of\": [1, 2, 3]",
       "/questions/1/misconceptions: one of them is the right answer");
  says("A nanosecond is 10^-9 s.", "It is {answer}.",
       "/questions/0/misconceptions/0/why: {answer}: \"answer\" is not defined here");
  says("{\"model\": \"set\", \"of\": [3]}", "3",
       "/questions/1/misconceptions/0: is of a different kind than the answer");
}

TEST_CASE("unknown, missing and excess keys are reported with their position") {
  says("\"histolab/quiz/1\"", "\"histolab/quiz/2\"", "/schema: expected \"histolab/quiz/1\"");
  says("\"kind\": \"number\"", "\"kind\": \"essay\"", "/questions/0/kind: unknown word \"essay\"");
  says("\"id\": \"one-address\"", "\"id\": \"One Address\"",
       "/questions/0/id: an id consists of lower-case letters");
  says("\"id\": \"one-address\"", "\"id\": \"final-values\"",
       "/questions/1/id: two questions are called \"final-values\"");
  says("\"unit\": \"atomics/s\"", "\"unit\": \"furlongs\"",
       "/questions/0/unit: \"furlongs\" is not a unit");
  says("\"unit\": \"atomics/s\"", "\"units\": \"atomics/s\"",
       "/questions/0/units: is not a key of this object; did you mean unit?");
  says("\"tolerance\": 0.01", "\"tolerance\": 0.9", "/questions/0/tolerance: expected at most 0.1");
  says("Each takes {latency} ns", "Each takes {latencies} ns",
       "/questions/0/text: {latencies}: \"latencies\" is not defined here");
  says("is {answer}.", "is {answer:furlongs}.",
       "/questions/0/why: {answer:furlongs}: \"furlongs\" is not a unit");
  says("[100, 50, 200]", "[]", "/questions/0/draw/latency: expected an array of 1 to 1000 values");
  says("[100, 50, 200]", "[100, \"x\"]",
       "/questions/0/draw/latency: expected numbers only or texts only");
  says("[100, 50, 200]", "{\"from\": 1, \"to\": 10000, \"step\": 1}",
       "/questions/0/draw/latency: expected an array of 1 to 1000 values");
  says("{\"latency\": [100, 50, 200]}", "[100]",
       "/questions/0/draw: expected an object, found [100]");
  says("{\"measured\": \"sample\", \"highest\": \"elements_per_s\", \"where\": {\"bins\": 7}}", "7",
       "/questions/3/answer: expected a measurement");
  says("\"highest\": \"elements_per_s\", \"where\": {\"bins\": 7}",
       "\"highest\": \"elements_per_s\", \"where\": null",
       "/questions/3/answer/where: expected an object, found null");
  says("\"draw\": {\"latency\"", "\"draw\": {\"answer\"",
       "/questions/0/draw/answer: the name \"answer\" is already used");
  says("\"values\": {\"double\": {\"model\": \"product\", \"of\": [\"latency\", 2]}}",
       "\"values\": {\"double\": {\"model\": \"product\", \"of\": [\"double\", 2]}}",
       "/questions/0/values/double: uses an unknown name, or itself");
  says("sample<<<1, {threads}>>>(histo);", "a line of code that is longer than forty columns",
       "/questions/1/code/0: a line of code may have at most 36 columns");
  CHECK(problem("\"schema\"", "\"schema\" 1").find("this is not JSON") != std::string::npos);
  CHECK(problem("[100, 50, 200]", "[1e999]").find("quiz.json") !=
        std::string::npos);  // too large for a double
  const TemporaryFolder empty;
  CHECK_FALSE(load_quiz(empty.path(), empty.path()).ok());
  CHECK_FALSE(has_quiz(empty.path()));
}

TEST_CASE("a range draws whole numbers") {
  const TemporaryFolder labs;
  put(labs.at("02-sample/quiz.json"),
      replaced(sample_quiz_json(), "[100, 50, 200]", "{\"from\": 100, \"to\": 140, \"step\": 20}"));
  put_sample_measurements(labs.path());
  const Result<Quiz> quiz = load_quiz(labs.at("02-sample"), labs.path());
  REQUIRE(quiz.ok());
  CHECK(quiz->questions[0].draw[0].second == std::vector<Value>{100.0, 120.0, 140.0});
}

TEST_CASE("the course's quizzes load and accept their computed answers") {
  std::size_t found = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator{std::string{HISTOLAB_SOURCE_DIR} + "/labs"}) {
    if (!has_quiz(entry.path().string())) continue;
    ++found;
    const Result<Quiz> quiz =
        load_quiz(entry.path().string(), std::string{HISTOLAB_SOURCE_DIR} + "/docs/measurements");
    REQUIRE_MESSAGE(quiz.ok(), (quiz ? "" : quiz.error().message));
    CHECK(quiz->questions.size() >= 6);
    const Status proof = check_drawn_questions(*quiz);
    CHECK_MESSAGE(proof.ok(), (proof ? "" : proof.error().message));
  }
  CHECK(found >= 6);
}
