#include "grader/quiz/dialogue.h"

#include <fmt/format.h>

#include "grader/quiz/judge.h"
#include "grader/words/painter.h"
#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

using grader::Painter;
using grader::paragraph;
using QuestionKind = Question::Kind;

char letter(std::size_t option) { return static_cast<char>('a' + option); }

std::string how_to_answer(const Posed& question) {
  const std::string& unit = question.question->unit.text;
  switch (question.question->kind) {
    case QuestionKind::number:
      return unit.empty() ? "a number" : fmt::format("a number, in {}", unit);
    case QuestionKind::set: return "numbers, separated by spaces";
    case QuestionKind::choice:
      return question.options.size() == 2
                 ? "a or b"
                 : fmt::format("a letter from a to {}", letter(question.options.size() - 1));
  }
  return {};
}

std::string question_text(const Posed& question, const Screen& screen) {
  std::string out = paragraph(question.text, 2, screen.width);
  if (!question.code.empty()) out += "\n";
  for (const std::string& line : question.code) out += "    " + grader::harmless(line) + "\n";
  if (!question.options.empty()) out += "\n";
  for (std::size_t i = 0; i < question.options.size(); ++i)
    out += fmt::format("  {}) {}", letter(i),
                       paragraph(question.options[i].text, 5, screen.width).substr(5));
  return out;
}

std::string title(const Posed& question, std::size_t number, std::size_t of,
                  const std::string& state, const Screen& screen) {
  const Painter paint{screen.color};
  return "\n" + paint.bold(fmt::format("{} of {}: {}", number, of, question.question->id)) +
         (state.empty() ? "" : " (" + state + ")") + "\n";
}

// Returns "wrong. WHY" as a paragraph with a coloured first word.
std::string verdict(Standing standing, const std::string& message, const Screen& screen) {
  const Painter paint{screen.color};
  const std::string word = standing == Standing::not_understood
                               ? "not understood:"
                               : grader::in_words(name(standing)) + ".";
  std::string text = paragraph(word + (message.empty() ? "" : " " + message), 2, screen.width);
  const std::string painted = standing == Standing::right || standing == Standing::answered
                                  ? paint.green(word)
                                  : paint.red(word);
  return text.replace(2, word.size(), painted);
}

std::string word(const std::string& line) {
  std::string kept;
  for (const char c : line)
    if (std::string_view{" \t\r`\"'"}.find(c) == std::string_view::npos)
      kept += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return kept;
}

bool settled(Standing standing) {
  return standing == Standing::right || standing == Standing::gave_up ||
         standing == Standing::answered;
}

enum class After { next, end };

// Asks one question until it is answered, skipped or given up.
Result<After> ask(const Posed& question, Sheet& sheet, const Terminal& terminal) {
  const Screen& screen = terminal.screen;
  const std::string& id = question.question->id;
  TRY(terminal.print(
      "\n" + paragraph(how_to_answer(question) + "; Enter: later, q: stop", 2, screen.width)));
  while (true) {
    TRY(terminal.print("> "));
    const std::optional<std::string> line = terminal.read_line();
    if (!line)
      return terminal.print("\n") ? Result<After>{After::end}
                                  : Result<After>{Error{"the terminal is gone"}};
    const std::string typed = word(*line);
    if (typed.empty()) return After::next;
    if (typed == "q" || typed == "quit" || typed == "exit") return After::end;
    const bool tried = sheet.answers.contains(id) && sheet.answers[id].wrong_tries > 0;
    if (typed == "giveup" && !question.question->has_key) {
      const char* const why = "There is no answer to show: this kit has none. Ask your instructor.";
      TRY(terminal.print(paragraph(why, 2, screen.width)));
      continue;
    }
    if (typed == "giveup" && !tried) {
      TRY(terminal.print(
          paragraph("Try it once first; a wrong answer costs nothing.", 2, screen.width)));
      continue;
    }
    if (typed == "giveup") {
      sheet.answers[id].gave_up = true;
      TRY(terminal.save(sheet));
      TRY(terminal.print(paragraph(
          fmt::format("The answer is {}. {}", question.answer(), question.why), 2, screen.width)));
      return After::next;
    }
    const QuestionResult judgement = give_answer(sheet, question, *line);
    if (judgement.standing != Standing::not_understood) TRY(terminal.save(sheet));
    std::string text = verdict(judgement.standing, judgement.message, screen);
    if (judgement.standing == Standing::wrong && !tried)
      text += paragraph(
          "Try again. Enter: later; give up: shows the answer, and the question does not count.", 2,
          screen.width);
    TRY(terminal.print(text));
    if (settled(judgement.standing)) return After::next;
  }
}

}  // namespace

