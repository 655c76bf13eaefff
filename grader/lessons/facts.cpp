#include "grader/lessons/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "grader/lab/catalogue.h"
#include "grader/lab/drawn_case.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

const std::vector<std::string> keywords = {"measured", "profile",   "source", "counter",
                                           "finding",  "histogram", "case",   "check",
                                           "given",    "let",       "as"};

bool is_run(const Words& words) {
  return words[0] == "counter" || words[0] == "finding" || words[0] == "histogram";
}

Result<const LabSpec*> lab_of(const std::string& word, const std::vector<LabSpec>& labs,
                              const LabSpec& own) {
  return word == "this" ? Result<const LabSpec*>{&own} : find_lab(labs, word);
}

// Parses "counter LAB[=KERNEL] CASE COUNTER", "finding LAB[=KERNEL] CASE" or "histogram
// LAB[=KERNEL] CASE".
Result<RunKey> run_key(const Words& words, const std::vector<LabSpec>& labs, const LabSpec& own) {
  const std::size_t length = words[0] == "counter" ? 4 : 3;
  if (words.size() != length)
    return Error{fmt::format("expected \"{} LAB{} CASE{}\"", words[0],
                             words[0] == "finding" ? "=ATTEMPT" : "[=KERNEL]",
                             length == 4 ? " COUNTER" : "")};
  const std::size_t equals = words[1].find('=');
  const std::string kernel = equals == std::string::npos ? "solution" : words[1].substr(equals + 1);
  if (kernel.empty() || kernel.find('/') != std::string::npos || kernel[0] == '.')
    return Error{fmt::format(
        "\"{}\" is not a kernel; expected solution, stub or the folder of an attempt", kernel)};
  const LabSpec* lab = TRY(lab_of(words[1].substr(0, equals), labs, own));
  return RunKey{lab->name, kernel, words[2]};
}

double apply(char operation, double a, double b) {
  switch (operation) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a / b;
  }
}

Result<Value> calculated(const Value& left, char operation, const Value& right) {
  if (left.is_text() || right.is_text()) return Error{"arithmetic needs numbers"};
  const std::size_t length = std::max(left.numbers.size(), right.numbers.size());
  const auto fits = [&](const Value& value) {
    return value.numbers.size() == 1 || value.numbers.size() == length;
  };
  if (!fits(left) || !fits(right))
    return Error{"the two sides of an operator have different numbers of values"};
  Value result;
  for (std::size_t i = 0; i < length; ++i) {
    const double a = left.numbers[left.numbers.size() == 1 ? 0 : i],
                 b = right.numbers[right.numbers.size() == 1 ? 0 : i];
    result.numbers.push_back(apply(operation, a, b));
  }
  return result;
}

// Replaces the shapes in lab.json by the drawn shapes of the lessons' runs.
void show_drawn_shapes(const LabSpec& lab, Json& file) {
  for (std::size_t i = 0; i < lab.cases.size() && i < file["cases"].size(); ++i) {
    const CaseSpec drawn = drawn_case(lab.cases[i], seed_of_runs);
    Json& shown = file["cases"][i];
    shown["length"] = drawn.length;
    shown["block"] = drawn.block;
    if (shown.contains("grid")) shown["grid"] = drawn.grid;
  }
}

}  // namespace

Result<std::vector<RunKey>> wanted_runs(const Expression& expression,
                                        const std::vector<LabSpec>& labs, const LabSpec& own) {
  std::vector<RunKey> keys;
  for (const Words& words : expression.operands) {
    if (!is_run(words)) continue;
    keys.push_back(TRY(run_key(words, labs, own)));
  }
  return keys;
}

bool Facts::names_selection(const Words& words) const {
  const auto named = names_.find(words[0]);
  return words[0] == "measured" ||
         (named != names_.end() && std::holds_alternative<Selection>(named->second));
}

Status Facts::name(const Expression& expression) {
  const std::string& name = expression.name;
  if (names_.contains(name)) return Error{fmt::format("the name {} is already defined", name)};
  if (std::find(keywords.begin(), keywords.end(), name) != keywords.end())
    return Error{fmt::format("{} is a keyword and cannot be a name", name)};
  if (expression.operands.size() == 1 && names_selection(expression.operands[0])) {
    Selection rows = TRY(selection(expression.operands[0]));
    names_.emplace(name, std::move(rows));
    return Done{};
  }
  Value made = TRY(value(expression));
  names_.emplace(name, std::move(made));
  return Done{};
}

Result<Value> Facts::value(const Expression& expression) {
  std::vector<Value> values;
  for (const Words& words : expression.operands) values.push_back(TRY(operand(words)));
  if (expression.operators.empty()) return values.front();
  // Products come first. This leaves terms, which are added in order.
  std::vector<Value> terms = {values.front()};
  std::string signs;
  for (std::size_t i = 0; i < expression.operators.size(); ++i) {
    const char operation = expression.operators[i];
    if (operation == '+' || operation == '-') {
      signs += operation;
      terms.push_back(values[i + 1]);
      continue;
    }
    terms.back() = TRY(calculated(terms.back(), operation, values[i + 1]));
  }
  Value total = terms.front();
  for (std::size_t i = 0; i < signs.size(); ++i)
    total = TRY(calculated(total, signs[i], terms[i + 1]));
  return total;
}

