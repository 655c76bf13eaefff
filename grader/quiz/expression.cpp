#include "grader/quiz/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/quiz/quantity.h"
#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

using grader::ObjectReader;
using grader::Problems;
using Kind = Parameter::Kind;

struct Evaluation {
  const Names& names;
  Measurements& measurements;
  Problems& problems;

  std::optional<Value> fail(const std::string& pointer, const std::string& text) const {
    problems.add(pointer, text);
    return std::nullopt;
  }

  std::optional<Value> of_name(const std::string& name, const std::string& pointer) const {
    if (const auto found = names.find(name); found != names.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [each, value] : names) known.push_back(each);
    const std::string near = grader::nearest(name, known);
    return fail(pointer, near.empty() ? fmt::format("\"{}\" is not defined here", name)
                                      : fmt::format("\"{}\" is not defined here; did you mean {}?",
                                                    name, near));
  }

  std::optional<Value> of_row(const Json& json, const std::string& pointer) const {
    ObjectReader reader{json, pointer, problems};
    const std::string file = reader.text("measured"), field = reader.text("field");
    const Json& where = reader.map("where");
    reader.done();
    if (file.empty() || field.empty()) return std::nullopt;
    const Result<const Json*> row = measurements.row(file, where);
    if (!row) return fail(pointer, row.error().message);
    const auto found = (*row)->find(field);
    if (found == (*row)->end() || !found->is_number())
      return fail(pointer + "/field", fmt::format("the row has no number \"{}\"", field));
    return found->get<double>();
  }

  bool in_range(double number, const Parameter& parameter, const std::string& pointer) const {
    const bool whole = parameter.kind != Kind::whole || number == std::floor(number);
    if (whole && number >= parameter.min && number <= parameter.max) return true;
    problems.add(pointer, fmt::format("is {}; expected {} from {} to {}", written(number),
                                      parameter.kind == Kind::whole ? "a whole number" : "a number",
                                      written(parameter.min), written(parameter.max)));
    return false;
  }

  std::optional<Value> several(const Json& json, const Parameter& parameter,
                               const std::string& pointer) const {
    constexpr std::size_t most = 16;
    if (!json.is_array() || json.empty() || json.size() > most)
      return fail(pointer, fmt::format("expected an array of 1 to {} numbers", most));
    Numbers found;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string at = fmt::format("{}/{}", pointer, i);
      const std::optional<Value> value = of(json[i], at);
      if (!value) return std::nullopt;
      if (!std::holds_alternative<double>(*value)) return fail(at, "expected a number");
      if (!in_range(std::get<double>(*value), parameter, at)) return std::nullopt;
      found.push_back(std::get<double>(*value));
    }
    return Value{std::move(found)};
  }

  std::optional<Value> argument(const Json& json, const Parameter& parameter,
                                const std::string& pointer) const {
    if (parameter.kind == Kind::several) return several(json, parameter, pointer);
    std::optional<Value> value = of(json, pointer);
    if (!value) return std::nullopt;
    if (parameter.kind == Kind::text)
      return std::holds_alternative<std::string>(*value) ? value
                                                         : fail(pointer, "expected a drawn text");
    if (!std::holds_alternative<double>(*value)) return fail(pointer, "expected a number");
    return in_range(std::get<double>(*value), parameter, pointer) ? value : std::nullopt;
  }

  std::optional<Value> of_model(const Json& json, const std::string& pointer) const {
    ObjectReader reader{json, pointer, problems};
    const std::string name = reader.text("model");
    if (name.empty()) return std::nullopt;
    const Model* model = find_model(name);
    if (model == nullptr) {
      std::vector<std::string> known;
      for (const Model& each : models()) known.emplace_back(each.name);
      reader.unknown_word("model", name, known);
      return std::nullopt;
    }
    std::vector<Value> arguments;
    for (const Parameter& parameter : model->parameters) {
      reader.ignore(parameter.name);
      if (!reader.has(parameter.name)) {
        reader.problem(parameter.name, fmt::format("is missing; the model {} needs it", name));
        continue;
      }
      if (std::optional<Value> value =
              argument(json[parameter.name], parameter, reader.at(parameter.name)))
        arguments.push_back(std::move(*value));
    }
    reader.done();
    if (arguments.size() != model->parameters.size()) return std::nullopt;
    Value value = model->value(arguments);
    const double* number = std::get_if<double>(&value);
    const Numbers* set = std::get_if<Numbers>(&value);
    if ((number != nullptr && !std::isfinite(*number)) || (set != nullptr && set->empty()))
      return fail(pointer, fmt::format("the model {} has no answer for these arguments", name));
    return value;
  }

  std::optional<Value> of(const Json& json, const std::string& pointer) const {
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return of_name(json.get<std::string>(), pointer);
    if (json.is_object() && json.contains("measured")) return of_row(json, pointer);
    if (json.is_object()) return of_model(json, pointer);
    return fail(pointer, "expected a number, a name, a model or a measurement");
  }
};

}  // namespace

std::optional<Value> evaluate(const Json& expression, const std::string& pointer,
                              const Names& names, Measurements& measurements, Problems& problems) {
  return Evaluation{names, measurements, problems}.of(expression, pointer);
}

bool can_be_evaluated(const Json& expression, const Names& names) {
  if (expression.is_string()) return names.contains(expression.get<std::string>());
  if (expression.is_array())
    return std::all_of(expression.begin(), expression.end(),
                       [&](const Json& each) { return can_be_evaluated(each, names); });
  if (!expression.is_object() || expression.contains("measured")) return true;
  for (const auto& item : expression.items())
    if (item.key() != "model" && !can_be_evaluated(item.value(), names)) return false;
  return true;
}

}  // namespace histolab::quiz
