#include "grader/quiz/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/files/backup.h"
#include "grader/files/json_reader.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/quiz/judge.h"
#include "grader/words/words.h"
#include "reference/splitmix64.h"

namespace histolab::quiz {
namespace {

namespace fs = std::filesystem;

constexpr const char* schema = "histolab/answers/1";
constexpr std::size_t max_answers = 1000;
constexpr std::uint64_t max_tries = 1'000'000;

const std::string* text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? &found->get_ref<const std::string&>()
                                                   : nullptr;
}

std::optional<std::uint64_t> whole(const Json& json, const char* key, std::uint64_t most) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > most)
    return std::nullopt;
  return found->get<std::uint64_t>();
}

// Returns why it is not a valid answer, or an empty string if it is one.
std::string read_answer(const Json& json, Answer& answer) {
  if (!json.is_object()) return "its entry is not an object";
  const std::string* text = text_of(json, "answer");
  if (text == nullptr) return "its answer is not a text";
  if (text->size() > max_answer_bytes)
    return fmt::format("its answer is longer than {} bytes", max_answer_bytes);
  const std::optional<std::uint64_t> tries =
      json.contains("wrong_tries") ? whole(json, "wrong_tries", max_tries) : 0;
  if (!tries) return fmt::format("its wrong_tries is not a number from 0 to {}", max_tries);
  if (json.contains("gave_up") && !json["gave_up"].is_boolean())
    return "its gave_up is neither true nor false";
  answer = {*text, *tries, json.contains("gave_up") && json["gave_up"].get<bool>()};
  return {};
}

Error unreadable(const Error& why) {
  return Error{grader::shortened(grader::harmless(why.message), 300)};
}

Result<Sheet> sheet_in_json(const std::string& path, const Json& json, const std::string& lab) {
  const auto refused = [&](const std::string& why) {
    return Error{fmt::format("{}: {}", path, why)};
  };
  if (!json.is_object()) return refused("is not a file of answers: it does not contain an object");
  const std::string* of = text_of(json, "schema");
  if (of == nullptr || *of != schema)
    return refused(fmt::format("is not a file of answers: its schema is not \"{}\"", schema));
  const std::string* for_lab = text_of(json, "lab");
  if (for_lab == nullptr || *for_lab != lab)
    return refused(fmt::format("is not for the lab {}", lab));
  Sheet sheet;
  const std::string* student = text_of(json, "student");
  if (student == nullptr) return refused("its student is not a text");
  if (Status fine = check_student(*student); !fine) return refused(fine.error().message);
  const std::optional<std::uint64_t> seed = whole(json, "seed", reference::max_seed);
  if (!seed)
    return refused(fmt::format("its seed is not a whole number from 0 to {}", reference::max_seed));
  sheet.person = {*student, *seed};
  const auto answers = json.find("answers");
  if (answers == json.end() || !answers->is_object())
    return refused("its answers are not an object");
  if (answers->size() > max_answers)
    return refused(fmt::format("it has {} answers; the limit is {}", answers->size(), max_answers));
  for (const auto& item : answers->items()) {
    Answer answer;
    const std::string why = read_answer(item.value(), answer);
    if (why.empty())
      sheet.answers[item.key()] = std::move(answer);
    else
      sheet.refused[item.key()] = why;
  }
  return sheet;
}

}  // namespace

Status check_student(const std::string& name) {
  if (name.size() > max_student_bytes)
    return Error{fmt::format("the student's name is longer than {} bytes", max_student_bytes)};
  if (grader::harmless(name) != name || name.find_first_of("\n\t") != std::string::npos)
    return Error{"the student's name has control characters"};
  if (!name.empty() && (name.front() == ' ' || name.back() == ' '))
    return Error{"the student's name begins or ends with a blank"};
  try {
    (void)Json(name).dump();
  } catch (const Json::exception&) {
    return Error{"the student's name is not valid UTF-8"};
  }
  return Done{};
}

Result<std::optional<Sheet>> read_sheet(const std::string& path, const std::string& lab) {
  if (!grader::is_there(path)) return std::optional<Sheet>{};
  const Result<Json> json = grader::read_json_file(path, "file of answers");
  if (!json) return unreadable(json.error());
  return std::optional{TRY(sheet_in_json(path, *json, lab))};
}

Result<Sheet> sheet_of(const std::string& path, const std::string& text, const std::string& lab) {
  if (Status fine = grader::check_text(path, "file of answers", text); !fine)
    return unreadable(fine.error());
  const Result<Json> json = grader::read_json_text(path, text);
  if (!json) return unreadable(json.error());
  return sheet_in_json(path, *json, lab);
}

