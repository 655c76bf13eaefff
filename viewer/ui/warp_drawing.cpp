#include "viewer/ui/warp_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "grader/words/words.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"

namespace histolab::viewer {
namespace {

float small_size() { return ImGui::GetFontSize() * 0.78f; }

ImU32 packed(ImVec4 color) { return ImGui::GetColorU32(color); }

ImVec2 small_text_size(const char* text) {
  return ImGui::GetFont()->CalcTextSizeA(small_size(), 1e9f, 0, text);
}

void small_text(ImVec2 at, ImU32 color, const char* text) {
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), small_size(), at, color, text);
}

struct Box {
  ImVec2 from, to;
  [[nodiscard]] float width() const { return to.x - from.x; }
  [[nodiscard]] float height() const { return to.y - from.y; }
};

// Draws `text` in the box if it fits with a margin. Returns whether it did.
bool text_within(const Box& box, ImU32 color, const char* text) {
  const ImVec2 size = small_text_size(text);
  if (size.x + 1 > box.width() || size.y > box.height() + 2 * shapes_scale()) return false;
  small_text({std::round((box.from.x + box.to.x - size.x) / 2),
              std::round((box.from.y + box.to.y - size.y) / 2)},
             color, text);
  return true;
}

std::uint32_t first_lane(std::uint32_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask)) % lanes;
}

// Neighbouring lanes of one colour differ in brightness.
ImVec4 shade(const LaneColors& colors, std::uint32_t lane) {
  return lane % 2 == 0 ? colors[lane] : faded(colors[lane], 0.72f);
}

void fill(const Box& box, ImVec4 color, bool framed) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(box.from, box.to, packed(color));
  if (framed)
    draw->AddRect(box.from, box.to, packed(palette().expected), 0.0f, 2.0f * shapes_scale());
}

// ---- sectors ------------------------------------------------------------------------------------

// Position of the bytes of a 128-byte line on screen.
struct LinePlace {
  float left = 0, top = 0, byte_width = 1, height = 1;
  [[nodiscard]] Box bytes(std::uint64_t from, std::uint64_t to) const {
    const auto sector_gap = [](std::uint64_t byte) {
      return 2.0f * static_cast<float>(std::min<std::uint64_t>(byte / sector_bytes, 3));
    };
    const float gap = sector_gap(from);
    return {{left + gap + byte_width * static_cast<float>(from), top},
            {left + gap + byte_width * static_cast<float>(to), top + height}};
  }
};

// If `color` is 0, the name gets its own background, because any lanes may be behind it.
void name_sector(const Box& sector, std::uint32_t lanes_in, ImU32 color) {
  std::string text =
      fmt::format("{} {}", std::has_single_bit(lanes_in) ? "lane" : "lanes", lane_ranges(lanes_in));
  if (small_text_size(text.c_str()).x + 8 > sector.width()) text = lane_ranges(lanes_in);
  const ImVec2 size = small_text_size(text.c_str());
  if (size.x + 4 > sector.width()) return;
  if (color == 0) {
    const float x = (sector.from.x + sector.to.x) / 2, y = (sector.from.y + sector.to.y) / 2,
                up = std::min(size.y, sector.height() - 2) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {x - size.x / 2 - 3, y - up}, {x + size.x / 2 + 3, y + up}, packed(palette().grid), 3);
    color = ImGui::GetColorU32(ImGuiCol_Text);
  }
  text_within(sector, color, text.c_str());
}

std::uint32_t draw_sector(const Access& access, std::uint64_t begin, std::uint32_t lanes_in,
                          const LaneColors& colors, std::uint32_t lit, bool numbered,
                          const LinePlace& place) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const std::uint64_t in_line = begin % line_bytes;
  const Box sector = place.bytes(in_line, in_line + sector_bytes);
  draw->AddRectFilled(sector.from, sector.to,
                      packed(lanes_in == 0 ? faded(palette().grid, 0.55f) : palette().grid));
  if (lanes_in == 0) return 0;
  std::uint32_t hovered = 0;
  float covered = 0;
  const std::uint32_t width = width_of(access);
  for (std::uint32_t left = lanes_in; left != 0; left &= left - 1) {
    const std::uint32_t lane = first_lane(left);
    const std::uint64_t from = std::max<std::uint64_t>(access.offset[lane], begin),
                        to = std::min<std::uint64_t>(std::uint64_t{access.offset[lane]} + width,
                                                     begin + sector_bytes);
    Box cell = place.bytes(from - begin + in_line, to - begin + in_line);
    cell.to.x = std::max(cell.to.x, cell.from.x + 1);
    covered += cell.width();
    fill(cell, shade(colors, lane), (lit >> lane & 1) != 0);
    if (numbered) text_within(cell, text_on(colors[lane]), fmt::format("{}", lane).c_str());
    if (ImGui::IsMouseHoveringRect(cell.from, cell.to)) hovered |= 1u << lane;
  }
  draw->AddRect(sector.from, sector.to, packed(faded(colors[first_lane(lanes_in)], 0.9f)), 0.0f,
                shapes_scale());
  if (!numbered)
    name_sector(sector, lanes_in,
                covered > sector.width() * 0.6f ? text_on(colors[first_lane(lanes_in)]) : 0);
  return hovered;
}

