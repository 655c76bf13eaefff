// Throughput: elements and atomic updates per second, launch after launch. Measured points are
// filled. Modelled points, computed from the emulator's counters, are hollow and labelled as
// modelled. The read limit and CUB are lines if they were measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "grader/words/words.h"
#include "imgui.h"
#include "implot.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

constexpr double window_s = 60;

class ThroughputPanel final : public Panel {
 public:
  Info info() const override {
    return {"throughput", "Throughput",
            "elements and atomic updates per second, launch after launch"};
  }

  void draw(Workspace& workspace) override {
    if (workspace.session.controllable()) {
      ImGui::Checkbox("repeat", &workspace.choice.repeat);
      ImGui::SetItemTooltip("repeat the launch, each time with the next seed");
      ImGui::SameLine();
      if (ImGui::Button("Run")) workspace.session.start(workspace.choice);
      ImGui::SameLine();
    }
    if (ImGui::Button("Clear")) workspace.history.clear();
    const auto& points = workspace.history.points();
    const bool measured = !points.empty() && points.back().measured;
    if (!points.empty()) {
      same_line_if_room(ImGui::GetFontSize() * 12);
      origin_tag(measured,
                 measured ? workspace.session.run().begin().device_name : profile_of(workspace));
      wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text],
                   fmt::format("{}: {}/s elements, {}/s atomic updates{}", points.back().label,
                               engineering(points.back().elements_per_s),
                               engineering(points.back().atomics_per_s),
                               measured ? "" : " (the model, from the emulator's counters)"));
    }
    const Begin& begin = workspace.session.run().begin();
    const MeasuredLimits limits =
        limits_in(workspace.benches, begin.dataset, begin.domain, begin.bin_labels.size());
    if (limits.read > 0)
      wrapped_text(palette().quiet, fmt::format("lines: measured, {}", limits.device));
    if (workspace.history.left_out() > 0)
      wrapped_text(palette().quiet, fmt::format("{} without a time not shown",
                                                grader::counted(workspace.history.left_out(),
                                                                "launch", "launches")));
    draw_plot(workspace, limits);
  }

 private:
  static std::string profile_of(const Workspace& workspace) {
    const auto& result = workspace.session.run().result();
    return result && result->modelled ? fmt::format("profile {}", result->modelled->profile)
                                      : "profile h200";
  }

  void draw_plot(const Workspace& workspace, const MeasuredLimits& limits) {
    measured_.clear();
    modelled_.clear();
    double lowest = 1e300, highest = 0, first = workspace.now_s;
    for (const ThroughputPoint& point : workspace.history.points()) {
      if (point.at_s < workspace.now_s - window_s) continue;
      (point.measured ? measured_ : modelled_).add(point);
      first = std::min(first, point.at_s);
      for (const double rate : {point.elements_per_s, point.atomics_per_s})
        if (rate > 0) lowest = std::min(lowest, rate), highest = std::max(highest, rate);
    }
    for (const double line_at : {limits.read, limits.cub})
      if (line_at > 0) lowest = std::min(lowest, line_at), highest = std::max(highest, line_at);
    if (highest == 0) {
      lowest = 1e9;
      highest = 1e12;
    }
    if (!ImPlot::BeginPlot("##throughput", plot_size(), ImPlotFlags_NoMouseText)) return;
    ImPlot::SetupAxes("seconds ago", "per second");
    const double span = std::clamp(workspace.now_s - first + 1, 5.0, window_s);
    ImPlot::SetupAxisLimits(ImAxis_X1, -span, span * 0.03, ImPlotCond_Always);
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisLimits(ImAxis_Y1, std::pow(10, std::floor(std::log10(lowest) - 0.1)),
                            std::pow(10, std::ceil(std::log10(highest) + 0.1)), ImPlotCond_Always);
    engineering_axis(ImAxis_Y1);
    ImPlot::SetupLegend(ImPlotLocation_North,
                        ImPlotLegendFlags_Outside | ImPlotLegendFlags_Horizontal);
    const auto limit = [](const std::string& label, double rate, ImVec4 color) {
      if (rate > 0)
        ImPlot::PlotInfLines(label.c_str(), &rate, 1,
                             line(color, 1.5f, ImPlotInfLinesFlags_Horizontal));
    };
    limit("read limit", limits.read, palette().quiet);
    limit("CUB", limits.cub, series_color(4));
    measured_.plot("elements, measured", "atomics, measured", workspace.now_s, true);
    modelled_.plot("elements, modelled", "atomics, modelled", workspace.now_s, false);
    ImPlot::EndPlot();
  }

  struct Series {
    std::vector<double> at, elements, atomics, updates_at;
    void clear() {
      at.clear();
      elements.clear();
      atomics.clear();
      updates_at.clear();
    }
    void add(const ThroughputPoint& point) {
      at.push_back(point.at_s);
      elements.push_back(point.elements_per_s);
      if (point.atomics_per_s > 0) {
        updates_at.push_back(point.at_s);
        atomics.push_back(point.atomics_per_s);
      }
    }
    void plot(const char* elements_label, const char* atomics_label, double now_s, bool solid) {
      if (at.empty()) return;
      for (double& time : at) time -= now_s;
      for (double& time : updates_at) time -= now_s;
      ImPlot::PlotLine(elements_label, at.data(), elements.data(), static_cast<int>(at.size()),
                       marked_line(series_color(0), ImPlotMarker_Circle, !solid));
      if (!atomics.empty())
        ImPlot::PlotLine(atomics_label, updates_at.data(), atomics.data(),
                         static_cast<int>(updates_at.size()),
                         marked_line(series_color(1), ImPlotMarker_Square, !solid));
    }
  };
  Series measured_, modelled_;
};

}  // namespace

std::unique_ptr<Panel> make_throughput_panel() { return std::make_unique<ThroughputPanel>(); }

}  // namespace histolab::viewer
