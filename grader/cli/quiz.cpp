// histolab quiz
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "grader/checks/quiz_check.h"
#include "grader/cli/command.h"
#include "grader/files/backup.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/dialogue.h"
#include "grader/quiz/judge.h"
#include "grader/report/report_json.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::cli {
namespace {

constexpr std::size_t longest_line = 1 << 16;  // in bytes; an answer is much shorter

struct QuizFlags {
  std::string lab;
  std::vector<std::string> answers;
  bool list = false, json = false, fresh = false;
  std::optional<std::string> student;
  std::optional<std::uint64_t> seed;
};

// One lab's quiz with the student's answers.
struct Opened {
  quiz::Quiz quiz;
  std::string path;
  quiz::Sheet sheet;
};

// Renames the file of answers, so that the next quiz is a new one.
Status back_up_answers(const grader::LabSpec& lab) {
  const std::string path = quiz::sheet_in(work_folder, lab.name);
  const std::string kept = TRY(grader::back_up(path));
  if (!kept.empty()) note(fmt::format("histolab: {} is now {}\n", path, grader::harmless(kept)));
  return Done{};
}

// Opens the stored quiz, or draws a new one at random. With `keeps_new` it is stored at once, so
// that the next call asks the same questions. Returns an Error if the file of answers is invalid.
// That file is never overwritten: it may be a student's work.
Result<Opened> open_quiz(const Context& context, const grader::LabSpec& lab, const QuizFlags& flags,
                         bool keeps_new) {
  quiz::Quiz quiz = TRY(quiz::load_quiz(lab.directory, context.paths.measurements));
  const std::string path = quiz::sheet_in(work_folder, lab.name);
  Result<std::optional<quiz::Sheet>> read = quiz::read_sheet(path, lab.name);
  const auto unusable = [&](const std::string& what) {
    return Error{fmt::format(
        "{}; fix it, or `histolab quiz {} --new` keeps it under another name and starts again",
        what, lab.name)};
  };
  if (!read) return unusable(read.error().message);
  quiz::Sheet sheet = *read ? std::move(**read) : quiz::Sheet{};
  if (!sheet.refused.empty())
    return unusable(fmt::format("{}: the question \"{}\": {}", path,
                                grader::harmless(sheet.refused.begin()->first),
                                sheet.refused.begin()->second));
  quiz::Person person = sheet.person;
  if (flags.student) person.student = *flags.student;
  if (flags.seed) person.seed = *flags.seed;
  const bool drawn =
      !flags.student && !flags.seed && person.has_defaults() && sheet.answers.empty();
  if (drawn) {
    const std::uint64_t seed = TRY(random_seed());
    person.seed = std::max<std::uint64_t>(seed, 1);
  }
  if (!(person == sheet.person) && !sheet.answers.empty())
    return unusable(fmt::format("{} holds answers of {}, seed {}, which has other questions", path,
                                sheet.person.student.empty() ? "a student without a name"
                                                             : "\"" + sheet.person.student + "\"",
                                sheet.person.seed));
  sheet.person = person;
  if (drawn && keeps_new) TRY(quiz::write_sheet(path, lab.name, sheet));
  if (const std::string practice = grader::practice_note(lab, person); !practice.empty())
    note("histolab: " + practice + "\n");
  return Opened{std::move(quiz), path, std::move(sheet)};
}

// Judges and stores answers given as ID=VALUE. Returns false if some are wrong.
Result<bool> answer(Opened& opened, const QuizFlags& flags, const quiz::Screen& screen,
                    std::string& said) {
  bool all_right = true;
  for (const std::string& given : flags.answers) {
    const std::size_t at = given.find('=');
    if (at == std::string::npos)
      return Error{fmt::format("--answer {}: write it as ID=VALUE", grader::shortened(given, 60))};
    const std::string id = given.substr(0, at);
    const quiz::Question* question = opened.quiz.find(id);
    if (question == nullptr) {
      std::vector<std::string> known;
      for (const quiz::Question& each : opened.quiz.questions) known.push_back(each.id);
      const std::string near = grader::nearest(id, known);
      return Error{fmt::format(
          "{} has no question \"{}\"; {}", opened.quiz.lab, grader::shortened(id, 60),
          near.empty() ? fmt::format("`histolab quiz {} --list` shows them", opened.quiz.lab)
                       : fmt::format("did you mean {}?", near))};
    }
    const quiz::Posed posed = TRY(quiz::pose(opened.quiz, *question, opened.sheet.person));
    const quiz::QuestionResult result =
        quiz::give_answer(opened.sheet, posed, given.substr(at + 1));
    all_right &=
        result.standing == quiz::Standing::right || result.standing == quiz::Standing::answered;
    said += quiz::reply_to(posed, result, screen);
  }
  TRY(quiz::write_sheet(opened.path, opened.quiz.lab, opened.sheet));
  return all_right;
}

std::optional<std::string> typed_line() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  if (line.size() > longest_line) line.resize(longest_line);
  return line;
}

