#include "viewer/model/measured_figures.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/files/json_reader.h"
#include "reference/closed_forms.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

constexpr double lanes_of_warp = 32;

// Returns the first value of a curve at `x`, or 0 if the curve has no value there.
double value_at(const Json& curves, const char* id, double x) {
  const Json& points = at(at(curves, id), "points");
  if (!points.is_array()) return 0;
  for (const Json& point : points)
    if (point.is_array() && point.size() == 2 && number_of<double>(point[0]) == x)
      return number_of<double>(point[1]);
  return 0;
}

reference::MeasuredCurve curve_in(const Json& curve) {
  std::vector<std::pair<double, double>> points;
  const Json& list = at(curve, "points");
  if (list.is_array())
    for (const Json& point : list) {
      if (!point.is_array() || point.size() != 2) return {};
      const double x = number_of<double>(point[0]), y = number_of<double>(point[1]);
      if (x <= 0 || y <= 0 || (!points.empty() && x <= points.back().first)) return {};
      points.emplace_back(x, y);
    }
  return points.empty() ? reference::MeasuredCurve{} : reference::MeasuredCurve{std::move(points)};
}

}  // namespace

double MeasuredFigures::nanoseconds(double clocks) const {
  return sm_ghz > 0 ? reference::nanoseconds(clocks, sm_ghz) : 0;
}

Result<MeasuredFigures> read_figures(const std::string& path) {
  const Json json = TRY(grader::read_json_file(path, "device profile"));
  const Json& figures = at(json, "figures");
  const Json& curves = at(json, "curves");
  const auto figure = [&](const char* id) {
    return std::max(0.0, number<double>(at(figures, id), "value"));
  };
  MeasuredFigures out;
  out.device = text(json, "device");
  out.sm_ghz = figure("sm_clock");
  out.global_atomic_clocks = figure("latency_global_atomic");
  out.shared_atomic_clocks = figure("latency_shared_atomic");
  out.l1_clocks = figure("latency_l1");
  out.l2_clocks = figure("latency_l2");
  out.dram_clocks = figure("latency_dram");
  out.read_gb_per_s = figure("read_limit");
  out.request_on_one_word_ns = value_at(curves, "global_red_hot_line", lanes_of_warp);
  out.request_on_32_words_ns = value_at(curves, "global_red_hot_line", 1);
  out.updates_per_ns = curve_in(at(curves, "global_red_random_words"));
  return out;
}

}  // namespace histolab::viewer
