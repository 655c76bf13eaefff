// Warp and memory: the memory instructions of one warp, one after the other: the active lanes, and
// the sectors, banks and elements that they access.
//
// Settings of a tour's stop: "block", "warp", "line" (of the source; all if 0) and "access" (the
// first is 0).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "grader/words/words.h"
#include "imgui.h"
#include "viewer/model/access_log.h"
#include "viewer/model/json_access.h"
#include "viewer/model/warp_view.h"
#include "viewer/panels/access_strip.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/lane_colors.h"
#include "viewer/ui/launch_controls.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/ui/warp_drawing.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

class WarpPanel final : public Panel {
 public:
  Info info() const override {
    return {"warp", "Warp and memory",
            "sectors, banks and bins that the 32 lanes of a warp access"};
  }

  void prepare(const nlohmann::json& settings, Workspace& workspace) override {
    wanted_ = {number<std::uint32_t>(settings, "block"), number<std::uint32_t>(settings, "warp")};
    line_ = workspace.selected = {"", number<int>(settings, "line")};
    place_ = number<std::size_t>(settings, "access", 0);
    follow_place_ = true;
  }

  void draw(Workspace& workspace) override {
    log_.follow(workspace.session.run());
    if (shows_program(workspace) && !workspace.presenting) program_controls(workspace, false);
    if (log_.empty()) return draw_empty(workspace);
    if (line_ != workspace.selected) {
      line_ = workspace.selected;
      place_ = 0;
      follow_place_ = true;
    }
    choose();
    const bool wide = ImGui::GetContentRegionAvail().x > em(42);
    draw_controls(workspace, wide);
    choose();  // show changes at once
    draw_words(wide);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 60 || room.y < 40) return;
    const float left = std::floor(wide ? std::min(room.x * 0.5f, em(60)) : room.x * 0.4f);
    const float legend = room.y > em(8) ? ImGui::GetTextLineHeightWithSpacing() : 0,
                height = room.y - legend;
    if (ImGui::BeginChild("##time", {left, height})) {
      if (wide) draw_lines(workspace);
      draw_strip(wide);
    }
    ImGui::EndChild();
    ImGui::SameLine();
    if (ImGui::BeginChild("##access", {0, height})) draw_access();
    ImGui::EndChild();
    if (legend > 0) draw_color_legend(log_, access());
  }

 private:
  static void draw_empty(Workspace& workspace) {
    if (workspace.session.controllable() && !workspace.choice.is_program() && ImGui::Button("Run"))
      workspace.session.start(workspace.choice);
    const LiveRun& run = workspace.session.run();
    if (shows_program(workspace) && !run.result()) return;  // its controls say why
    wrapped_text(palette().quiet, why_no_accesses(run));
  }

  // ---- selection of accesses -------------------------------------------------------------------

  // Selects the warp and its accesses again if something has changed.
  void choose() {
    if (chosen_revision_ == log_.revision() && chosen_wanted_ == wanted_ && chosen_line_ == line_)
      return select(shown_place());
    chosen_revision_ = log_.revision();
    chosen_wanted_ = wanted_;
    chosen_line_ = line_;
    std::optional<WarpId> warp = log_.nearest(wanted_, line_);
    shown_line_ = warp && line_.line != 0 ? line_ : SourcePlace{};
    if (!warp) warp = log_.nearest(wanted_, {});
    warp_ = warp.value_or(WarpId{});
    rows_ = log_.accesses_of(warp_, shown_line_);
    strip_.show(log_, rows_);
    selected_ = none;
    select(shown_place());
  }

  [[nodiscard]] std::size_t shown_place() const {
    return rows_.empty() ? 0 : std::min(place_, rows_.size() - 1);
  }
  [[nodiscard]] const Access& row(std::size_t place) const { return log_.rows()[rows_[place]]; }
  [[nodiscard]] const Access& access() const { return log_.rows()[selected_]; }

  void select(std::size_t place) {
    if (rows_.empty() || selected_ == rows_[place]) return;
    selected_ = rows_[place];
    grid_ = sector_grid(access());
    banks_ = bank_columns(access());
    elements_ =
        element_columns(access(), log_.holds_bins(access().variable) ? log_.begin().bin_labels
                                                                     : std::vector<std::string>{});
    sentence_ = sentence(access(), has_files() ? access().file : "");
    lesson_ = lesson(access());
  }

  void lane_tooltip(const Access& each, std::uint32_t mask) const {
    if (mask == 0) return;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    ImGui::BeginTooltip();
    if (!std::has_single_bit(mask))
      ImGui::Text("lanes %s on one word; the first is", lane_ranges(mask).c_str());
    ImGui::TextUnformatted(
        about_lane(each, lane, log_.begin().block, bin_label(log_, each, lane)).c_str());
    ImGui::EndTooltip();
  }

  // ---- controls --------------------------------------------------------------------------------

  void draw_controls(Workspace& workspace, bool wide) {
    if (workspace.session.controllable() && !workspace.presenting && !shows_program(workspace)) {
      if (ImGui::Button("Run")) workspace.session.start(workspace.choice);
      ImGui::SameLine();
    }
    pick_warp(wide);
    if (!wide) {
      ImGui::SameLine();
      pick_line(workspace);
    }
    same_line_if_room(em(9));
    step_buttons();
  }

  static bool begin_combo(const char* id, const std::string& shown, bool wide) {
    ImGui::SetNextItemWidth(em(wide ? 6.0f : 4.4f));
    return ImGui::BeginCombo(id, shown.c_str(),
                             wide ? ImGuiComboFlags_None : ImGuiComboFlags_NoArrowButton);
  }

  void pick_warp(bool wide) {
    if (begin_combo("##block", fmt::format("block {}", warp_.block), wide)) {
      std::optional<std::uint32_t> last;
      for (const auto& [id, rows] : log_.warps())
        if (last != id.block) {
          last = id.block;
          if (ImGui::Selectable(fmt::format("block {}", id.block).c_str(), id.block == warp_.block))
            go_to_warp({id.block, warp_.warp});
        }
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("blocks whose accesses were recorded");
    ImGui::SameLine();
    if (begin_combo("##warp", fmt::format("warp {}", warp_.warp), wide)) {
      for (auto each = log_.warps().lower_bound({warp_.block, 0});
           each != log_.warps().end() && each->first.block == warp_.block; ++each)
        if (ImGui::Selectable(fmt::format("warp {}", each->first.warp).c_str(),
                              each->first == warp_))
          go_to_warp(each->first);
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("warps of this block whose accesses were recorded");
  }

  // The line's number, with its file if there are several.
  [[nodiscard]] std::string label_of(const SourcePlace& place) const {
    return has_files() ? fmt::format("{}:{}", place.file, place.line)
                       : fmt::format("{}", place.line);
  }
  [[nodiscard]] bool has_files() const { return log_.begin().sources.size() > 1; }

  void pick_line(Workspace& workspace) {
    const bool all = shown_line_.line == 0;
    if (!begin_combo("##line", all ? "all lines" : "line " + label_of(shown_line_), false)) return;
    if (ImGui::Selectable("all lines", all)) go_to_line(workspace, {});
    for (const AccessLog::Line& line : log_.lines())
      if (ImGui::Selectable(fmt::format("{}: {}", label_of(line.place), line.text).c_str(),
                            line.place == shown_line_))
        go_to_line(workspace, line.place);
    ImGui::EndCombo();
  }

  void step_buttons() {
    int place = static_cast<int>(shown_place()) + 1;
    const int count = static_cast<int>(rows_.size());
    ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
    if (ImGui::ArrowButton("Previous access", ImGuiDir_Left)) --place;
    ImGui::SetItemTooltip("previous access");
    ImGui::SameLine();
    if (ImGui::ArrowButton("Next access", ImGuiDir_Right)) ++place;
    ImGui::SetItemTooltip("next access");
    ImGui::PopItemFlag();
    same_line_if_room(em(5));
    ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x, em(4), em(26)));
    const std::string shown = ImGui::GetContentRegionAvail().x < em(8)
                                  ? fmt::format("%d of {}", count)
                                  : fmt::format("access %d of {}", count);
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, faded(palette().accent, 0.45f));
    ImGui::SliderInt("##place", &place, 1, std::max(1, count), shown.c_str(),
                     ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopStyleColor();
    ImGui::SetItemTooltip("accesses of this warp, in program order");
    const auto wanted = static_cast<std::size_t>(std::clamp(place, 1, std::max(1, count)) - 1);
    if (wanted != shown_place()) {
      place_ = wanted;
      follow_place_ = true;
    }
  }

  void go_to_warp(WarpId warp) {
    wanted_ = warp;
    place_ = 0;
    follow_place_ = true;
  }

  void go_to_line(Workspace& workspace, const SourcePlace& place) {
    workspace.selected = line_ = place;
    place_ = 0;
    follow_place_ = true;
  }

  // In a small window the lesson is a tooltip.
  void draw_words(bool wide) {
    if (line_.line != 0 && shown_line_.line == 0)
      wrapped_text(
          palette().quiet,
          fmt::format("line {} has no recorded access; all lines are shown", label_of(line_)));
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], sentence_);
    if (wide || ImGui::GetContentRegionAvail().y > em(17))
      wrapped_text(palette().quiet, lesson_);
    else
      ImGui::SetItemTooltip("%s", lesson_.c_str());
  }

  // Source lines. A click on one shows its accesses.
  void draw_lines(Workspace& workspace) {
    const float row = ImGui::GetTextLineHeightWithSpacing();
    const float height = std::min(ImGui::GetContentRegionAvail().y * 0.34f,
                                  row * static_cast<float>(log_.lines().size() + 2) + 2);
    if (!ImGui::BeginTable(
            "lines", 3,
            ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter,
            {0, std::max(row * 2, height)}))
      return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("line", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("accesses", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    line_row(workspace, {}, log_.rows().size(), "all lines");
    for (const AccessLog::Line& line : log_.lines())
      line_row(workspace, line.place, line.accesses, line.text.c_str());
    ImGui::EndTable();
  }

  void line_row(Workspace& workspace, const SourcePlace& place, std::uint64_t accesses,
                const char* text) {
    const std::string label = place.line == 0 ? "all" : label_of(place);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(label.c_str(), place == shown_line_, ImGuiSelectableFlags_SpanAllColumns))
      go_to_line(workspace, place);
    ImGui::TableNextColumn();
    ImGui::Text("%s", grader::grouped(accesses).c_str());
    ImGui::TableNextColumn();
    const CodeFont code;
    ImGui::TextUnformatted(text);
  }

  void draw_strip(bool wide) {
    const AccessStrip::Touched touched =
        strip_.draw(shown_place(), wide, std::exchange(follow_place_, false));
    if (touched.chosen) place_ = *touched.chosen;
    if (touched.lane) lane_tooltip(row(touched.lane->place), 1u << touched.lane->lane);
  }

  // ---- the selected access ---------------------------------------------------------------------

  void draw_access() {
    const ImVec2 all = ImGui::GetContentRegionAvail();
    if (all.y > em(12))
      ImGui::TextDisabled(
          "%s",
          fmt::format("{}{} of 32 lanes active",
                      all.x > em(20) ? fmt::format("active mask 0x{:08x}: ", access().active) : "",
                      std::popcount(access().active))
              .c_str());
    const LaneColors colors = lane_colors(log_, access());
    std::uint32_t hovered = draw_lanes(access(), colors, lit_);
    const bool shared = in_shared(access());
    const float tall = ImGui::GetContentRegionAvail().y;
    bool elements = elements_shown_.value_or(shown_by_element(log_, access()));
    bool place = place_shown_.value_or(!elements || tall > em(20));
    if (ImGui::Checkbox(shared ? "banks###places" : "sectors###places", &place))
      place_shown_ = place;
    ImGui::SetItemTooltip(shared ? "show the 32 banks of shared memory"
                                 : "show the sectors of 32 bytes");
    ImGui::SameLine();
    if (ImGui::Checkbox("elements", &elements)) elements_shown_ = elements;
    ImGui::SetItemTooltip("show the lanes on each element of the variable");
    ImVec2 room = ImGui::GetContentRegionAvail();
    if (elements && room.y > em(3)) {
      // With both plots, each gets the room that the other does not need.
      const float gap = ImGui::GetStyle().ItemSpacing.y,
                  other = shared ? columns_height(banks_) : room.y / 2;
      const float height =
          place ? std::min(columns_height(elements_), std::max(room.y / 2, room.y - other) - gap)
                : room.y;
      hovered |= draw_columns(
          "##elements", elements_,
          {"lanes on one element", fmt::format("element of {}", access().variable.substr(0, 40))},
          colors, lit_, {room.x, height});
      room = ImGui::GetContentRegionAvail();
    }
    if (place && room.y > em(3)) {
      if (shared)
        hovered |= draw_columns("##banks", banks_, {"words in one bank", "bank of shared memory"},
                                colors, lit_, room);
      else
        hovered |= draw_sectors(access(), grid_, colors, lit_, room);
    }
    lit_ = hovered;
    lane_tooltip(access(), hovered);
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  AccessLog log_;
  WarpId wanted_;              // the user's choice; warp_ is the nearest existing one
  SourcePlace line_;           // all lines if its line is 0
  std::size_t place_ = 0;      // index of the access in the warp's accesses
  bool follow_place_ = false;  // scroll to it
  std::optional<bool> place_shown_, elements_shown_;  // if nullopt, the plot that suits the access
  std::uint32_t lit_ = 0;                             // lanes under the mouse

  // Derived from the above, and cached until it changes.
  std::uint64_t chosen_revision_ = 0;
  WarpId chosen_wanted_, warp_;
  SourcePlace chosen_line_, shown_line_;
  std::vector<std::size_t> rows_;
  AccessStrip strip_;
  std::size_t selected_ = none;
  SectorGrid grid_;
  std::vector<Column> banks_, elements_;
  std::string sentence_, lesson_;
};

}  // namespace

std::unique_ptr<Panel> make_warp_panel() { return std::make_unique<WarpPanel>(); }

}  // namespace histolab::viewer
