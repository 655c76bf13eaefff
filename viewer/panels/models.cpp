// Models: the exercises on atomic updates as calculators: sliders, the answer, and its curve over
// the slider moved last. All answers are closed forms. Comparable measurements of a GPU are shown
// next to them.
//
// Settings of a tour's stop: "calculator" (its id: "latency", "cache", ...), sliders by their ids,
// "over" (the slider on the curve's x axis).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "imgui.h"
#include "implot.h"
#include "viewer/feed/later.h"
#include "viewer/model/calculators.h"
#include "viewer/model/json_access.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

constexpr const char* profile = "h200.json";

struct Question {
  const Calculator* calculator = nullptr;
  Values values;
  std::size_t over = 0;  // index of the parameter on the curve's x axis
  bool operator==(const Question&) const = default;
};

struct Answer {
  Question question;
  double value = 0;
  std::string shown, sentence;
  Curve curve;
  double lowest = 0, highest = 1;  // range of the curve
  std::optional<double> best;      // the minimum, if the curve's parameter has one
  double best_value = 0;
};

Answer answer_to(const Question& question) {
  const Calculator& calculator = *question.calculator;
  Answer answer;
  answer.question = question;
  answer.value = calculator.answer(question.values);
  answer.shown = with_unit(calculator.unit, answer.value);
  answer.sentence = calculator.sentence(question.values);
  answer.curve = curve_over(calculator, question.values, question.over);
  const auto [lowest, highest] = std::ranges::minmax(answer.curve.y);
  answer.lowest = lowest;
  answer.highest = highest;
  if (calculator.best != nullptr && calculator.best_of == question.over) {
    Values best = question.values;
    answer.best = best[question.over] = calculator.best(question.values);
    answer.best_value = calculator.answer(best);
  }
  return answer;
}

class ModelsPanel final : public Panel {
 public:
  ModelsPanel() { choose(calculators().front()); }
  Info info() const override {
    return {"models", "Models", "the exercises on atomic updates as calculators"};
  }