// Whether each lane has its own bytes, drawn wide enough for the lane's number.
bool can_be_numbered(const Access& access, const SectorGrid& grid, float byte_width) {
  const std::uint32_t asked =
      static_cast<std::uint32_t>(std::popcount(access.active)) * width_of(access);
  return asked == grid.bytes_used &&
         byte_width * static_cast<float>(width_of(access)) >= small_text_size("31").x + 3;
}

// ---- columns ------------------------------------------------------------------------------------

float caption_height() { return small_size() + 3; }
float highest_cell() { return em(1.7f); }

// Returns a step of 1, 2, 5, 10, ... so that ticks are at least `least` points apart.
std::size_t tick_step(float per_unit, float least) {
  std::size_t step = 1;
  for (int i = 0; static_cast<float>(step) * per_unit < least && i < 12; ++i)
    step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

}  // namespace

std::uint32_t draw_lanes(const Access& access, const LaneColors& colors, std::uint32_t lit) {
  const float room = std::max(32.0f, ImGui::GetContentRegionAvail().x);
  const float pitch = std::max(1.0f, std::floor(std::min(room / lanes, em(2))));
  const float height = std::clamp(pitch, em(0.7f), em(1.4f));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##lanes", {pitch * lanes, height});
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const float gap = pitch >= 5 ? 1.0f : 0;
  std::uint32_t hovered = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const float x = at.x + pitch * static_cast<float>(lane);
    const Box cell{{x, at.y}, {x + pitch - gap, at.y + height}};
    const bool active = is_active(access, lane);
    if (active)
      fill(cell, colors[lane], (lit >> lane & 1) != 0);
    else
      draw->AddRect(cell.from, cell.to, packed(palette().quiet));
    text_within(cell, active ? text_on(colors[lane]) : packed(palette().quiet),
                fmt::format("{}", lane).c_str());
    if (ImGui::IsItemHovered() &&
        ImGui::IsMouseHoveringRect({x, cell.from.y}, {x + pitch, cell.to.y}))
      hovered = 1u << lane;
  }
  return hovered;
}

std::uint32_t draw_sectors(const Access& access, const SectorGrid& grid, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size) {
  if (!ImGui::BeginChild("##sectors", size, ImGuiChildFlags_None,
                         ImGuiWindowFlags_HorizontalScrollbar)) {
    ImGui::EndChild();
    return 0;
  }
  const float line_height = small_size() + 4,
              count = static_cast<float>(std::max<std::size_t>(1, grid.lines.size()));
  const float pitch =
      std::floor(std::clamp((size.y - line_height - 4) / count, em(0.95f), em(2.6f)));
  const float bar = pitch * count + line_height > size.y ? ImGui::GetStyle().ScrollbarSize : 0;
  const bool labelled = size.x > em(18);
  const float left = labelled ? small_text_size("0000 0000").x : 0;
  const float byte_width = std::max(0.5f, (size.x - left - bar - 8) / line_bytes);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({left + byte_width * line_bytes + 6, line_height + pitch * count});
  LinePlace place{at.x + left, at.y, byte_width, line_height};
  for (const std::uint32_t byte : {0u, 32u, 64u, 96u})
    small_text(place.bytes(byte, byte).from, packed(palette().quiet),
               byte == 0 ? "byte 0" : fmt::format("{}", byte).c_str());
  if (labelled) small_text({at.x, at.y}, packed(palette().quiet), "from byte");
  place.height = pitch - 2;
  const bool numbered = can_be_numbered(access, grid, byte_width);
  std::uint32_t hovered = 0;
  for (std::size_t i = 0; i < grid.lines.size(); ++i) {
    const SectorGrid::Line& line = grid.lines[i];
    place.top = at.y + line_height + pitch * static_cast<float>(i);
    if (labelled) {
      const std::string label = grader::grouped(line.begin);
      small_text({at.x + left - 6 - small_text_size(label.c_str()).x,
                  place.top + (place.height - small_size()) / 2},
                 packed(palette().quiet), label.c_str());
    }
    for (std::uint32_t sector = 0; sector < line.lanes_in.size(); ++sector)
      hovered |= draw_sector(access, line.begin + sector * sector_bytes, line.lanes_in[sector],
                             colors, lit, numbered, place);
  }
  if (!ImGui::IsWindowHovered()) hovered = 0;
  ImGui::EndChild();
  return hovered;
}

