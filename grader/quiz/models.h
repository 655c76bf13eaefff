// Models: functions that compute the answers of quizzes, so that no answer is typed in. Each has a
// name and named parameters with ranges, and calls reference/ or simple arithmetic. docs/quizzes.md
// lists them. The units are those of reference/closed_forms.h: nanoseconds, events per second,
// bytes, shares from 0 to 1, counts.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace histolab::quiz {

using Numbers = std::vector<double>;                       // a set: ascending, without duplicates
using Value = std::variant<double, std::string, Numbers>;  // text: letters that a thread reads

struct Parameter {
  enum class Kind { real, whole, text, several };  // several: an array of 1 to 16 numbers
  const char* name;
  Kind kind = Kind::real;
  double min = 0, max = 1e18;
};

struct Model {
  const char* name;
  std::vector<Parameter> parameters;
  // `arguments` have the order, kinds and ranges of the parameters. Returns a number that is not
  // finite if the model has no answer for them.
  std::function<Value(std::span<const Value> arguments)> value;
};

[[nodiscard]] const std::vector<Model>& models();
// Returns null if there is no such model.
[[nodiscard]] const Model* find_model(const std::string& name);

}  // namespace histolab::quiz
