// Compare: two kernels on one dataset, or one kernel on two datasets, side by side: times, their
// ratio, the counters, and an explanation.
//
// Settings of a tour's stop: "a" and "b" (LAB, LAB=KERNEL or LAB=FILE), "datasets" ("constant",
// "hot:0,hot:100") and "length".
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/words/words.h"
#include "imgui.h"
#include "viewer/feed/job.h"
#include "viewer/model/comparison_view.h"
#include "viewer/model/json_access.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/launch_controls.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

ImVec4 color_of_a() { return series_color(0); }
ImVec4 color_of_b() { return series_color(1); }

class ComparePanel final : public Panel {
 public:
  Info info() const override {
    return {"compare", "Compare", "two kernels or two datasets side by side, and why they differ"};
  }
  // draw() takes the answer, so a hidden panel is not busy once its job has ended.
  bool busy() const override { return job_ && job_->running(); }

  void prepare(const nlohmann::json& settings, Workspace& workspace) override {
    choice_ = usual_comparison(workspace.catalogue);
    if (const std::string words = exact_text(settings, "a"); !words.empty())
      choose_kernel(choice_.a, words, workspace.catalogue);
    if (const std::string words = exact_text(settings, "b"); !words.empty())
      choose_kernel(choice_.b, words, workspace.catalogue);
    if (const std::string words = exact_text(settings, "datasets"); !words.empty())
      choose_datasets(choice_, words);
    choice_.a.length = number<std::uint64_t>(settings, "length", choice_.a.length);
    choice_.settle(true);
    chosen_ = true;
    asked_ = false;
  }

