#include "viewer/panels/access_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/model/warp_view.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/lane_colors.h"
#include "viewer/ui/palette.h"

namespace histolab::viewer {
namespace {

void number_text(ImVec2 top_right, float height, std::int64_t number, ImVec4 color) {
  const std::string text = fmt::format("{}", number);
  const float size = std::min(ImGui::GetFontSize(), height);
  const float width = ImGui::GetFont()->CalcTextSizeA(size, 1e9f, 0, text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(
      ImGui::GetFont(), size,
      {std::round(top_right.x - width), std::round(top_right.y + (height - size) / 2)},
      ImGui::GetColorU32(color), text.c_str());
}

}  // namespace

constexpr AccessStrip::Cost AccessStrip::all_costs[] = {{"sectors", &Access::sectors},
                                                        {"wavefronts", &Access::wavefronts},
                                                        {"degree", &Access::same_address_degree}};

void AccessStrip::show(const AccessLog& log, const std::vector<std::size_t>& rows) {
  log_ = &log;
  rows_ = rows;
  costs_.clear();
  for (const Cost& cost : all_costs)
    if (std::ranges::any_of(rows_,
                            [&](std::size_t each) { return log.rows()[each].*cost.number > 0; }))
      costs_.push_back(cost);
}

float AccessStrip::width_of(const Cost& cost) {
  return ImGui::CalcTextSize(cost.name).x + em(0.7f);
}

AccessStrip::Columns AccessStrip::columns(bool wide) const {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  Columns at;
  if (wide) at.costs = costs_;
  at.cells = ImGui::CalcTextSize("000").x + em(0.4f);
  float numbers = 0;
  for (const Cost& cost : at.costs) numbers += width_of(cost);
  at.cell = std::max(2.0f, std::floor((room - at.cells - numbers) / lanes));
  at.numbers = at.cells + at.cell * lanes;
  return at;
}

AccessStrip::Touched AccessStrip::draw(std::size_t selected, bool wide, bool follow) const {
  Touched mouse;
  const Columns at = columns(wide);
  const float height =
      std::round(wide ? std::max(ImGui::GetFontSize(), std::min(at.cell, em(1.3f))) : em(0.75f));
  header(at);
  if (ImGui::BeginChild("##strip")) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float top = ImGui::GetScrollY(), in_sight = ImGui::GetWindowHeight();
    ImGui::InvisibleButton("##rows", {std::max(1.0f, ImGui::GetContentRegionAvail().x),
                                      std::max(1.0f, height * static_cast<float>(rows_.size()))});
    const bool hovered = ImGui::IsItemHovered();
    const auto first = static_cast<std::size_t>(top / height);
    const auto last =
        std::min(rows_.size(), first + static_cast<std::size_t>(in_sight / height) + 2);
    for (std::size_t place = first; place < last; ++place)
      row(place, place == selected, {from.x, from.y + height * static_cast<float>(place)}, height,
          at);
    if (hovered) mouse = touched(from, height, at);
    const float place = height * static_cast<float>(selected);
    if (follow && (place < top || place + height > top + in_sight))
      ImGui::SetScrollY(std::max(0.0f, place - in_sight / 2));
  }
  ImGui::EndChild();
  return mouse;
}

void AccessStrip::header(const Columns& at) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(palette().quiet);
  const auto text = [&](float x, const char* words) {
    draw->AddText({std::round(from.x + x), from.y}, color, words);
  };
  if (at.cells > ImGui::CalcTextSize("line").x + 2) text(0, "line");
  const bool room = at.cell * lanes > em(14);
  text(at.cells, room ? "lane 0, time downwards" : "lane 0");
  text(at.cells + at.cell * lanes - ImGui::CalcTextSize("31 ").x, "31");
  float right = at.numbers;
  for (const Cost& cost : at.costs) {
    right += width_of(cost);
    text(right - ImGui::CalcTextSize(cost.name).x, cost.name);
  }
  ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

void AccessStrip::row(std::size_t place, bool selected, ImVec2 from, float height,
                      const Columns& at) const {
  const Access& each = access(place);
  const LaneColors colors = lane_colors(*log_, each);
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const float gap = at.cell >= 6 ? 1.0f : 0, bottom = from.y + height - (height >= 6 ? 1 : 0);
  if (selected)
    draw->AddRectFilled({from.x, from.y}, {from.x + ImGui::GetWindowWidth(), from.y + height},
                        ImGui::GetColorU32(ImGuiCol_Header));
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const float x = from.x + at.cells + at.cell * static_cast<float>(lane);
    draw->AddRectFilled(
        {x, from.y}, {x + at.cell - gap, bottom},
        ImGui::GetColorU32(is_active(each, lane) ? colors[lane] : faded(palette().grid, 0.6f)));
  }
  if (selected)
    draw->AddRect({from.x + at.cells - 2, from.y - 1}, {from.x + at.numbers + 1, from.y + height},
                  ImGui::GetColorU32(palette().expected), 0.0f, 2.0f);
  if (each.line > 0 && height >= em(0.7f))
    number_text({from.x + at.cells - em(0.3f), from.y}, height, each.line, palette().quiet);
  float right = from.x + at.numbers;
  for (const Cost& cost : at.costs) {
    right += width_of(cost);
    if (each.*cost.number > 0)
      number_text({right, from.y}, height, each.*cost.number,
                  ImGui::GetStyle().Colors[ImGuiCol_Text]);
  }
}

AccessStrip::Touched AccessStrip::touched(ImVec2 from, float height, const Columns& at) const {
  const ImVec2 mouse = ImGui::GetMousePos();
  const float down = (mouse.y - from.y) / height, across = (mouse.x - from.x - at.cells) / at.cell;
  if (down < 0 || static_cast<std::size_t>(down) >= rows_.size()) return {};
  Touched touched;
  const auto place = static_cast<std::size_t>(down);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsItemActive()) touched.chosen = place;
  if (across >= 0 && across < lanes) touched.lane = {place, static_cast<std::uint32_t>(across)};
  return touched;
}

}  // namespace histolab::viewer