Result<Selection> Facts::selection(const Words& words) {
  Selection rows;
  std::size_t next = 1;
  if (words[0] == "measured") {
    if (words.size() < 2 || parse_condition(words[1]))
      return Error{"expected \"measured FILE KEY=VALUE ... FIELD\""};
    rows.file = words[1];
    next = 2;
  } else {
    rows = std::get<Selection>(names_.at(words[0]));
  }
  for (; next < words.size(); ++next) {
    if (std::optional<Condition> condition = parse_condition(words[next])) {
      std::erase_if(rows.conditions,
                    [&](const Condition& old) { return old.key == condition->key; });
      rows.conditions.push_back(std::move(*condition));
    } else if (next + 1 == words.size()) {
      rows.field = words[next];
    } else {
      return Error{fmt::format("\"{}\" is neither KEY=VALUE nor the last word", words[next])};
    }
  }
  return rows;
}

Result<Value> Facts::operand(const Words& words) {
  const std::string& first = words[0];
  if (names_selection(words)) return files_.measured(TRY(selection(words)));
  if (first == "profile") {
    if (words.size() != 3 && words.size() != 4)
      return Error{"expected \"profile NAME FIGURE\" or \"profile NAME CURVE X\""};
    return files_.profile(words[1], words[2], words.size() == 4 ? words[3] : "");
  }
  if (first == "source") {
    if (words.size() != 2 && words.size() != 3)
      return Error{"expected \"source FILE\" or \"source FILE KEY\""};
    return files_.source(words[1], words.size() == 3 ? words[2] : "");
  }
  if (first == "given") {
    std::string text;
    for (std::size_t i = 1; i < words.size(); ++i) text += (text.empty() ? "" : " ") + words[i];
    return text.empty() ? Result<Value>{Error{"expected words after \"given\""}} : Value{{}, text};
  }
  if (first == "case" || first == "check") return from_lab(words);
  if (is_run(words)) {
    const CaseResult* seen = TRY(run(words));
    if (first == "histogram") {
      Value value;
      for (const double bin : seen->runs.front().histogram) {
        const std::string shown = TRY(to_text({{bin}, {}}, std::nullopt));
        value.text += (value.text.empty() ? "" : ", ") + shown;
      }
      return value;
    }
    if (first == "finding") {
      if (seen->findings.empty())
        return Error{fmt::format("{} has no finding in the case {}", words[1], words[2])};
      const kernels::Finding& found = seen->findings.front();
      return Value{{}, fmt::format("{}: {}", kernels::name(found.kind), found.message)};
    }
    std::vector<std::string> known;
    for (const reference::CounterValue& counter : seen->counters) {
      if (counter.name == words[3]) return Value{{counter.value}, {}};
      known.emplace_back(counter.name);
    }
    return Error{
        fmt::format("there is no counter \"{}\"{}", words[3], did_you_mean(words[3], known))};
  }
  if (words.size() == 1) {
    if (const std::optional<double> number = parse_number(first)) return Value{{*number}, {}};
    if (const auto named = names_.find(first); named != names_.end())
      return std::get<Value>(named->second);
  }
  std::vector<std::string> known = keywords;
  for (const auto& [name, bound] : names_) known.push_back(name);
  return Error{fmt::format("\"{}\" is neither a keyword nor a defined name{}", first,
                           did_you_mean(first, known))};
}

Result<const CaseResult*> Facts::run(const Words& words) {
  const RunKey key = TRY(run_key(words, labs_, own_));
  const auto found = runs_.find(key);
  if (found == runs_.end()) return Error{"this was not run"};
  if (!found->second) return found->second.error();
  if (found->second->runs.empty())
    return Error{fmt::format("{} made no launch in the case {}", words[1], words[2])};
  return &*found->second;
}

// Evaluates "case LAB ID KEY", "check LAB ID KEY" or KEY.KEY with the values of lab.json. Shapes
// are drawn ones.
Result<Value> Facts::from_lab(const Words& words) {
  if (words.size() != 4) return Error{fmt::format("expected \"{} LAB ID KEY\"", words[0])};
  const LabSpec* lab = TRY(lab_of(words[1], labs_, own_));
  auto file = lab_files_.find(lab->name);
  if (file == lab_files_.end()) {
    Json read = TRY(read_json_file(lab->directory + "/lab.json", "lab description"));
    show_drawn_shapes(*lab, read);
    file = lab_files_.emplace(lab->name, std::move(read)).first;
  }
  std::vector<std::string> ids;
  for (const char* list : {"cases", "timed", "checks"}) {
    if ((words[0] == "check") != (std::string_view{list} == "checks") ||
        !file->second.contains(list))
      continue;
    for (const Json& entry : file->second[list]) {
      ids.push_back(entry.value("id", ""));
      if (ids.back() != words[2]) continue;
      const Json* at = &entry;
      for (std::size_t begin = 0; begin <= words[3].size();) {
        const std::size_t end = std::min(words[3].find('.', begin), words[3].size());
        const auto found = at->find(words[3].substr(begin, end - begin));
        if (!at->is_object() || found == at->end())
          return Error{fmt::format("the {} {} of {} has no \"{}\"", words[0], words[2], lab->name,
                                   words[3])};
        at = &*found;
        begin = end + 1;
      }
      if (at->is_number()) return Value{{at->get<double>()}, {}};
      if (at->is_string()) return Value{{}, at->get<std::string>()};
      return Error{fmt::format("\"{}\" of the {} {} is neither a number nor text", words[3],
                               words[0], words[2])};
    }
  }
  return Error{fmt::format("{} has no {} \"{}\"{}", lab->name, words[0], words[2],
                           did_you_mean(words[2], ids))};
}

}  // namespace histolab::grader::lessons
