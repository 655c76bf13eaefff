// Warp and memory: the memory instructions of one warp, one after the other: which lanes take part, and which sectors,
// banks and elements they touch.
//
// A tour's stop may set "block", "warp", "line" (of the source; 0: all) and "access" (0 is the first).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "grader/words.h"
#include "imgui.h"
#include "viewer/model/access_log.h"
#include "viewer/model/json_access.h"
#include "viewer/model/warp_view.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/ui/warp_drawing.h"
#include "viewer/workspace.h"

namespace histolab::viewer {
namespace {

float em(float count) { return count * ImGui::GetFontSize(); }

class WarpPanel final : public Panel {
 public:
  Info info() const override { return {"warp", "Warp and memory", "which sectors, banks and bins the 32 lanes of a warp touch"}; }

  void prepare(const nlohmann::json& settings, Workspace& workspace) override {
    wanted_.block = number<std::uint32_t>(settings, "block", wanted_.block);
    wanted_.warp = number<std::uint32_t>(settings, "warp", wanted_.warp);
    workspace.selected_line = number<int>(settings, "line", workspace.selected_line);
    line_ = workspace.selected_line;
    place_ = number<std::size_t>(settings, "access", 0);
    follow_place_ = true;
  }

  void draw(Workspace& workspace) override {
    log_.follow(workspace.session.run());
    if (log_.empty()) return draw_empty(workspace);
    if (line_ != workspace.selected_line) line_ = workspace.selected_line, place_ = 0, follow_place_ = true;
    choose();
    const bool wide = ImGui::GetContentRegionAvail().x > em(50);
    draw_controls(workspace, wide);
    choose();  // what was changed is seen at once
    draw_words();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 60 || room.y < 40) return;
    const float left = std::floor(wide ? std::min(room.x * 0.45f, em(60)) : room.x * 0.4f);
    if (ImGui::BeginChild("##time", {left, 0})) {
      if (wide) draw_lines(workspace);
      draw_strip(wide);
    }
    ImGui::EndChild();
    ImGui::SameLine();
    if (ImGui::BeginChild("##access")) draw_access();
    ImGui::EndChild();
  }

 private:
  static void draw_empty(Workspace& workspace) {
    if (workspace.session.controllable() && ImGui::Button("Run")) workspace.session.start(workspace.choice);
    wrapped_text(palette().quiet, why_no_accesses(workspace.session.run()));
  }

  // ---- what is shown ---------------------------------------------------------------------------------------------------

  // The warp and its accesses; worked out again when something has changed.
  void choose() {
    if (chosen_revision_ == log_.revision() && chosen_wanted_ == wanted_ && chosen_line_ == line_) return select(shown_place());
    chosen_revision_ = log_.revision(), chosen_wanted_ = wanted_, chosen_line_ = line_;
    std::optional<WarpId> warp = log_.nearest(wanted_, line_);
    shown_line_ = warp ? line_ : 0;
    if (!warp) warp = log_.nearest(wanted_, 0);
    warp_ = warp.value_or(WarpId{});
    rows_ = log_.accesses_of(warp_, shown_line_);
    selected_ = none;
    select(shown_place());
  }

  [[nodiscard]] std::size_t shown_place() const { return rows_.empty() ? 0 : std::min(place_, rows_.size() - 1); }
  [[nodiscard]] const Access& row(std::size_t place) const { return log_.rows()[rows_[place]]; }
  [[nodiscard]] const Access& access() const { return log_.rows()[selected_]; }

  void select(std::size_t place) {
    if (rows_.empty() || selected_ == rows_[place]) return;
    selected_ = rows_[place];
    grid_ = sector_grid(access());
    banks_ = bank_columns(access());
    elements_ = element_columns(access(), log_.holds_bins(access().variable) ? log_.begin().bin_labels : std::vector<std::string>{});
    sentence_ = sentence(access());
    lesson_ = lesson(access());
    colors_ = colors_of(access());
  }

  // Where lanes meet on elements, those are what is interesting; else where the bytes are.
  [[nodiscard]] bool by_element(const Access& each) const { return is_atomic(each) || (!in_shared(each) && log_.holds_bins(each.variable)); }

