// The live histogram: bars that grow while a kernel runs, the true histogram as an outline, and the
// lost updates.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/words/words.h"
#include "imgui.h"
#include "implot.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/launch_controls.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

class HistogramPanel final : public Panel {
 public:
  Info info() const override {
    return {"histogram", "Histogram",
            "bars that grow while a kernel runs, and the updates that are lost"};
  }

  void draw(Workspace& workspace) override {
    if (workspace.choice.is_program() || workspace.session.run().begin().is_program())
      return draw_no_bins(workspace);
    if (!workspace.presenting) edit_choice(workspace);
    run_buttons(workspace);
    const LiveRun& run = workspace.session.run();
    draw_status(workspace, run);
    draw_bars(run);
  }

 private:
  static void draw_no_bins(Workspace& workspace) {
    wrapped_text(palette().quiet,
                 "This is a launch of a whole program, whose bins are unknown. The source and warp "
                 "panels show it.");
    if (!ImGui::Button("Show a lab instead")) return;
    workspace.choice.program = {};
    workspace.session.start(workspace.choice);
  }

  // Shown to a class instead of the command: "01-race, solution; 16 384 elements of
  // uniform-letters".
  static std::string what_runs(const Workspace& workspace) {
    const LaunchChoice& choice = workspace.choice;
    return fmt::format("{}, {}; {} elements of {}", choice.lab,
                       kernel_name(workspace.catalogue, choice), grader::grouped(choice.length),
                       choice.dataset);
  }

  static void draw_status(const Workspace& workspace, const LiveRun& run) {
    const Totals sum = totals(run.bars());
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.25f);
    const bool wrong = sum.lost > 0 || sum.surplus > 0 || run.phase() == LiveRun::Phase::failed;
    const bool right = run.phase() == LiveRun::Phase::done && run.result() && run.result()->correct;
    wrapped_text(outcome_color(wrong, right), run.status());
    ImGui::PopFont();
    if (run.phase() == LiveRun::Phase::running || run.phase() == LiveRun::Phase::paused) {
      ImGui::ProgressBar(static_cast<float>(run.fraction_read()), {-1, ImGui::GetFontSize() * 0.5f},
                         "");
      // Shown even if it is 0, so that the bars do not move.
      wrapped_text(palette().pending,
                   fmt::format("{} read and not in the bins: in a private copy, or lost",
                               grouped_count(sum.pending)));
    }
    if (run.strays() > 0)
      wrapped_text(palette().note, fmt::format("{} of the stream were not understood",
                                               grader::counted(run.strays(), "line")));
    const std::string command = typed_command(workspace.choice);
    one_line(palette().quiet, workspace.presenting ? what_runs(workspace) : command);
    ImGui::SetItemTooltip("%s", command.c_str());
  }

  void draw_bars(const LiveRun& run) {
    const std::vector<Bar> bars = run.bars();
    if (bars.empty()) {
      wrapped_text(palette().quiet, "Press Run to see what the kernel counts.");
      return;
    }
    const int count = static_cast<int>(bars.size());
    places_.resize(bars.size());
    labels_.resize(bars.size());
    counted_.resize(bars.size());
    expected_.resize(bars.size());
    waiting_.resize(bars.size());
    lost_.resize(bars.size());
    double highest = 1;
    bool any_pending = false, any_lost = false;
    for (std::size_t bin = 0; bin < bars.size(); ++bin) {
      const Bar& bar = bars[bin];
      places_[bin] = static_cast<double>(bin);
      labels_[bin] = bar.label.c_str();
      counted_[bin] = bar.counted;
      expected_[bin] = bar.expected;
      waiting_[bin] = bar.pending > 0 ? bar.counted + bar.pending : 0;
      lost_[bin] = bar.lost > 0 ? bar.expected : 0;
      highest = std::max({highest, bar.expected, bar.counted});
      any_pending |= bar.pending > 0;
      any_lost |= bar.lost > 0;
    }
    const ImVec2 size = plot_size();
    const float font = ImGui::GetFontSize();
    const bool low = size.y < 12 * font;
    const double above_bars =
        std::clamp(1.5f * font / std::max(font, size.y - (low ? 5 : 8) * font), 0.12f, 1.0f);
    if (!ImPlot::BeginPlot(
            "##bars", size,
            ImPlotFlags_NoMouseText | (low ? ImPlotFlags_NoLegend : ImPlotFlags_None)))
      return;
    ImPlot::SetupAxes("bin", "elements", ImPlotAxisFlags_NoGridLines, 0);
    ImPlot::SetupAxisLimits(ImAxis_X1, -0.6, count - 0.4, ImPlotCond_Always);
    ImPlot::SetupAxisLimits(ImAxis_Y1, 0, highest * (1 + above_bars), ImPlotCond_Always);
    if (count <= 40) ImPlot::SetupAxisTicks(ImAxis_X1, places_.data(), count, labels_.data());
    engineering_axis(ImAxis_Y1);
    ImPlot::SetupLegend(ImPlotLocation_North,
                        ImPlotLegendFlags_Outside | ImPlotLegendFlags_Horizontal);
    const double width = count <= 40 ? 0.72 : 0.95;
    if (any_lost)
      ImPlot::PlotBars("lost", places_.data(), lost_.data(), count, width, filled(palette().lost));
    if (any_pending)
      ImPlot::PlotBars("read, not in the bin", places_.data(), waiting_.data(), count, width,
                       filled(faded(palette().pending, 0.55f)));
    ImPlot::PlotBars("in the bin", places_.data(), counted_.data(), count, width,
                     filled(palette().counted));
    ImPlot::PlotBars("expected", places_.data(), expected_.data(), count, width,
                     outlined(palette().expected, 1.5f));
    if (count <= 16)
      for (const Bar& bar : bars) {
        const double at = static_cast<double>(&bar - bars.data());
        const std::string text =
            bar.lost > 0 ? fmt::format("-{}", engineering(bar.lost)) : engineering(bar.counted);
        ImPlot::PlotText(text.c_str(), at, std::max(bar.expected, bar.counted),
                         {0, -ImGui::GetFontSize() * 0.6f});
      }
    if (const ImPlotPoint mouse = ImPlot::GetPlotMousePos();
        ImPlot::IsPlotHovered() && mouse.x > -0.5 && mouse.x < count - 0.5) {
      const Bar& bar = bars[static_cast<std::size_t>(mouse.x + 0.5)];
      ImGui::BeginTooltip();
      ImGui::Text("bin %s: %s of %s", bar.label.c_str(), grouped_count(bar.counted).c_str(),
                  grouped_count(bar.expected).c_str());
      if (bar.lost > 0)
        ImGui::TextColored(palette().lost, "%s lost", grouped_count(bar.lost).c_str());
      if (bar.pending > 0)
        ImGui::TextColored(palette().pending, "%s read and not in the bin",
                           grouped_count(bar.pending).c_str());
      ImGui::EndTooltip();
    }
    ImPlot::EndPlot();
  }

  // Members, so that most frames allocate nothing.
  std::vector<double> places_, counted_, expected_, waiting_, lost_;
  std::vector<const char*> labels_;
};

}  // namespace

std::unique_ptr<Panel> make_histogram_panel() { return std::make_unique<HistogramPanel>(); }

}  // namespace histolab::viewer
