// Calculators: the exercises on atomic updates, each as a function of sliders, over
// reference/closed_forms.h.
//
// A calculator is a row of a table: its sliders, the formula as text, and the function that
// computes the answer. All of them are models. A comparable measurement on an NVIDIA H200 is shown
// next to the answer (MeasuredFigures).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/measured_figures.h"

namespace histolab::viewer {

struct Parameter {
  const char* id;     // its key in Panel::prepare(): "latency"
  const char* label;  // with its unit: "latency (clocks)"
  double least, most;
  bool logarithmic = false, whole = false;
};

using Values = std::vector<double>;  // one per parameter

struct Preset {
  const char* name;
  Values values;
};

enum class Unit {
  updates_per_s,
  operations_per_s,
  elements_per_s,
  nanoseconds,
  steps,
  updates_per_element
};
[[nodiscard]] const char* axis_label(Unit unit);                // "updates per second"
[[nodiscard]] std::string with_unit(Unit unit, double number);  // "10M updates/s", "52.3 us"

struct Calculator {
  const char* id;       // "latency"
  const char* title;    // "Latency of one address"
  const char* formula;  // "rate = 1 / latency"
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;  // the first one is selected initially
  std::size_t first_curve;      // the x axis of the curve at first: index into `parameters`
  Unit unit;
  double (*answer)(std::span<const double> values);
  // Returns the answer as a sentence with numbers.
  std::string (*sentence)(std::span<const double> values);
  // Returns a comparable measurement as text. Null or empty if nothing comparable was measured.
  std::string (*measured)(const MeasuredFigures& figures, std::span<const double> values) = nullptr;
  // Returns the sliders set to the measured figures. Null if no slider was measured.
  Values (*as_measured)(const MeasuredFigures& figures, Values values) = nullptr;
  // Returns the value of parameter `best_of` that minimizes the answer. Null if no parameter does.
  double (*best)(std::span<const double> values) = nullptr;
  std::size_t best_of = 0;
  std::size_t curve_points = 160;

  [[nodiscard]] std::optional<std::size_t> parameter(std::string_view parameter_id) const;
};

[[nodiscard]] const std::vector<Calculator>& calculators();
[[nodiscard]] const Calculator* find_calculator(std::string_view id);

// Clamps `value` to the parameter's limits, and rounds it if the parameter is a whole number.
[[nodiscard]] double clamped(const Parameter& parameter, double value);

// The answer as a function of one parameter, with the others fixed.
struct Curve {
  std::vector<double> x, y;
};
[[nodiscard]] Curve curve_over(const Calculator& calculator, const Values& values,
                               std::size_t parameter);

}  // namespace histolab::viewer
