// Models: what the answers of a quiz are computed by. Each has a name, named parameters with
// ranges, and is a call of reference/ (or plain arithmetic), so that an answer is never typed in.
// docs/quizzes.md lists them.
//
// Numbers go in and come out in the units of reference/closed_forms.h: nanoseconds, events per
// second, bytes, shares from 0 to 1, counts.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace histolab::quiz {

using Numbers = std::vector<double>;                       // a set: ascending, each once
using Value = std::variant<double, std::string, Numbers>;  // text: letters that a thread reads

struct Parameter {
  enum class Kind { real, whole, text, several };  // several: an array of numbers, 1 to 16
  const char* name;
  Kind kind = Kind::real;
  double min = 0, max = 1e18;
};

struct Model {
  const char* name;
  std::vector<Parameter> parameters;
  // `arguments` are in the order of the parameters, of their kinds and in their ranges. A number
  // that is not finite: the model has no answer for these.
  std::function<Value(std::span<const Value> arguments)> value;
};

[[nodiscard]] const std::vector<Model>& models();
[[nodiscard]] const Model* find_model(const std::string& name);  // null: there is none

}  // namespace histolab::quiz
