// The contention sweep: how fast each strategy counts, from even data to one hot bin, and how many
// lanes of a warp update one address. Rates are measured on a GPU or modelled launch by launch, and
// never mixed.
//
// Settings of a tour's stop: "skew" (percent), "bins" (number), "model" (if true, the model instead
// of the measurement), "lines" (the strategies to draw; all if missing).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "imgui.h"
#include "implot.h"
#include "reference/closed_forms.h"
#include "viewer/feed/file_watch.h"
#include "viewer/feed/job.h"
#include "viewer/model/json_access.h"
#include "viewer/model/name_places.h"
#include "viewer/model/sweep.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

constexpr std::uint32_t warp = 32;

// The closed form for a warp whose lanes draw their bins independently. It does not depend on a
// kernel or a GPU.
struct DegreeCurve {
  std::vector<double> percent, degree,
      hottest;  // hottest: the lanes that the hottest bin has on average, at least so many meet
  std::uint32_t bins = 0;
  bool letters = false;
  float asked = -1;
  double answer = 0;

  // Caches the last answer.
  double at(float skew) {
    if (skew != asked) {
      asked = skew;
      answer = reference::expected_serialization(warp, chances(bins, letters, skew));
    }
    return answer;
  }

  void compute(std::uint32_t of_bins, bool of_letters) {
    if (bins == of_bins && letters == of_letters) return;
    *this = {};
    bins = of_bins;
    letters = of_letters;
    for (double skew = 0; skew <= 100; skew += 2.5) {
      const std::vector<double> all = chances(bins, letters, skew);
      percent.push_back(skew);
      degree.push_back(reference::expected_serialization(warp, all));
      hottest.push_back(warp * *std::ranges::max_element(all));
    }
  }
};

class SweepPanel final : public Panel {
 public:
  Info info() const override {
    return {"sweep", "Contention sweep",
            "rates of the strategies, and lanes on one address, from even data to one hot bin"};
  }