  void draw(Workspace& workspace) override {
    ask(workspace);
    take();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x > em(50) && room.y > em(12)) {
      if (ImGui::BeginChild("sliders", {std::min(em(30), room.x * 0.4f), 0})) draw_sliders();
      ImGui::EndChild();
      ImGui::SameLine(0, em(1));
      if (ImGui::BeginChild("answer")) draw_answer(2.4f);
      ImGui::EndChild();
    } else {
      draw_sliders();
      draw_answer(1.5f);
    }
  }

  void prepare(const nlohmann::json& settings, Workspace&) override {
    if (const Calculator* const wanted = find_calculator(text(settings, "calculator")))
      choose(*wanted);
    const Calculator& calculator = *question_.calculator;
    for (std::size_t i = 0; i < calculator.parameters.size(); ++i) {
      const Parameter& parameter = calculator.parameters[i];
      question_.values[i] =
          clamped(parameter, number<double>(settings, parameter.id, question_.values[i]));
    }
    if (const auto over = calculator.parameter(text(settings, "over"))) question_.over = *over;
  }

  bool busy() const override {
    return reading_ || working_ || !answer_ || answer_->question != question_;
  }

 private:
  void choose(const Calculator& calculator) {
    question_ = {&calculator, calculator.presets.front().values, calculator.first_curve};
  }

  // Computes one answer at a time. Afterwards it starts again if the sliders have moved.
  void ask(const Workspace& workspace) {
    if (!figures_ && !reading_)
      reading_.emplace([path = workspace.places.profiles + "/" + profile](const std::stop_token&) {
        return read_figures(path);
      });
    if (!working_ && (!answer_ || answer_->question != question_))
      working_.emplace(
          [question = question_](const std::stop_token&) { return answer_to(question); });
  }
  void take() {
    if (reading_)
      if (std::optional<Result<MeasuredFigures>> read = reading_->take()) {
        figures_ = std::move(read);
        reading_.reset();
      }
    if (working_)
      if (std::optional<Answer> answer = working_->take()) {
        answer_ = std::move(answer);
        working_.reset();
      }
  }

  void draw_sliders() {
    ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, em(22)));
    if (ImGui::BeginCombo("##calculator", question_.calculator->title,
                          ImGuiComboFlags_HeightLargest)) {
      for (const Calculator& each : calculators())
        if (ImGui::Selectable(each.title, &each == question_.calculator)) choose(each);
      ImGui::EndCombo();
    }
    const Calculator& calculator = *question_.calculator;
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], calculator.formula);
    for (const Preset& preset : calculator.presets) {
      if (&preset != &calculator.presets.front()) same_line_if_room(button_width(preset.name));
      if (ImGui::Button(preset.name)) question_.values = preset.values;
    }
    if (calculator.as_measured != nullptr && figures_ && *figures_ && (*figures_)->known()) {
      same_line_if_room(button_width("as measured"));
      if (ImGui::Button("as measured")) set(calculator.as_measured(**figures_, question_.values));
      ImGui::SetItemTooltip("the latencies and rates of an %s", (*figures_)->device.c_str());
    }
    for (std::size_t i = 0; i < calculator.parameters.size(); ++i) {
      const Parameter& parameter = calculator.parameters[i];
      ImGui::TextColored(
          i == question_.over ? palette().accent : ImGui::GetStyle().Colors[ImGuiCol_Text], "%s",
          parameter.label);
      ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, em(22)));
      const ImGuiSliderFlags flags =
          ImGuiSliderFlags_AlwaysClamp |
          (parameter.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
      double& value = question_.values[i];
      if (ImGui::SliderScalar(fmt::format("##{}", parameter.id).c_str(), ImGuiDataType_Double,
                              &value, &parameter.least, &parameter.most,
                              parameter.whole ? "%.0f" : "%.4g", flags)) {
        value = clamped(parameter, value);
        question_.over = i;
      }
    }
  }

  static float button_width(const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
  }

  void set(const Values& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      question_.values[i] = clamped(question_.calculator->parameters[i], values[i]);
  }

  void draw_answer(float scale) {
    if (!answer_ || answer_->question.calculator != question_.calculator) {
      wrapped_text(palette().quiet, "...");
      return;
    }
    const Answer& answer = *answer_;
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * scale);
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], answer.shown);
    ImGui::PopFont();
    origin_tag(false, "a closed form");
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], answer.sentence);
    if (figures_) draw_measured(answer);
    draw_curve(answer);
  }

  void draw_measured(const Answer& answer) const {
    const Calculator& calculator = *answer.question.calculator;
    if (calculator.measured == nullptr) return;
    if (!*figures_) {
      wrapped_text(palette().note, figures_->error().message);
      return;
    }
    const std::string text = (*figures_)->known()
                                 ? calculator.measured(**figures_, answer.question.values)
                                 : std::string{};
    if (!text.empty())
      wrapped_text(palette().good,
                   fmt::format("measured on an {}: {}.", (*figures_)->device, text));
  }

  static void draw_curve(const Answer& answer) {
    const Calculator& calculator = *answer.question.calculator;
    const Parameter& over = calculator.parameters[answer.question.over];
    const double here = answer.question.values[answer.question.over];
    ImVec2 size = plot_size();
    size.y = std::max(size.y, em(9));
    if (!ImPlot::BeginPlot("##curve", size, ImPlotFlags_NoMouseText | ImPlotFlags_NoLegend)) return;
    ImPlot::SetupAxes(over.label, axis_label(calculator.unit));
    if (over.logarithmic) ImPlot::SetupAxisScale(ImAxis_X1, ImPlotScale_Log10);
    const double margin = over.logarithmic ? 1 : (over.most - over.least) * 0.02;
    ImPlot::SetupAxisLimits(ImAxis_X1, over.logarithmic ? over.least / 1.1 : over.least - margin,
                            over.logarithmic ? over.most * 1.1 : over.most + margin,
                            ImPlotCond_Always);
    const bool wide = answer.lowest > 0 && answer.highest / answer.lowest > 30;
    if (wide) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
    ImPlot::SetupAxisLimits(ImAxis_Y1, wide ? answer.lowest / 2 : 0,
                            wide ? answer.highest * 2 : std::max(answer.highest * 1.2, 1e-9),
                            ImPlotCond_Always);
    engineering_axis(ImAxis_X1);
    engineering_axis(ImAxis_Y1);
    ImPlot::PlotLine("##model", answer.curve.x.data(), answer.curve.y.data(),
                     static_cast<int>(answer.curve.x.size()), line(series_color(0), 2.5f));
    if (answer.best)
      mark(*answer.best, answer.best_value, palette().good,
           fmt::format("best: {:.0f}", *answer.best), 1);
    mark(here, answer.value, palette().accent, answer.shown, -1);
    ImPlot::EndPlot();
  }

  // Draws a point with its text above it, or below it if `side` is 1.
  static void mark(double x, double y, ImVec4 color, const std::string& text, float side) {
    ImPlotSpec spec = line(color, 2);
    spec.Marker = ImPlotMarker_Circle;
    spec.MarkerSize = 7;
    spec.MarkerLineColor = ImGui::GetStyle().Colors[ImGuiCol_Text];
    spec.MarkerFillColor = color;
    ImPlot::PlotScatter(side < 0 ? "##here" : "##best", &x, &y, 1, spec);
    ImPlot::Annotation(x, y, faded(ImGui::GetStyle().Colors[ImGuiCol_PopupBg], 0.92f),
                       {em(0.8f), side * em(1.1f)}, true, "%s", text.c_str());
  }

  Question question_;
  std::optional<Answer> answer_;
  std::optional<Later<Answer>> working_;
  std::optional<Result<MeasuredFigures>> figures_;
  std::optional<Later<Result<MeasuredFigures>>> reading_;
};

}  // namespace

std::unique_ptr<Panel> make_models_panel() { return std::make_unique<ModelsPanel>(); }

}  // namespace histolab::viewer