  [[nodiscard]] LaneColors colors_of(const Access& each) const {
    LaneColors colors{};
    if (!by_element(each) && !in_shared(each)) {
      const std::array<int, lanes> groups = sector_groups(each);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) colors[lane] = series_color(groups[lane]);
      return colors;
    }
    const std::uint64_t last = log_.last_element(each.variable);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t element = element_of(each, lane);
      colors[lane] = last < group_count ? series_color(static_cast<int>(element))
                                        : heat_color(0.2f + 0.8f * static_cast<float>(static_cast<double>(element) / static_cast<double>(last)));
    }
    return colors;
  }

  [[nodiscard]] std::string bin_of(const Access& each, std::uint32_t lane) const {
    const std::uint64_t element = element_of(each, lane);
    return log_.holds_bins(each.variable) && element < log_.begin().bin_labels.size() ? log_.begin().bin_labels[element] : std::string{};
  }

  void lane_tooltip(const Access& each, std::uint32_t mask) const {
    if (mask == 0) return;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    ImGui::BeginTooltip();
    if (!std::has_single_bit(mask)) ImGui::Text("lanes %s on one word, of which", lane_ranges(mask).c_str());
    ImGui::TextUnformatted(about_lane(each, lane, log_.begin().block, bin_of(each, lane)).c_str());
    ImGui::EndTooltip();
  }

  // ---- what is chosen --------------------------------------------------------------------------------------------------

  void draw_controls(Workspace& workspace, bool wide) {
    if (workspace.session.controllable() && !workspace.presenting) {
      if (ImGui::Button("Run")) workspace.session.start(workspace.choice);
      ImGui::SameLine();
    }
    pick_warp();
    if (!wide) {
      same_line_if_room(em(7));
      pick_line(workspace);
    }
    same_line_if_room(em(14));
    step_buttons();
  }

  void pick_warp() {
    ImGui::SetNextItemWidth(em(5.5f));
    if (ImGui::BeginCombo("##block", fmt::format("block {}", warp_.block).c_str())) {
      std::optional<std::uint32_t> last;
      for (const auto& [id, rows] : log_.warps())
        if (last != id.block) {
          last = id.block;
          if (ImGui::Selectable(fmt::format("block {}", id.block).c_str(), id.block == warp_.block)) go_to_warp({id.block, warp_.warp});
        }
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("blocks whose accesses were recorded");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(em(5.5f));
    if (ImGui::BeginCombo("##warp", fmt::format("warp {}", warp_.warp).c_str())) {
      for (auto each = log_.warps().lower_bound({warp_.block, 0}); each != log_.warps().end() && each->first.block == warp_.block; ++each)
        if (ImGui::Selectable(fmt::format("warp {}", each->first.warp).c_str(), each->first == warp_)) go_to_warp(each->first);
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("warps of this block whose accesses were recorded");
  }

  void pick_line(Workspace& workspace) {
    ImGui::SetNextItemWidth(em(6.5f));
    if (!ImGui::BeginCombo("##line", shown_line_ == 0 ? "all lines" : fmt::format("line {}", shown_line_).c_str())) return;
    if (ImGui::Selectable("all lines", shown_line_ == 0)) go_to_line(workspace, 0);
    for (const AccessLog::Line& line : log_.lines())
      if (ImGui::Selectable(fmt::format("{}: {}", line.number, line.text).c_str(), line.number == shown_line_)) go_to_line(workspace, line.number);
    ImGui::EndCombo();
  }

  void step_buttons() {
    const float button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    int place = static_cast<int>(shown_place()) + 1;
    const int count = static_cast<int>(rows_.size());
    ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
    if (ImGui::ArrowButton("Previous access", ImGuiDir_Left)) --place;
    ImGui::SetItemTooltip("the access before");
    ImGui::SameLine();
    if (ImGui::ArrowButton("Next access", ImGuiDir_Right)) ++place;
    ImGui::SetItemTooltip("the access after");
    ImGui::PopItemFlag();
    same_line_if_room(em(8));
    ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x - button, em(5), em(26)));
    ImGui::SliderInt("##place", &place, 1, std::max(1, count), fmt::format("access %d of {}", count).c_str(), ImGuiSliderFlags_AlwaysClamp);
    ImGui::SetItemTooltip("accesses of this warp, in the order in which it made them");
    const auto wanted = static_cast<std::size_t>(std::clamp(place, 1, std::max(1, count)) - 1);
    if (wanted != shown_place()) place_ = wanted, follow_place_ = true;
  }

  void go_to_warp(WarpId warp) { wanted_ = warp, place_ = 0, follow_place_ = true; }

  void go_to_line(Workspace& workspace, int line) {
    workspace.selected_line = line_ = line;
    place_ = 0, follow_place_ = true;
  }

  void draw_words() {
    if (line_ != shown_line_) wrapped_text(palette().quiet, fmt::format("line {} has no recorded access; these are of all lines", line_));
    wrapped_text(ImGui::GetStyle().Colors[ImGuiCol_Text], sentence_);
    wrapped_text(palette().quiet, lesson_);
  }

  // Source lines, of which a click shows the accesses.
  void draw_lines(Workspace& workspace) {
    const float row = ImGui::GetTextLineHeightWithSpacing();
    const float height = std::min(ImGui::GetContentRegionAvail().y * 0.34f, row * static_cast<float>(log_.lines().size() + 2) + 2);
    if (!ImGui::BeginTable("lines", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersOuter, {0, std::max(row * 2, height)})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("line", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("accesses", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    line_row(workspace, 0, log_.rows().size(), "all lines");
    for (const AccessLog::Line& line : log_.lines()) line_row(workspace, line.number, line.accesses, line.text.c_str());
    ImGui::EndTable();
  }

  void line_row(Workspace& workspace, int line, std::uint64_t accesses, const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (ImGui::Selectable(line == 0 ? "all" : fmt::format("{}", line).c_str(), line == shown_line_, ImGuiSelectableFlags_SpanAllColumns)) go_to_line(workspace, line);
    ImGui::TableNextColumn();
    ImGui::Text("%s", grader::grouped(accesses).c_str());
    ImGui::TableNextColumn();
    const CodeFont code;
    ImGui::TextUnformatted(text);
  }

  // ---- over time -------------------------------------------------------------------------------------------------------

  // Where the columns of the strip are.
  struct StripColumns {
    float line = 0, cells = 0, cell = 4, numbers = 0, number_width = 0;
  };
  static StripColumns strip_columns(bool wide) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
    StripColumns at;
    at.cells = ImGui::CalcTextSize("000").x + em(0.4f);
    at.number_width = wide ? ImGui::CalcTextSize("wavefronts").x + em(0.5f) : 0;
    at.cell = std::max(2.0f, std::floor((room - at.cells - 3 * at.number_width) / lanes));
    at.numbers = at.cells + at.cell * lanes;
    return at;
  }

  void draw_strip(bool wide) {
    const StripColumns at = strip_columns(wide);
    const float row = std::round(wide ? std::max(ImGui::GetFontSize(), std::min(at.cell, em(1.3f))) : em(0.75f));
    strip_header(at, wide);
    const float legend = legend_height();
    if (ImGui::BeginChild("##strip", {0, std::max(row, ImGui::GetContentRegionAvail().y - legend)})) {
      const ImVec2 from = ImGui::GetCursorScreenPos();
      const float top = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
      ImGui::InvisibleButton("##rows", {std::max(1.0f, ImGui::GetContentRegionAvail().x), std::max(1.0f, row * static_cast<float>(rows_.size()))});
      const bool hovered = ImGui::IsItemHovered();
      const auto first = static_cast<std::size_t>(top / row);
      const auto last = std::min(rows_.size(), first + static_cast<std::size_t>(height / row) + 2);
      for (std::size_t place = first; place < last; ++place) strip_row(place, {from.x, from.y + row * static_cast<float>(place)}, row, at, wide);
      if (hovered) strip_mouse(from, row, at);
      if (std::exchange(follow_place_, false)) {
        const float selected = row * static_cast<float>(shown_place());
        if (selected < top || selected + row > top + height) ImGui::SetScrollY(std::max(0.0f, selected - height / 2));
      }
    }
    ImGui::EndChild();
    if (legend > 0) draw_legend();
  }

  static void strip_header(const StripColumns& at, bool wide) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    const ImU32 color = ImGui::GetColorU32(palette().quiet);
    const auto text = [&](float x, const char* words) { draw->AddText({std::round(from.x + x), from.y}, color, words); };
    if (at.cells > ImGui::CalcTextSize("line").x + 2) text(0, "line");
    const bool room = at.cell * lanes > em(14);
    text(at.cells, room ? "lane 0, time downwards" : "lane 0");
    text(at.cells + at.cell * lanes - ImGui::CalcTextSize("31 ").x, "31");
    if (wide) {
      const char* const names[] = {"sectors", "wavefronts", "degree"};
      for (int i = 0; i < 3; ++i) text(at.numbers + static_cast<float>(i + 1) * at.number_width - ImGui::CalcTextSize(names[i]).x, names[i]);
    }
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
  }

  void strip_row(std::size_t place, ImVec2 from, float height, const StripColumns& at, bool wide) const {
    const Access& each = row(place);
    const LaneColors colors = colors_of(each);
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    const float gap = at.cell >= 6 ? 1.0f : 0, bottom = from.y + height - (height >= 6 ? 1 : 0);
    const bool selected = rows_[place] == selected_;
    if (selected) draw->AddRectFilled({from.x, from.y}, {from.x + ImGui::GetWindowWidth(), from.y + height}, ImGui::GetColorU32(ImGuiCol_Header));
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const float x = from.x + at.cells + at.cell * static_cast<float>(lane);
      draw->AddRectFilled({x, from.y}, {x + at.cell - gap, bottom}, ImGui::GetColorU32(is_active(each, lane) ? colors[lane] : faded(palette().grid, 0.6f)));
    }
    if (selected) draw->AddRect({from.x + at.cells - 2, from.y - 1}, {from.x + at.numbers + 1, from.y + height}, ImGui::GetColorU32(palette().expected), 0.0f, 2.0f);
    if (each.line > 0 && height >= em(0.7f)) number_text({from.x + at.cells - em(0.3f), from.y}, height, each.line, palette().quiet);
    if (!wide) return;
    const ImVec4 text = ImGui::GetStyle().Colors[ImGuiCol_Text];
    float right = from.x + at.numbers;
    for (const std::uint32_t number : {each.sectors, each.wavefronts, each.same_address_degree}) {
      right += at.number_width;
      if (number > 0) number_text({right, from.y}, height, number, text);
    }
  }

  static void number_text(ImVec2 top_right, float height, std::int64_t number, ImVec4 color) {
    const std::string text = fmt::format("{}", number);
    const float size = std::min(ImGui::GetFontSize(), height);
    const float width = ImGui::GetFont()->CalcTextSizeA(size, 1e9f, 0, text.c_str()).x;
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), size, {std::round(top_right.x - width), std::round(top_right.y + (height - size) / 2)}, ImGui::GetColorU32(color), text.c_str());
  }

  void strip_mouse(ImVec2 from, float height, const StripColumns& at) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const float down = (mouse.y - from.y) / height, across = (mouse.x - from.x - at.cells) / at.cell;
    if (down < 0 || static_cast<std::size_t>(down) >= rows_.size()) return;
    const auto place = static_cast<std::size_t>(down);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsItemActive()) place_ = place;
    if (across < 0 || across >= lanes) return;
    lane_tooltip(row(place), 1u << static_cast<std::uint32_t>(across));
  }

  // What the strip's colours are.
  [[nodiscard]] bool shows_bins() const {
    return log_.holds_bins(access().variable) && (by_element(access()) || in_shared(access())) && log_.last_element(access().variable) < group_count;
  }
  [[nodiscard]] static float legend_height() {
    return ImGui::GetContentRegionAvail().y > em(8) ? ImGui::GetTextLineHeightWithSpacing() : 0;
  }

  void draw_legend() const {
    const float room = ImGui::GetContentRegionAvail().x;
    if (!shows_bins()) {
      const bool elements = by_element(access()) || in_shared(access());
      ImGui::TextDisabled("%s", room < em(14) ? (elements ? "colour: element" : "colour: sector")
                                : elements    ? "colour: element of the variable, first to last"
                                              : "one colour, one sector of 32 bytes");
      return;
    }
    const auto& labels = log_.begin().bin_labels;
    const float square = em(0.7f);
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float end = at.x + room;
    for (std::size_t bin = 0; bin < labels.size() && bin < group_count; ++bin) {
      const float width = square + em(0.3f) + ImGui::CalcTextSize(labels[bin].c_str()).x;
      if (at.x + width > end) break;
      const float y = at.y + (ImGui::GetTextLineHeight() - square) / 2;
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + square, y + square}, ImGui::GetColorU32(series_color(static_cast<int>(bin))));
      ImGui::GetWindowDrawList()->AddText({at.x + square + em(0.3f), at.y}, ImGui::GetColorU32(palette().quiet), labels[bin].c_str());
      at.x += width + em(0.8f);
    }
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
  }

  // ---- the access that is selected -------------------------------------------------------------------------------------

  void draw_access() {
    const int active = std::popcount(access().active);
    ImGui::TextDisabled("%s", ImGui::GetContentRegionAvail().x < em(20) ? fmt::format("{} of 32 lanes active", active).c_str()
                                                                        : fmt::format("active mask 0x{:08x}: {} of 32 lanes", access().active, active).c_str());
    std::uint32_t hovered = draw_lanes(access(), colors_, lit_);
    const bool shared = in_shared(access());
    const float tall = ImGui::GetContentRegionAvail().y;
    bool elements = elements_shown_.value_or(by_element(access()));
    bool place = place_shown_.value_or(!elements || tall > em(20));
    if (ImGui::Checkbox(shared ? "banks###places" : "sectors###places", &place)) place_shown_ = place;
    ImGui::SetItemTooltip(shared ? "which of the 32 banks of shared memory" : "which sectors of 32 bytes");
    ImGui::SameLine();
    if (ImGui::Checkbox("elements", &elements)) elements_shown_ = elements;
    ImGui::SetItemTooltip("which element of the variable: lanes on one element meet");
    ImVec2 room = ImGui::GetContentRegionAvail();
    if (elements && place) room.y = (room.y - ImGui::GetStyle().ItemSpacing.y) / 2;
    if (room.y > em(3)) {
      if (elements) hovered |= draw_columns("##elements", elements_, {"lanes on one element", fmt::format("element of {}", access().variable.substr(0, 40))}, colors_, lit_, room);
      if (place && shared) hovered |= draw_columns("##banks", banks_, {"words in one bank", "bank of shared memory"}, colors_, lit_, room);
      if (place && !shared) hovered |= draw_sectors(access(), grid_, colors_, lit_, room);
    }
    lit_ = hovered;
    lane_tooltip(access(), hovered);
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  AccessLog log_;
  WarpId wanted_;            // as it was chosen; shown is the nearest that there is
  int line_ = 0;             // 0: all
  std::size_t place_ = 0;    // of the access among those of the warp
  bool follow_place_ = false;  // bring it into sight
  std::optional<bool> place_shown_, elements_shown_;  // nullopt: whatever fits the access
  std::uint32_t lit_ = 0;    // lanes under the mouse

  // Worked out of the above, and kept until it changes.
  std::uint64_t chosen_revision_ = 0;
  WarpId chosen_wanted_, warp_;
  int chosen_line_ = 0, shown_line_ = 0;
  std::vector<std::size_t> rows_;
  std::size_t selected_ = none;
  SectorGrid grid_;
  std::vector<Column> banks_, elements_;
  std::string sentence_, lesson_;
  LaneColors colors_{};
};

}  // namespace

std::unique_ptr<Panel> make_warp_panel() { return std::make_unique<WarpPanel>(); }

}  // namespace histolab::viewer