  void draw(Workspace& workspace) override {
    follow(workspace);
    draw_controls(workspace.presenting);
    if (sweep_.lines.empty()) {
      wrapped_text(
          palette().quiet,
          model_ ? "The first launches are being modelled."
                 : "There are no measurements with the datasets hot:P. `histolab bench --datasets "
                   "hot:0,hot:50,hot:100` measures them on a GPU; \"model\" needs no GPU.");
      return;
    }
    if (const std::string sentence = describe_rates(sweep_, skew_); !sentence.empty())
      wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], sentence);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (workspace.presenting) {
      draw_plots(room.x, room.y, room.y > em(20));
    } else if (room.x >= em(54)) {
      const float height = std::max(em(15), room.y),
                  bars = std::clamp(room.x * 0.34f, em(20), em(32));
      ImGui::BeginGroup();
      draw_plots(room.x - bars - ImGui::GetStyle().ItemSpacing.x, height, true);
      ImGui::EndGroup();
      ImGui::SameLine();
      if (ImGui::BeginChild("##bars", {0, height})) draw_bars(height);
      ImGui::EndChild();
    } else {
      draw_plots(room.x, std::max(em(19), room.y), true);
      draw_bars(0);
    }
  }

  void prepare(const nlohmann::json& settings, Workspace& /*workspace*/) override {
    skew_ = std::clamp(number<float>(settings, "skew", skew_), 0.0f, 100.0f);
    bins_ = number<std::uint32_t>(settings, "bins", bins_);
    model_ = flag(settings, "model");
    tour_lines_ = texts(settings, "lines");
    stale_ = true;
  }

  [[nodiscard]] bool busy() const override {
    return model_ && ((job_ && job_->running()) || (own_ && own_->reading()));
  }

 private:
  void follow(const Workspace& workspace) {
    if (const std::size_t labs = workspace.catalogue.labs.size();
        std::exchange(measured_with_, labs) != labs)
      measured_bins_ = bins_measured(workspace.benches, workspace.catalogue), stale_ = true;
    if (std::ranges::find(measured_bins_, bins_) == measured_bins_.end() &&
        !measured_bins_.empty()) {
      bins_ = measured_bins_.front();
      stale_ = true;
    }
    if (model_) follow_model(workspace);
    if (std::exchange(presenting_, workspace.presenting) != workspace.presenting) stale_ = true;
    if (!std::exchange(stale_, false)) return;
    sweep_ =
        model_ ? modelled_.sweep() : measured_sweep(workspace.benches, bins_, workspace.catalogue);
    if (presenting_) sweep_ = select_strategies(std::move(sweep_), tour_lines_);
    curve_.compute(sweep_.bins, sweep_.letters);
    // The bars explain this line, and a tour shows no bars.
    bound_ = presenting_ ? std::vector<double>{} : one_address_bound(sweep_, curve_.percent);
    lowest_ = 1e300;
    highest_ = 0;
    for (const SweepLine& line : sweep_.lines)
      for (const SweepPoint& point : line.points) {
        lowest_ = std::min(lowest_, point.elements_per_s);
        highest_ = std::max(highest_, point.elements_per_s);
      }
  }

  void follow_model(const Workspace& workspace) {
    follow_own_kernel(workspace);
    if (job_) {
      std::optional<Result<nlohmann::json>> output = job_->take();
      if (!output) return;
      job_.reset();
      if (*output) {
        modelled_.answer(*launch_, **output);
      } else {
        modelled_.give_up(*launch_);
        problem_ = launch_->contender.own
                       ? "my kernel has no line: it does not compile or does not complete"
                       : (*output).error().message;
      }
      stale_ = true;
    }
    launch_ = modelled_.next();
    if (launch_) job_.emplace(workspace.places.command(model_command(*launch_)));
  }

  // Models the solutions, and the chosen kernel if it is a different one with the same seven bins.
  // A tour shows only solutions.
  void follow_own_kernel(const Workspace& workspace) {
    const LaunchChoice& choice = workspace.choice;
    const Lab* const lab = workspace.catalogue.find(choice.lab);
    const bool comparable = !workspace.presenting && lab != nullptr &&
                            lab->bin_labels.size() == 7 && !choice.kernel.empty() &&
                            (lab->solution() == nullptr || lab->solution()->path != choice.kernel);
    const std::uint64_t version_before = own_version_;
    if (!comparable)
      own_.reset();
    else if (!own_ || own_->path() != choice.kernel) {
      own_.emplace(choice.kernel);
      ++own_version_;
    }
    if (const auto version = own_ ? own_->take() : std::nullopt; version && !version->first)
      ++own_version_;
    const bool same = own_version_ == version_before && labs_ == workspace.catalogue.labs.size() &&
                      has_own_ == own_.has_value();
    if (same) return;
    labs_ = workspace.catalogue.labs.size();
    has_own_ = own_.has_value();
    problem_.clear();
    std::vector<ModelledSweep::Contender> contenders = solutions_to_model(workspace.catalogue);
    if (own_) contenders.push_back({lab->name, lab->title, {}, choice.kernel, true, own_version_});
    modelled_.set(std::move(contenders));
    stale_ = true;
  }

  void choose_sweep() {
    if (ImGui::RadioButton("measured", !model_) && model_) {
      model_ = false;
      stale_ = true;
    }
    ImGui::SetItemTooltip("on a GPU, by histolab bench");
    ImGui::SameLine();
    if (ImGui::RadioButton("model", model_) && !model_) {
      model_ = true;
      stale_ = true;
    }
    ImGui::SetItemTooltip(
        "by histolab model: the labs' solutions and the chosen kernel, with 7 bins");
    ImGui::SameLine();
    ImGui::BeginDisabled(model_);
    ImGui::SetNextItemWidth(em(4.5f));
    if (ImGui::BeginCombo("bins", fmt::format("{}", model_ ? 7 : bins_).c_str())) {
      for (const std::uint32_t each : measured_bins_)
        if (ImGui::Selectable(fmt::format("{}", each).c_str(), each == bins_)) {
          bins_ = each;
          stale_ = true;
        }
      ImGui::EndCombo();
    }
    ImGui::EndDisabled();
    same_line_if_room(em(16));
  }

  void draw_controls(bool presenting) {
    if (!presenting) choose_sweep();
    const float tag =
                    sweep_.lines.empty() ? 0 : ImGui::CalcTextSize(sweep_.origin.c_str()).x + em(7),
                beside = ImGui::GetContentRegionAvail().x - em(5);
    ImGui::SetNextItemWidth(
        std::clamp(beside > tag + em(8) ? beside - tag : beside, em(6), em(24)));
    if (ImGui::SliderFloat("##skew", &skew_, 0, 100, "",
                           ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput))
      skew_ = std::round(skew_);
    ImGui::SetItemTooltip(
        "share of the elements that are the same letter; you can also drag the plots");
    ImGui::SameLine();
    ImGui::Text("%.0f %% hot", skew_);
    if (!sweep_.lines.empty()) {
      same_line_if_room(tag - em(1));
      ImGui::AlignTextToFramePadding();
      origin_tag(sweep_.measured, sweep_.origin);
    }
    if (model_ && modelled_.answered() < modelled_.launches()) {
      same_line_if_room(em(12));
      ImGui::TextDisabled("%zu of %zu launches modelled", modelled_.answered(),
                          modelled_.launches());
    }
    if (model_ && !problem_.empty()) wrapped_text(palette().note, problem_);
  }

  [[nodiscard]] ImVec4 color_of(const SweepLine& line) const {
    return line.own ? palette().expected : series_color(line.color);
  }

  // Draws the rates and, if `both`, the number of lanes on one address below them on the same x
  // axis. A plot that is wide enough has each kernel's name at the end of its line.
  void draw_plots(float width, float height, bool both) {
    const bool wide = width > em(30);
    name_type_ = wide ? ImGui::GetFontSize() : 0;
    float names = 0;
    for (const SweepLine& line : sweep_.lines)
      names = std::max(names, ImGui::CalcTextSize(line.kernel.c_str()).x);
    if (const float most = 0.36f * width; names > most) name_type_ *= most / names, names = most;
    if (wide) names += em(1);
    // Extends the axis beyond 100 % as far as the names need.
    const float inside = std::max(em(4), width - em(5) - (wide ? names : 0));
    const double right = 102 + (wide ? 104 * static_cast<double>(names / inside) : 0);
    if (!both) return draw_rates({width, height}, right, wide);
    const float words = ImGui::GetTextLineHeightWithSpacing() * (wide ? 1 : 2),
                lower = std::max(em(7), height * 0.3f);
    if (!ImPlot::BeginAlignedPlots("##sweep")) return;
    draw_rates({width, height - lower - words - ImGui::GetStyle().ItemSpacing.y}, right, false);
    ImGui::TextColored(palette().note, "most lanes of a warp on one address: %.1f (closed form)",
                       curve_.at(skew_));
    if (wide) ImGui::SameLine();
    ImGui::TextColored(palette().quiet, "%s",
                       wide ? "thin: lanes on the hot bin, 32 x its share"
                            : "thin: on the hot bin, 32 x its share");
    draw_degrees({width, lower}, right, wide);
    ImPlot::EndAlignedPlots();
  }

  // Common setup of both plots. Call it after BeginPlot.
  void set_up_skew(double right, bool in_full) {
    static constexpr std::array<double, 6> ticks{0, 20, 40, 60, 80, 100};
    ImPlot::SetupAxis(ImAxis_X1, in_full
                                     ? "hot elements, % (all in one bin; the others spread evenly)"
                                     : "hot elements, %");
    ImPlot::SetupAxisLimits(ImAxis_X1, -2, right, ImPlotCond_Always);
    ImPlot::SetupAxisTicks(ImAxis_X1, ticks.data(), static_cast<int>(ticks.size()));
  }
  void mark_skew() {
    const double at = skew_;
    ImPlot::PlotInfLines("##skew", &at, 1, line(faded(palette().accent, 0.8f), 1.5f));
    if (ImPlot::IsPlotHovered() && ImGui::IsMouseDown(ImGuiMouseButton_Left))
      skew_ = static_cast<float>(std::clamp(std::round(ImPlot::GetPlotMousePos().x), 0.0, 100.0));
  }

  void draw_rates(ImVec2 size, double right, bool label_in_full) {
    if (!ImPlot::BeginPlot("##rates", size, ImPlotFlags_NoMouseText | ImPlotFlags_NoLegend)) return;
    set_up_skew(right, label_in_full);
    ImPlot::SetupAxis(ImAxis_Y1, "elements/s");
    ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisLimits(ImAxis_Y1, std::pow(10, std::floor(std::log10(lowest_) - 0.05)),
                            std::pow(10, std::ceil(std::log10(highest_) + 0.05)),
                            ImPlotCond_Always);
    engineering_axis(ImAxis_Y1);
    if (!bound_.empty())
      ImPlot::PlotLine("##bound", curve_.percent.data(), bound_.data(),
                       static_cast<int>(bound_.size()), line(palette().quiet, 1));
    for (const SweepLine& each : sweep_.lines) {
      xs_.clear();
      ys_.clear();
      for (const SweepPoint& point : each.points) {
        xs_.push_back(point.percent);
        ys_.push_back(point.elements_per_s);
      }
      ImPlot::PlotLine(each.kernel.c_str(), xs_.data(), ys_.data(), static_cast<int>(xs_.size()),
                       marked_line(color_of(each), ImPlotMarker_Circle, !sweep_.measured,
                                   each.own ? 3.0f : 2.0f));
    }
    mark_skew();
    const std::vector<ImVec4> rectangles = name_type_ > 0 ? draw_names() : std::vector<ImVec4>{};
    ImPlot::EndPlot();
    add_tooltips(rectangles);
  }

  // Draws each kernel's name at the right end of its line and moves overlapping names apart.
  // Returns one rectangle per line: left, top, right, bottom.
  [[nodiscard]] std::vector<ImVec4> draw_names() const {
    std::vector<float> ends;
    for (const SweepLine& each : sweep_.lines)
      ends.push_back(
          ImPlot::PlotToPixels(each.points.back().percent, each.points.back().elements_per_s).y);
    const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    const NamePlaces places = place_names(ends, corner.y, corner.y + size.y, name_type_);
    const float x = ImPlot::PlotToPixels(100, lowest_).x + em(0.6f);
    std::vector<ImVec4> rectangles;
    ImPlot::PushPlotClipRect();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const SweepLine& line = sweep_.lines[i];
      ImPlot::GetPlotDrawList()->AddText(ImGui::GetFont(), places.size, {x, places.tops[i]},
                                         ImGui::ColorConvertFloat4ToU32(color_of(line)),
                                         line.kernel.c_str());
      const float width =
          ImGui::CalcTextSize(line.kernel.c_str()).x * places.size / ImGui::GetFontSize();
      rectangles.emplace_back(x, places.tops[i], x + width, places.tops[i] + places.size);
    }
    ImPlot::PopPlotClipRect();
    return rectangles;
  }

  // The tooltip of a name describes its kernel.
  void add_tooltips(const std::vector<ImVec4>& rectangles) const {
    const ImVec2 behind = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < rectangles.size(); ++i) {
      const ImVec4& each = rectangles[i];
      ImGui::SetCursorScreenPos({each.x, each.y});
      ImGui::InvisibleButton(sweep_.lines[i].kernel.c_str(), {each.z - each.x, each.w - each.y});
      ImGui::SetItemTooltip("%s", sweep_.lines[i].name.c_str());
    }
    ImGui::SetCursorScreenPos({behind.x, behind.y - ImGui::GetStyle().ItemSpacing.y});
    ImGui::Dummy({});
  }

  void draw_degrees(ImVec2 size, double right, bool wide) {
    if (!ImPlot::BeginPlot("##degrees", size, ImPlotFlags_NoMouseText | ImPlotFlags_NoLegend))
      return;
    set_up_skew(right, wide);
    ImPlot::SetupAxis(ImAxis_Y1, "lanes of 32");
    ImPlot::SetupAxisLimits(ImAxis_Y1, 0, 34, ImPlotCond_Always);
    ImPlot::SetupAxisTicks(ImAxis_Y1, 0, 32, 3);
    const int count = static_cast<int>(curve_.percent.size());
    ImPlot::PlotLine("expected", curve_.percent.data(), curve_.degree.data(), count,
                     line(palette().note, 2));
    ImPlot::PlotLine("hot bin", curve_.percent.data(), curve_.hottest.data(), count,
                     line(palette().quiet, 1));
    const double at = skew_, degree = curve_.at(skew_);
    mark_skew();
    ImPlot::PlotScatter("##here", &at, &degree, 1,
                        marked_line(palette().note, ImPlotMarker_Circle, false));
    ImPlot::EndPlot();
  }

  // Draws the rate of each strategy at this skew as a bar on a linear scale, with its description
  // if that fits.
  void draw_bars(float height) {
    const float width = std::max(em(4), ImGui::GetContentRegionAvail().x),
                line_height = ImGui::GetTextLineHeight(), thick = line_height * 0.4f;
    wrapped_text(palette().quiet,
                 fmt::format("at {:.0f} % hot, {} bins; bars are linear", skew_, sweep_.bins));
    const auto rows = static_cast<float>(sweep_.lines.size());
    const bool in_full =
        height == 0 || rows * (2.4f * line_height + thick) + 7 * line_height < height;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 1});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (const SweepLine& each : sweep_.lines) {
      const ImVec4 color = color_of(each);
      const std::string what =
          each.own ? std::filesystem::path(each.name).filename().string() : each.name;
      const std::optional<double> rate = each.at(skew_);
      const std::string number =
          rate ? fmt::format("{}{}/s", each.has_point(skew_) ? "" : "about ", engineering(*rate))
               : "unknown";
      ImGui::TextColored(color, "%s", each.kernel.c_str());
      ImGui::SetItemTooltip("%s", what.c_str());
      ImGui::SameLine(std::max(0.0f, width - ImGui::CalcTextSize(number.c_str()).x));
      ImGui::TextUnformatted(number.c_str());
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      const float share = rate && highest_ > 0 ? static_cast<float>(*rate / highest_) : 0;
      draw.AddRectFilled(corner, {corner.x + width, corner.y + thick},
                         ImGui::ColorConvertFloat4ToU32(palette().grid), 2);
      if (rate)
        draw.AddRectFilled(corner, {corner.x + std::max(1.5f, width * share), corner.y + thick},
                           ImGui::ColorConvertFloat4ToU32(color), 2);
      ImGui::Dummy({width, thick});
      if (in_full) wrapped_text(palette().quiet, what);
      ImGui::Dummy({width, line_height * 0.2f});
    }
    ImGui::PopStyleVar();
    if (!bound_.empty())
      wrapped_text(
          palette().quiet,
          in_full ? "Thin line: the limit of one address (closed form). It takes one update at a "
                    "time, as fast as at 100 %, and gets the hottest bin's share of the updates."
                  : "thin line: one address alone (closed form)");
  }

  float skew_ = 50;
  std::uint32_t bins_ = 7;
  bool model_ = false, stale_ = true, presenting_ = false;
  std::vector<std::string> tour_lines_;  // strategies of the tour's stop; all if empty
  std::size_t measured_with_ = ~std::size_t{
      0};  // so many labs of the catalogue were there when the measurements were looked at
  std::vector<std::uint32_t> measured_bins_;
  Sweep sweep_;
  double lowest_ = 1, highest_ = 10;
  DegreeCurve curve_;
  // Elements per second if all wait for the hottest bin's address, at the curve's percentages.
  std::vector<double> bound_;
  ModelledSweep modelled_;
  std::optional<Job> job_;
  std::optional<ModelledSweep::Launch> launch_;  // the launch that job_ models
  std::optional<FileWatch> own_;
  std::uint64_t own_version_ = 0;
  std::size_t labs_ = 0;
  bool has_own_ = false;
  std::string problem_;
  float name_type_ = 0;          // size of the names in the plot; 0 if it shows no names
  std::vector<double> xs_, ys_;  // members, so that most frames allocate nothing
};

}  // namespace

std::unique_ptr<Panel> make_sweep_panel() { return std::make_unique<SweepPanel>(); }

}  // namespace histolab::viewer