  void draw(Workspace& workspace) override {
    if (!chosen_) {
      if (workspace.catalogue.labs.empty())
        return wrapped_text(palette().quiet, "waiting for the list of labs");
      choice_ = usual_comparison(workspace.catalogue);
      chosen_ = true;
    }
    draw_choice(workspace);
    if (!std::exchange(asked_, true)) ask(workspace);
    take_answer();
    const bool waiting = job_.has_value();
    if (waiting)
      wrapped_text(palette().quiet,
                   fmt::format("comparing {} with {} ...", name_of(workspace, choice_.a),
                               name_of(workspace, choice_.b)));
    if (!error_.empty()) wrapped_text(palette().lost, error_);
    if (!view_) return;
    if (waiting) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, ImGui::GetStyle().Alpha * 0.35f);
    draw_words();
    draw_times();
    draw_counters();
    if (waiting) ImGui::PopStyleVar();
  }

 private:
  // ---- the choice of both sides ----------------------------------------------------------------

  void draw_choice(Workspace& workspace) {
    const bool room = ImGui::GetContentRegionAvail().x > em(42) && !workspace.presenting;
    if (room) return edit(workspace);
    if (!workspace.presenting) {
      if (ImGui::Button("Choose")) ImGui::OpenPopup("choose");
      ImGui::SameLine();
      swap_button();
    }
    if (ImGui::BeginPopup("choose")) {
      edit(workspace);
      ImGui::EndPopup();
    }
    describe(workspace, "A", color_of_a(), choice_.a);
    describe(workspace, "B", color_of_b(), choice_.b);
  }

  void edit(Workspace& workspace) {
    if (edit_side(workspace, "A", color_of_a(), choice_.a)) changed(true);
    if (edit_side(workspace, "B", color_of_b(), choice_.b)) changed(false);
    if (edit_length(choice_.a)) changed(true);
    ImGui::SameLine();
    swap_button();
    if (choice_.same_kernel()) return;
    same_line_if_room(em(30));
    ImGui::TextDisabled("two kernels share one dataset; one kernel may use two");
  }

  void swap_button() {
    if (ImGui::Button("Swap")) std::swap(choice_.a, choice_.b), changed(true);
    ImGui::SetItemTooltip("swap A and B");
  }

  static bool edit_side(Workspace& workspace, const char* letter, ImVec4 color,
                        LaunchChoice& side) {
    ImGui::PushID(letter);
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(color, "%s", letter);
    ImGui::SameLine(em(1.6f));
    bool changed = pick_lab(workspace.catalogue, side);
    ImGui::SameLine();
    changed |= pick_kernel(workspace.catalogue, side);
    ImGui::SameLine();
    ImGui::TextUnformatted("on");
    ImGui::SameLine();
    changed |= pick_dataset(side);
    ImGui::PopID();
    return changed;
  }

  void changed(bool of_a) {
    choice_.settle(of_a);
    asked_ = false;
  }

  static std::string name_of(const Workspace& workspace, const LaunchChoice& side) {
    const std::string kernel = kernel_name(workspace.catalogue, side);
    return kernel.empty() ? side.lab : fmt::format("{}, {}", side.lab, kernel);
  }

  static void describe(const Workspace& workspace, const char* letter, ImVec4 color,
                       const LaunchChoice& side) {
    ImGui::TextColored(color, "%s", letter);
    ImGui::SameLine(em(1.6f));
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text],
                 fmt::format("{}, on {}", name_of(workspace, side), side.dataset));
  }

  // ---- the answer -------------------------------------------------------------------------------

  void ask(const Workspace& workspace) {
    choice_.a.device = choice_.b.device = workspace.choice.device;
    error_.clear();
    job_.emplace(workspace.places.command(compare_command(choice_)));
  }

  void take_answer() {
    if (!job_) return;
    std::optional<Result<nlohmann::json>> answer = job_->take();
    if (!answer) return;
    job_.reset();
    view_.reset();
    if (!*answer) {
      error_ = answer->error().message;
      return;
    }
    view_ = comparison_in(**answer);
    if (!view_)
      error_ = "`histolab compare` printed something that this viewer does not understand";
    else
      shown_ = shown_counters(*view_);
  }

  // Formatted once, so that frames need no formatting.
  struct ShownCounter {
    std::string a, b, ratio;
    float lean = 0;
  };
  static std::vector<ShownCounter> shown_counters(const ComparisonView& view) {
    std::vector<ShownCounter> shown;
    for (const ComparisonView::Counter& each : view.counters)
      shown.push_back({grader::plain(each.a), grader::plain(each.b),
                       each.ratio         ? ratio_text(each.ratio)
                       : each.a == each.b ? ""
                       : each.b > each.a  ? "only B"
                                          : "only A",
                       static_cast<float>(view.lean(each))});
    return shown;
  }

  // ---- drawing ---------------------------------------------------------------------------------

  // Returns the colour of the faster side.
  [[nodiscard]] ImVec4 color_of_headline() const {
    if (!view_->right()) return palette().lost;
    if (!view_->time || view_->time->alike) return ImGui::GetStyle().Colors[ImGuiCol_Text];
    return view_->time->a_ms < view_->time->b_ms ? color_of_a() : color_of_b();
  }

  void draw_words() const {
    for (const std::string& problem : view_->problems()) wrapped_text(palette().lost, problem);
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.7f);
    wrapped_text(color_of_headline(), view_->headline());
    ImGui::PopFont();
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], view_->sentence);
  }

  void draw_times() const {
    if (!view_->time) return;
    const ComparisonView::Time& time = *view_->time;
    const double longest = std::max({time.a_ms, time.b_ms, 1e-12});
    time_bar("A", color_of_a(), time.a_ms, longest, view_->a.run);
    time_bar("B", color_of_b(), time.b_ms, longest, view_->b.run);
    origin_tag(time.measured, time.device);
    const auto& modelled = view_->a.run.modelled;
    if (time.measured || !modelled || modelled->typical_error <= 1) return;
    const std::string error =
        fmt::format("typically within a factor of {}", grader::plain(modelled->typical_error));
    same_line_if_room(ImGui::CalcTextSize(error.c_str()).x);
    ImGui::TextDisabled("%s", error.c_str());
  }

  static void time_bar(const char* letter, ImVec4 color, double ms, double longest,
                       const RunSummary& run) {
    std::string words = grader::duration(ms);
    if (run.modelled && !run.modelled->bound_by.empty())
      words += fmt::format(", bound by {}", run.modelled->bound_by.substr(0, 30));
    const float height = em(1.5f), left = em(1.4f),
                text_width = ImGui::CalcTextSize(words.c_str()).x;
    const float room = std::max(em(4), ImGui::GetContentRegionAvail().x - left);
    const float length =
        std::max(2.0f, static_cast<float>(std::clamp(ms / longest, 0.0, 1.0)) * room);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text_y = at.y + (height - ImGui::GetFontSize()) / 2;
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    draw->AddText({at.x, text_y}, ImGui::GetColorU32(color), letter);
    draw->AddRectFilled({at.x + left, at.y}, {at.x + left + length, at.y + height - 2},
                        ImGui::GetColorU32(color), 2);
    const bool inside = length > text_width + em(1);
    draw->AddText({at.x + left + (inside ? em(0.5f) : length + em(0.4f)), text_y},
                  inside ? text_on(color) : ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
    ImGui::Dummy({left + room, height});
  }

  [[nodiscard]] float widest_number() const {
    float widest = em(3);
    for (const ShownCounter& each : shown_)
      for (const std::string* number : {&each.a, &each.b, &each.ratio})
        widest = std::max(widest, ImGui::CalcTextSize(number->c_str()).x);
    return std::min(widest, em(9));
  }

  void draw_counters() const {
    if (view_->counters.empty() ||
        ImGui::GetContentRegionAvail().y < 2 * ImGui::GetTextLineHeightWithSpacing())
      return;
    const bool wide = ImGui::GetContentRegionAvail().x > em(42);
    const ImGuiTableFlags flags =
        ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter;
    if (!ImGui::BeginTable("counters", wide ? 6 : 4, flags, ImGui::GetContentRegionAvail())) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    const float width = widest_number();
    ImGui::TableSetupColumn("counters that differ", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    if (wide) ImGui::TableSetupColumn("unit", ImGuiTableColumnFlags_WidthFixed);
    for (const char* const name : {"A", "B", "ratio"})
      ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, width);
    if (wide) ImGui::TableSetupColumn("more in A | in B", ImGuiTableColumnFlags_WidthStretch, 0.6f);
    draw_headers(wide);
    ImGuiListClipper rows;
    rows.Begin(static_cast<int>(shown_.size()));
    while (rows.Step())
      for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i)
        counter_row(static_cast<std::size_t>(i), wide);
    ImGui::EndTable();
  }

  // Numbers are right-aligned, and so are their headers.
  static void draw_headers(bool wide) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    const int first_number = wide ? 2 : 1;
    for (int column = 0; column < ImGui::TableGetColumnCount(); ++column) {
      if (!ImGui::TableSetColumnIndex(column)) continue;
      const char* const name = ImGui::TableGetColumnName(column);
      if (column >= first_number && column < first_number + 3) align_right(name);
      ImGui::TableHeader(name);
    }
  }

  static void align_right(const char* words) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x -
                                                                     ImGui::CalcTextSize(words).x));
  }

  void counter_row(std::size_t i, bool wide) const {
    const ComparisonView::Counter& counter = view_->counters[i];
    const ShownCounter& shown = shown_[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    one_line(ImGui::GetStyle().Colors[ImGuiCol_Text], counter.title);
    ImGui::SetItemTooltip("%s\n%s, in %s", counter.title.c_str(), counter.name.c_str(),
                          counter.unit.c_str());
    if (wide && ImGui::TableNextColumn()) ImGui::TextDisabled("%s", counter.unit.c_str());
    for (const std::string* number : {&shown.a, &shown.b, &shown.ratio}) {
      ImGui::TableNextColumn();
      align_right(number->c_str());
      ImGui::TextUnformatted(number->c_str());
    }
    if (!wide) return;
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float middle = at.x + room / 2, end = middle + shown.lean * room / 2;
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({std::min(middle, end), at.y + 2},
                        {std::max(middle, end), at.y + height - 2},
                        ImGui::GetColorU32(shown.lean < 0 ? color_of_a() : color_of_b()), 2);
    draw->AddLine({middle, at.y}, {middle, at.y + height}, ImGui::GetColorU32(palette().quiet));
    ImGui::Dummy({room, height});
  }

  CompareChoice choice_;
  bool chosen_ = false, asked_ = false;
  std::optional<Job> job_;
  std::optional<ComparisonView> view_;
  std::vector<ShownCounter> shown_;
  std::string error_;
};

}  // namespace

std::unique_ptr<Panel> make_compare_panel() { return std::make_unique<ComparePanel>(); }

}  // namespace histolab::viewer
