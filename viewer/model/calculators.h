// Calculators: the exercises on atomic updates, each as a function of sliders, over
// reference/closed_forms.h.
//
// A calculator is a row of a table: what its sliders are, the formula in words, the answer. All of
// them are models; what an NVIDIA H200 was measured to do stands beside them where it is near by
// (MeasuredFigures).
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
  const char* id;     // of prepare(): "latency"
  const char* label;  // with its unit: "latency (clocks)"
  double least, most;
  bool logarithmic = false, whole = false;
};

using Values = std::vector<double>;  // one of each parameter

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
  std::vector<Preset> presets;  // the first is what it begins with
  std::size_t first_curve;      // the parameter that the curve is over at first
  Unit unit;
  double (*answer)(std::span<const double> values);
  std::string (*sentence)(
      std::span<const double> values);  // the same in words and with numbers between
  // What was measured near by; null, or empty text: nothing was.
  std::string (*measured)(const MeasuredFigures& figures, std::span<const double> values) = nullptr;
  // The sliders as the figures have them; null: they have no such.
  Values (*as_measured)(const MeasuredFigures& figures, Values values) = nullptr;
  // The value of parameter `best_of` for which the answer is least; null: there is none.
  double (*best)(std::span<const double> values) = nullptr;
  std::size_t best_of = 0;
  std::size_t curve_points = 160;

  [[nodiscard]] std::optional<std::size_t> parameter(std::string_view parameter_id) const;
};

[[nodiscard]] const std::vector<Calculator>& calculators();
[[nodiscard]] const Calculator* find_calculator(std::string_view id);

// Within its limits; whole where it has to be.
[[nodiscard]] double clamped(const Parameter& parameter, double value);

// The answer over one parameter, the others as they are.
struct Curve {
  std::vector<double> x, y;
};
[[nodiscard]] Curve curve_over(const Calculator& calculator, const Values& values,
                               std::size_t parameter);

}  // namespace histolab::viewer