// Asks on a terminal, one lab after another. Returns the exit code.
int talk(const Context& context, const std::vector<grader::LabSpec>& labs, const QuizFlags& flags,
         const quiz::Screen& screen) {
  bool all_right = true;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    Result<Opened> opened = open_quiz(context, labs[i], flags, false);
    if (!opened) return complain(opened.error());
    const quiz::Terminal how{.screen = screen,
                             .read_line = typed_line,
                             .print =
                                 [](const std::string& text) {
                                   return print(text) == done
                                              ? Status{Done{}}
                                              : Status{Error{"the terminal accepts no output"}};
                                 },
                             .save =
                                 [&](const quiz::Sheet& sheet) {
                                   return quiz::write_sheet(opened->path, opened->quiz.lab, sheet);
                                 }};
    if (i > 0)
      if (const int printed = print("\n"); printed != done) return printed;
    const Result<bool> went_on = quiz::run_dialogue(opened->quiz, opened->sheet, how);
    if (!went_on) return complain(went_on.error());
    const Result<quiz::Outcome> outcome = quiz::outcome_of(opened->quiz, opened->sheet);
    if (!outcome) return complain(outcome.error());
    all_right &= outcome->count(quiz::Standing::right) + outcome->count(quiz::Standing::answered) ==
                 outcome->questions.size();
    if (!*went_on) return not_passed;
  }
  return all_right ? done : not_passed;
}

int show_state(const Context& context, const std::vector<grader::LabSpec>& labs,
               const QuizFlags& flags, const quiz::Screen& screen) {
  nlohmann::ordered_json state{{"schema", "histolab/quiz-state/1"},
                               {"version", HISTOLAB_VERSION},
                               {"labs", nlohmann::ordered_json::array()}};
  std::string text;
  bool all_right = true;
  // A question printed on request is answered by --answer later, so the quiz is stored. Otherwise
  // no lab gets an empty file.
  const bool keeps_new = flags.list || flags.json || !flags.lab.empty();
  for (const grader::LabSpec& lab : labs) {
    Result<Opened> opened = open_quiz(context, lab, flags, keeps_new);
    if (!opened) return complain(opened.error());
    if (!flags.answers.empty()) {
      const Result<bool> right = answer(*opened, flags, screen, text);
      if (!right) return complain(right.error());
      all_right &= *right;
    } else if (!flags.json) {
      const Result<std::string> listed = quiz::listing(opened->quiz, opened->sheet, screen);
      if (!listed) return complain(listed.error());
      text += (text.empty() ? "" : "\n\n") + *listed;
    }
    if (flags.json) {
      const Result<nlohmann::ordered_json> json = quiz::state_of(opened->quiz, opened->sheet);
      if (!json) return complain(json.error());
      state["labs"].push_back(*json);
    }
  }
  const int printed = print(flags.json ? grader::text_of(state) : text);
  return printed != done ? printed : all_right ? done : not_passed;
}

int run_quiz(const Context& context, const QuizFlags& flags) {
  if (flags.student)
    if (Status fine = quiz::check_student(*flags.student); !fine) return complain(fine.error());
  if (!flags.answers.empty() && flags.lab.empty())
    return complain({"--answer: which lab is it for? histolab quiz LAB --answer ID=VALUE"});
  if (flags.fresh && flags.lab.empty())
    return complain({"--new: which lab is it for? histolab quiz LAB --new"});
  Result<std::vector<grader::LabSpec>> labs =
      chosen_labs(context, flags.lab.empty() ? std::vector<std::string>{} : std::vector{flags.lab});
  if (!labs) return complain(labs.error());
  if (!flags.lab.empty() && !quiz::has_quiz(labs->front().directory))
    return complain({fmt::format("{} has no quiz", labs->front().name)});
  std::erase_if(*labs, [](const grader::LabSpec& lab) { return !quiz::has_quiz(lab.directory); });
  if (labs->empty()) return complain({fmt::format("no lab in {} has a quiz", context.paths.labs)});
  if (flags.fresh)
    if (Status kept = back_up_answers(labs->front()); !kept) return complain(kept.error());
  const bool at_terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  const quiz::Screen screen{.width = std::min<std::size_t>(columns_to_use(40), 80),
                            .color = color_wanted()};
  if (at_terminal && !flags.list && !flags.json && flags.answers.empty())
    return talk(context, *labs, flags, screen);
  return show_state(context, *labs, flags, screen);
}

}  // namespace

void add_quiz(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "quiz", "asks questions about a lab; stores the answers in work/<LAB>.quiz.json",
      "histolab quiz 01\n"
      "histolab quiz 01 --list\n"
      "histolab quiz 01 --new\n"
      "histolab quiz 02 --answer one-address=\"10 M/s\" --json");
  const auto flags = std::make_shared<QuizFlags>();
  command->add_option("LAB", flags->lab, "name, number or first letters (all)")->type_name("");
  command->add_flag(
      "--list", flags->list,
      "prints the questions with ids and status, and asks none; the same happens if the input or "
      "output is not a terminal");
  command->add_option("--answer", flags->answers, "answers one question of LAB; repeatable")
      ->type_name("ID=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--json", flags->json, "the questions with their status, as JSON");
  command->add_flag(
      "--new", flags->fresh,
      "draws a new quiz for LAB; the answers to the old one are kept under another name");
  command
      ->add_option("--student", flags->student,
                   "draws the questions from a name; stored with the answers")
      ->type_name("NAME");
  command
      ->add_option("--seed", flags->seed,
                   "draws the questions from a number (random); 0 without a name is practice, "
                   "without points")
      ->check(CLI::Range(std::uint64_t{0}, reference::max_seed).description(""))
      ->type_name("N");
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return run_quiz(context, *flags); }; });
}

}  // namespace histolab::cli