float columns_height(const std::vector<Column>& columns) {
  return 3 * caption_height() + 4 +
         highest_cell() * static_cast<float>(std::max<std::size_t>(1, highest(columns)));
}

std::uint32_t draw_columns(const char* id, const std::vector<Column>& columns,
                           const ColumnCaptions& captions, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  if (columns.empty()) return 0;
  const bool item_hovered = ImGui::IsItemHovered();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  const float line_height = caption_height(), left = small_text_size("000").x + 4;
  const std::size_t most = std::max<std::size_t>(1, highest(columns));
  const float pitch = std::max(
      2.0f, std::floor(std::min((size.x - left - 2) / static_cast<float>(columns.size()), em(4))));
  const float cell_height =
      std::clamp((size.y - 3 * line_height - 4) / static_cast<float>(most), 1.0f, highest_cell());
  const float base = at.y + line_height + 4 + cell_height * static_cast<float>(most);
  const float right = at.x + left + pitch * static_cast<float>(columns.size());

  small_text(at, packed(palette().quiet), captions.up.c_str());
  const std::size_t step = tick_step(cell_height, line_height);
  for (std::size_t tick = step; tick <= most; tick += step) {
    const float y = base - cell_height * static_cast<float>(tick);
    draw->AddLine({at.x + left - 3, y}, {right, y}, packed(palette().grid));
    const std::string label = fmt::format("{}", tick);
    small_text({at.x + left - 5 - small_text_size(label.c_str()).x,
                y + (tick == most || cell_height > small_size() ? 0 : -small_size() / 2)},
               packed(palette().quiet), label.c_str());
  }
  draw->AddLine({at.x + left - 3, base}, {right, base}, packed(palette().quiet));

  float widest = 1;
  for (const Column& column : columns)
    widest = std::max(widest, small_text_size(column.label.c_str()).x + 6);
  const auto every = static_cast<std::size_t>(std::ceil(widest / pitch));
  std::uint32_t hovered = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const float x = at.x + left + pitch * static_cast<float>(i), gap = pitch >= 6   ? 2.0f
                                                                       : pitch >= 4 ? 1.0f
                                                                                    : 0;
    for (std::size_t level = 0; level < column.cells.size(); ++level) {
      const std::uint32_t mask = column.cells[level], lane = first_lane(mask);
      const float bottom = base - cell_height * static_cast<float>(level);
      const Box cell{{x, bottom - cell_height + (cell_height >= 4 ? 1.0f : 0)},
                     {x + pitch - gap, bottom}};
      fill(cell, shade(colors, lane), (lit & mask) != 0);
      const int count = std::popcount(mask);
      text_within(
          cell, text_on(colors[lane]),
          count == 1 ? fmt::format("{}", lane).c_str() : fmt::format("{} lanes", count).c_str()) ||
          (count > 1 &&
           text_within(cell, text_on(colors[lane]), fmt::format("x{}", count).c_str()));
      if (item_hovered && ImGui::IsMouseHoveringRect(cell.from, cell.to)) hovered = mask;
    }
    if (i % every != 0) continue;
    const float label_width = small_text_size(column.label.c_str()).x;
    small_text(
        {std::round(x + (pitch - gap - label_width) / 2), base + 3},
        packed(column.cells.empty() ? palette().quiet : ImGui::GetStyle().Colors[ImGuiCol_Text]),
        column.label.c_str());
  }
  small_text({at.x + left, base + 3 + line_height}, packed(palette().quiet),
             captions.across.c_str());
  draw->PopClipRect();
  return hovered;
}

}  // namespace histolab::viewer