std::string headline(const std::string& lab, const Outcome& outcome, const Screen& screen) {
  std::vector<std::string> counts{grader::counted(outcome.questions.size(), "question")};
  for (const Standing standing :
       {Standing::right, Standing::answered, Standing::wrong, Standing::not_understood,
        Standing::gave_up, Standing::unanswered})
    if (const std::size_t count = outcome.count(standing); count > 0)
      counts.push_back(fmt::format("{} {}", count, grader::in_words(name(standing))));
  return paragraph(fmt::format("{}: {}", lab, fmt::join(counts, ", ")), 0, screen.width);
}

Result<bool> run_dialogue(const Quiz& quiz, Sheet& sheet, const Terminal& terminal) {
  Outcome outcome = TRY(outcome_of(quiz, sheet));
  TRY(terminal.print(headline(quiz.lab, outcome, terminal.screen)));
  bool to_the_end = true;
  for (std::size_t i = 0; i < quiz.questions.size() && to_the_end; ++i) {
    if (settled(outcome.questions[i].standing)) continue;
    const Posed posed = TRY(pose(quiz, quiz.questions[i], sheet.person));
    TRY(terminal.print(title(posed, i + 1, quiz.questions.size(), "", terminal.screen) +
                       question_text(posed, terminal.screen)));
    const After after = TRY(ask(posed, sheet, terminal));
    to_the_end = after == After::next;
  }
  outcome = TRY(outcome_of(quiz, sheet));
  std::string text = "\n" + headline(quiz.lab, outcome, terminal.screen);
  if (!quiz.has_key)
    text += paragraph(
        fmt::format("Your instructor's kit judges the answers: hand in {}.quiz.json.", quiz.lab), 2,
        terminal.screen.width);
  if (outcome.count(Standing::right) < outcome.questions.size()) {
    std::vector<std::string> open;
    for (const QuestionResult& each : outcome.questions)
      if (!settled(each.standing)) open.push_back(each.id);
    if (!open.empty())
      text += paragraph(fmt::format("open: {}", fmt::join(open, ", ")), 2, terminal.screen.width);
  }
  TRY(terminal.print(text));
  return to_the_end;
}

Result<std::string> listing(const Quiz& quiz, const Sheet& sheet, const Screen& screen) {
  const Outcome outcome = TRY(outcome_of(quiz, sheet));
  std::string out = headline(quiz.lab, outcome, screen);
  for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
    const Posed posed = TRY(pose(quiz, quiz.questions[i], sheet.person));
    const QuestionResult& result = outcome.questions[i];
    out += title(posed, i + 1, quiz.questions.size(), grader::in_words(name(result.standing)),
                 screen) +
           question_text(posed, screen);
    out +=
        posed.options.empty() ? paragraph("(" + how_to_answer(posed) + ")", 2, screen.width) : "";
    if (!result.answer.empty()) out += paragraph("answered: " + result.answer, 2, screen.width);
    if (!result.message.empty()) out += paragraph(result.message, 2, screen.width);
  }
  return out;
}

std::string reply_to(const Posed& question, const QuestionResult& result, const Screen& screen) {
  const Painter paint{screen.color};
  return paint.bold(result.id) + "\n" +
         verdict(result.standing,
                 result.standing == Standing::right ? question.why : result.message, screen);
}

Result<nlohmann::ordered_json> state_of(const Quiz& quiz, const Sheet& sheet) {
  using Ordered = nlohmann::ordered_json;
  Ordered questions = Ordered::array();
  for (const Question& question : quiz.questions) {
    const Posed posed = TRY(pose(quiz, question, sheet.person));
    const QuestionResult result = judged(posed, sheet);
    const auto answer = sheet.answers.find(question.id);
    const bool over = settled(result.standing);
    Ordered options = Ordered::array();
    for (std::size_t i = 0; i < posed.options.size(); ++i)
      options.push_back({{"letter", std::string(1, letter(i))}, {"text", posed.options[i].text}});
    questions.push_back(
        {{"id", question.id},
         {"kind", name(question.kind)},
         {"text", posed.text},
         {"code", posed.code},
         {"unit", question.unit.text},
         {"options", std::move(options)},
         {"status", name(result.standing)},
         {"answer", result.answer},
         {"wrong_tries", answer == sheet.answers.end() ? 0 : answer->second.wrong_tries},
         {"message", result.message},
         {"why", over && question.has_key ? Ordered(posed.why) : Ordered(nullptr)}});
  }
  return Ordered{{"lab", quiz.lab},
                 {"student", sheet.person.student},
                 {"seed", sheet.person.seed},
                 {"questions", std::move(questions)}};
}

}  // namespace histolab::quiz