Status write_sheet(const std::string& path, const std::string& lab, const Sheet& sheet) {
  std::error_code failure;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, failure);
  if (failure)
    return Error{
        fmt::format("{}: the folder cannot be made: {}", folder.string(), failure.message())};
  nlohmann::ordered_json json;
  json["schema"] = schema;
  json["lab"] = lab;
  json["student"] = sheet.person.student;
  json["seed"] = sheet.person.seed;
  json["answers"] = nlohmann::ordered_json::object();
  for (const auto& [id, answer] : sheet.answers) {
    json["answers"][id] = {{"answer", answer.text},
                           {"wrong_tries", std::min(answer.wrong_tries, max_tries)}};
    if (answer.gave_up) json["answers"][id]["gave_up"] = true;
  }
  return grader::write_file(
      path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::string sheet_in(const std::string& folder, const std::string& lab) {
  const std::string flat = (fs::path(folder) / (lab + ".quiz.json")).string(),
                    nested = (fs::path(folder) / lab / "quiz.json").string();
  return !grader::is_there(flat) && grader::is_there(nested) ? nested : flat;
}

std::string sheet_next_to(const std::string& kernel) {
  return (fs::path(kernel).parent_path() / (fs::path(kernel).stem().string() + ".quiz.json"))
      .string();
}

QuestionResult judged(const Posed& question, const Sheet& sheet) {
  const std::string& id = question.question->id;
  if (const auto refused = sheet.refused.find(id); refused != sheet.refused.end())
    return {id, Standing::unanswered, {}, refused->second};
  const auto found = sheet.answers.find(id);
  if (found == sheet.answers.end()) return {id, Standing::unanswered, {}, {}};
  const Answer& answer = found->second;
  if (answer.gave_up) return {id, Standing::gave_up, answer.text, {}};
  Judgement judgement = judge(question, answer.text);
  if (judgement.standing == Standing::right || judgement.standing == Standing::answered)
    judgement.message.clear();
  return {id, judgement.standing, judgement.standing == Standing::unanswered ? "" : answer.text,
          std::move(judgement.message)};
}

QuestionResult give_answer(Sheet& sheet, const Posed& question, const std::string& text) {
  const std::string& id = question.question->id;
  const auto known = sheet.answers.find(id);
  if (known != sheet.answers.end() && known->second.gave_up)
    return {id, Standing::gave_up, known->second.text,
            "It was given up, so no further answer counts."};
  const Judgement judgement = judge(question, text);
  if (judgement.standing == Standing::unanswered) {
    sheet.answers.erase(id);
    sheet.refused.erase(id);
  } else if (judgement.standing != Standing::not_understood) {
    Answer& answer = sheet.answers[id];
    sheet.refused.erase(id);
    answer.text = stored_answer(question, text);
    if (judgement.standing == Standing::wrong) ++answer.wrong_tries;
  }
  return {id, judgement.standing, text, judgement.message};
}

Result<Outcome> outcome_of(const Quiz& quiz, const Sheet& sheet) {
  Outcome outcome;
  outcome.person = sheet.person;
  outcome.has_key = quiz.has_key;
  for (const Question& question : quiz.questions) {
    const Posed posed = TRY(pose(quiz, question, sheet.person));
    outcome.questions.push_back(judged(posed, sheet));
  }
  return outcome;
}

Result<Outcome> outcome_of_file(const Quiz& quiz, const std::string& path) {
  Result<std::optional<Sheet>> sheet = read_sheet(path, quiz.lab);
  Outcome outcome = TRY(outcome_of(quiz, sheet && *sheet ? **sheet : Sheet{}));
  outcome.path = path;
  if (!sheet)
    outcome.problem = sheet.error().message;
  else if (!*sheet)
    outcome.problem = fmt::format(
        "there is no {}; `histolab quiz {}` asks the questions and writes it", path, quiz.lab);
  return outcome;
}

Result<Outcome> outcome_of_text(const Quiz& quiz, const std::string& path,
                                const std::string& text) {
  const Result<Sheet> sheet = sheet_of(path, text, quiz.lab);
  Outcome outcome = TRY(outcome_of(quiz, sheet ? *sheet : Sheet{}));
  outcome.path = path;
  if (!sheet) outcome.problem = sheet.error().message;
  return outcome;
}

Result<Outcome> solved(const Quiz& quiz) {
  Sheet sheet;
  for (const Question& question : quiz.questions) {
    const Posed posed = TRY(pose(quiz, question, {}));
    sheet.answers[question.id].text = posed.answer();
  }
  return outcome_of(quiz, sheet);
}

}  // namespace histolab::quiz
