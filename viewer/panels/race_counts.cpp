#include "viewer/panels/race_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"
#include "implot.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"

namespace histolab::viewer {
namespace {

using grader::RaceReport;
using reference::Increments;

constexpr double bar_width = 0.38;

// "18 of 20 interleavings lose an update (90 %)".
std::string losing(const reference::Enumeration& all) {
  if (all.losing == 0)
    return fmt::format("None of {} loses an update",
                       grader::counted(all.interleavings, "interleaving"));
  return fmt::format("{} of {} interleavings lose an update ({})", grader::grouped(all.losing),
                     grader::grouped(all.interleavings),
                     grader::percent(all.losing, all.interleavings));
}

std::string sentence(const RaceReport& report) {
  const auto& counted = report.counted;
  std::string text = losing(counted.front().all);
  if (counted.size() > 1)
    text += fmt::format(". Without a separate step for the add: {} of {} ({})",
                        grader::grouped(counted[1].all.losing),
                        grader::grouped(counted[1].all.interleavings),
                        grader::percent(counted[1].all.losing, counted[1].all.interleavings));
  return text + ".";
}

}  // namespace

void RaceCounts::ask(const Increments& shape) {
  const bool same = shape_ && shape_->threads == shape.threads &&
                    shape_->increments == shape.increments && shape_->atomic == shape.atomic;
  if (same) return;
  shape_ = shape;
  counted_.reset();
  counting_.emplace([shape](const std::stop_token&) { return grader::all_races(shape); });
}

void RaceCounts::take() {
  if (!counting_) return;
  counted_ = counting_->take();
  if (!counted_) return;
  counting_.reset();
  bars_.clear();
  if (!*counted_) return;
  const RaceReport& report = **counted_;
  sentence_ = sentence(report);
  axis_ = fmt::format("final histo[b]; {} is correct", report.shape.expected());
  ticks_.clear();
  for (std::uint32_t value = 1; value <= report.shape.expected(); ++value) ticks_.push_back(value);
  const bool two = report.counted.size() > 1;
  for (std::size_t way = 0; way < report.counted.size(); ++way) {
    Bars bars;
    const double aside = !two ? 0 : way == 0 ? -bar_width / 2 : bar_width / 2;
    const reference::Enumeration& all = report.counted[way].all;
    for (const auto& [value, interleavings] : all.final_values) {
      const bool right = value == report.shape.expected();
      (right ? bars.right_at : bars.wrong_at).push_back(value + aside);
      (right ? bars.right : bars.wrong)
          .push_back(100.0 * static_cast<double>(interleavings) /
                     static_cast<double>(all.interleavings));
    }
    bars_.push_back(std::move(bars));
  }
}

void RaceCounts::draw(const Increments& shape, ImVec2 size) {
  ask(shape);
  take();
  if (!counted_) {
    wrapped_text(palette().quiet, "counting all interleavings ...");
    return;
  }
  if (!*counted_) {
    wrapped_text(palette().note, counted_->error().message);
    return;
  }
  const float top = ImGui::GetCursorPosY();
  wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], sentence_);
  if (bars_.size() > 1)
    wrapped_text(palette().quiet, "full: load, add, store; hollow: load, store");
  const float left = size.y - (ImGui::GetCursorPosY() - top);
  if (left >= 5 * ImGui::GetFontSize()) plot({size.x, left});  // else only the sentence is shown
}

void RaceCounts::plot(ImVec2 size) {
  const RaceReport& report = **counted_;
  const double expected = report.shape.expected();
  const bool low = size.y < 13 * ImGui::GetFontSize();
  if (!ImPlot::BeginPlot("##values", size,
                         ImPlotFlags_NoMouseText | (low ? ImPlotFlags_NoLegend : ImPlotFlags_None)))
    return;
  ImPlot::SetupAxes(axis_.c_str(), low ? "% of all" : "% of interleavings",
                    ImPlotAxisFlags_NoGridLines, 0);
  ImPlot::SetupAxisLimits(ImAxis_X1, 0.4, expected + 0.6, ImPlotCond_Always);
  ImPlot::SetupAxisLimits(ImAxis_Y1, 0, 112, ImPlotCond_Always);
  ImPlot::SetupAxisTicks(ImAxis_X1, ticks_.data(), static_cast<int>(ticks_.size()));
  ImPlot::SetupLegend(ImPlotLocation_North,
                      ImPlotLegendFlags_Outside | ImPlotLegendFlags_Horizontal);
  const auto draw = [&](const char* label, const std::vector<double>& at,
                        const std::vector<double>& share, ImVec4 color, bool full) {
    if (!at.empty())
      ImPlot::PlotBars(label, at.data(), share.data(), static_cast<int>(at.size()),
                       bars_.size() > 1 ? bar_width * 0.92 : 0.6,
                       full ? filled(color) : outlined(color, 1.5f));
  };
  for (std::size_t way = 0; way < bars_.size(); ++way) {
    draw("updates lost", bars_[way].wrong_at, bars_[way].wrong, palette().lost, way == 0);
    draw("none lost", bars_[way].right_at, bars_[way].right, palette().good, way == 0);
  }
  if (const ImPlotPoint mouse = ImPlot::GetPlotMousePos();
      ImPlot::IsPlotHovered() && mouse.x > 0.5 && mouse.x < expected + 0.5) {
    const auto value = static_cast<std::uint32_t>(mouse.x + 0.5);
    ImGui::BeginTooltip();
    ImGui::Text("final histo[b]: %u%s", value, value == report.shape.expected() ? ", correct" : "");
    for (const RaceReport::Counted& counted : report.counted) {
      const auto found = counted.all.final_values.find(value);
      const std::uint64_t ways = found == counted.all.final_values.end() ? 0 : found->second;
      ImGui::TextUnformatted(fmt::format("{} of {}", grader::grouped(ways),
                                         grader::counted(counted.all.interleavings, "interleaving"))
                                 .c_str());
    }
    ImGui::EndTooltip();
  }
  ImPlot::EndPlot();
}

}  // namespace histolab::viewer
