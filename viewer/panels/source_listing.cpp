#include "viewer/panels/source_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "grader/words/code_text.h"
#include "imgui.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"

namespace histolab::viewer {
namespace {

constexpr float cell = 5;  // width of a margin column in characters

ImU32 packed_color(ImVec4 color) { return ImGui::ColorConvertFloat4ToU32(color); }

ImVec4 color_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword: return series_color(0);
    case TokenKind::built_in: return series_color(2);
    case TokenKind::number:
    case TokenKind::text: return series_color(4);
    case TokenKind::directive: return series_color(1);
    case TokenKind::comment: break;
  }
  return palette().quiet;
}

// RAII: uses the font for text other than code inside the listing.
class ReadingFont {
 public:
  ReadingFont() { ImGui::PushFont(ImGui::GetIO().FontDefault, reading_size); }
  ~ReadingFont() { ImGui::PopFont(); }
  ReadingFont(const ReadingFont&) = delete;
  ReadingFont& operator=(const ReadingFont&) = delete;
};

float reading_height() {
  const ReadingFont font;
  return ImGui::GetTextLineHeight();
}

void draw_meaning(const char* meaning) {
  const ReadingFont reading;
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 30);
  ImGui::TextUnformatted(meaning);
  ImGui::PopTextWrapPos();
}

}  // namespace

void SourceListing::draw(const SourceView& view, const RunSummary* counted, int& selected) {
  const CodeFont font;
  const float least = 6 * ImGui::GetTextLineHeightWithSpacing();
  draw_titles();
  if (ImGui::BeginChild("##listing", {0, std::max(least, ImGui::GetContentRegionAvail().y)})) {
    arrange(view);
    if (const float height = ImGui::GetWindowHeight(); height != height_)
      height_ = height, show_selected();
    if (selected != scrolled_to_) scroll_to(selected);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_Header, faded(palette().accent, 0.28f));
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, faded(palette().accent, 0.16f));
    ImGui::PushStyleColor(ImGuiCol_HeaderActive, faded(palette().accent, 0.36f));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), columns_.row);
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        draw_row(view, counted, static_cast<std::size_t>(row), selected);
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  if (std::exchange(toggled_, false)) rows_.clear();
}

// The column titles above the margin.
void SourceListing::draw_titles() const {
  if (columns_.shown.empty()) return;
  const ImVec2 corner = ImGui::GetCursorPos();
  for (std::size_t place = 0; place < columns_.shown.size(); ++place) {
    const MarginColumn& column = margin()[columns_.shown[place]];
    ImGui::SetCursorPos(
        {corner.x + columns_.cells + (static_cast<float>(place) * cell + 1) * columns_.character,
         corner.y});
    ImGui::TextDisabled("%s", column.title);
    if (ImGui::BeginItemTooltip()) {
      draw_meaning(column.meaning);
      ImGui::EndTooltip();
    }
  }
}

SourceListing::Columns SourceListing::columns_for(const SourceView& view) const {
  Columns columns;
  columns.character = std::max(1.0f, ImGui::CalcTextSize("0000000000").x / 10);
  columns.row = std::max(ImGui::GetTextLineHeight(), reading_height()) + 2;
  columns.width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  columns.number = 2 * columns.character;
  const auto digits =
      static_cast<float>(std::max<std::size_t>(2, std::to_string(view.lines().size()).size()));
  columns.cells = columns.number + digits * columns.character;
  // Shows the most useful columns, as many as leave room for the code.
  constexpr std::array<std::size_t, margin_columns> by_worth{4, 1, 0, 2, 3};
  constexpr float least_code = 34;
  const auto width_with = [&](std::size_t shown) {
    return columns.cells + (cell * static_cast<float>(shown) + 2) * columns.character;
  };
  for (const std::size_t each : by_worth)
    if (view.has_column(each) &&
        width_with(columns.shown.size() + 1) + least_code * columns.character < columns.width)
      columns.shown.push_back(each);
  std::ranges::sort(columns.shown);
  columns.code = width_with(columns.shown.size());
  columns.heat = columns.code - columns.character;
  columns.room =
      static_cast<std::size_t>(std::max(16.0f, (columns.width - columns.code) / columns.character));
  return columns;
}

void SourceListing::arrange(const SourceView& view) {
  Columns columns = columns_for(view);
  if (columns == columns_ && !rows_.empty()) return;
  columns_ = std::move(columns);
  rows_.clear();
  for (std::size_t remark = 0; remark < view.elsewhere().size(); ++remark)
    arrange_remark(0, static_cast<int>(remark), view.elsewhere()[remark].text);
  for (std::size_t at = 0; at < view.lines().size(); ++at) {
    const SourceLine& line = view.lines()[at];
    const int number = static_cast<int>(at) + 1;
    for (const grader::CodeRow& part : grader::rows_of(line.text, columns_.room))
      rows_.push_back({number, -1, part.begin, part.end, part.indent, part.begin == 0, false});
    for (std::size_t remark = 0; remark < line.remarks.size(); ++remark)
      arrange_remark(number, static_cast<int>(remark), line.remarks[remark].text);
  }
}

void SourceListing::arrange_remark(int line, int remark, const std::string& text) {
  constexpr int closed_rows = 2;
  const ReadingFont reading;
  const float width =
      std::max(columns_.character * 8, columns_.width - remark_left() - 3 * columns_.character);
  const char* const begin = text.c_str();
  const char* const end = begin + text.size();
  const bool opened = opened_.contains({line, remark});
  const char* at = begin;
  for (int row = 1; at < end; ++row) {
    const char* const next = std::max(
        at + 1, ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), at, end, width));
    const bool cut = row == closed_rows && !opened && next < end;
    rows_.push_back({line, remark, static_cast<std::size_t>(at - begin),
                     static_cast<std::size_t>(next - begin), 0, row == 1, cut});
    if (cut) break;
    for (at = next; at < end && (*at == ' ' || *at == '\n');) ++at;
  }
}

void SourceListing::scroll_to(int line) {
  scrolled_to_ = line;
  const auto row = std::ranges::find(rows_, line, &Row::line);
  if (line <= 0 || row == rows_.end()) return;
  const float y = static_cast<float>(row - rows_.begin()) * columns_.row;
  if (y < ImGui::GetScrollY() ||
      y + 2 * columns_.row > ImGui::GetScrollY() + ImGui::GetWindowHeight())
    ImGui::SetScrollY(std::max(0.0f, y - ImGui::GetWindowHeight() / 3));
}

void SourceListing::draw_row(const SourceView& view, const RunSummary* counted, std::size_t at,
                             int& selected) {
  const Row& row = rows_[at];
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const SourceLine* const line =
      row.line > 0 ? &view.lines()[static_cast<std::size_t>(row.line) - 1] : nullptr;
  const std::vector<Remark>& remarks = line != nullptr ? line->remarks : view.elsewhere();
  if (!remarks.empty())
    ImGui::GetWindowDrawList()->AddRectFilled(
        corner, {corner.x + columns_.width, corner.y + columns_.row},
        packed_color(faded(remarks.front().error ? palette().lost : palette().note, 0.13f)));
  // UI tests find the first row of a line as "##line12".
  std::array<char, 48> label{};
  if (row.remark < 0 && row.first)
    fmt::format_to_n(label.data(), label.size() - 1, "##line{}", row.line);
  else
    fmt::format_to_n(label.data(), label.size() - 1, "##row{}", at);
  const bool is_selected = row.line > 0 && row.line == selected;
  if (ImGui::Selectable(label.data(), is_selected, 0, {columns_.width, columns_.row})) {
    if (row.remark < 0)
      scrolled_to_ = selected = is_selected ? 0 : row.line;
    else if (toggled_ = true; opened_.erase({row.line, row.remark}) == 0)
      opened_.insert({row.line, row.remark});
  }
  if (row.remark >= 0) {
    if (row.cut) ImGui::SetItemTooltip("click to show all of it");
    draw_remark(corner.x + remark_left(), corner.y + 1, row,
                remarks[static_cast<std::size_t>(row.remark)]);
    return;
  }
  if (row.first) {
    draw_margin(corner.x, corner.y, row.line, *line);
    if (counted != nullptr && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort))
      if (const LineCounters* const here = counted->at_line(row.line))
        draw_counters(*here, ImGui::GetIO().MousePos.x - corner.x);
  }
  draw_code(corner.x + columns_.code, corner.y + 1, row, *line);
}

void SourceListing::draw_remark(float x, float y, const Row& row, const Remark& remark) const {
  const ReadingFont reading;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const char* const text = remark.text.c_str();
  draw.AddText({x, y}, packed_color(remark.error ? palette().lost : palette().note),
               text + row.begin, text + row.end);
  if (row.cut)
    draw.AddText({x + ImGui::CalcTextSize(text + row.begin, text + row.end).x, y},
                 packed_color(palette().accent), " ...");
}

void SourceListing::draw_margin(float x, float y, int number, const SourceLine& line) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float c = columns_.character;
  if (!line.remarks.empty()) {
    const ImVec2 middle{x + c, y + columns_.row / 2};
    const float size = c * 0.55f;
    if (line.wrong())
      draw.AddTriangleFilled({middle.x - size, middle.y + size}, {middle.x + size, middle.y + size},
                             {middle.x, middle.y - size}, packed_color(palette().lost));
    else
      draw.AddCircleFilled(middle, size * 0.8f, packed_color(palette().note));
  }
  const ImU32 quiet = packed_color(palette().quiet), plain = ImGui::GetColorU32(ImGuiCol_Text);
  const auto right_aligned = [&](float right, ImU32 color, const std::string& text) {
    draw.AddText({x + right - static_cast<float>(text.size()) * c, y + 1}, color, text.c_str());
  };
  right_aligned(columns_.cells, quiet, std::to_string(number));
  for (std::size_t place = 0; place < columns_.shown.size(); ++place)
    right_aligned(columns_.cells + cell * static_cast<float>(place + 1) * c, plain,
                  line.cells[columns_.shown[place]]);
  if (line.cells[0].empty() && !line.barriers.empty()) {
    const float room = cell * static_cast<float>(columns_.shown.size());
    for (const char* const words : {" warps at barrier", " warps", ""})
      if (const std::string text = line.barriers + words; static_cast<float>(text.size()) < room) {
        right_aligned(columns_.cells + room * c, quiet, text);
        break;
      }
  }
  if (line.share > 0)
    draw.AddRectFilled({x + columns_.heat, y + 1},
                       {x + columns_.heat + c * 0.4f, y + columns_.row - 1},
                       packed_color(heat_color(0.2f + 0.8f * line.share)));
}

void SourceListing::draw_code(float x, float y, const Row& row, const SourceLine& line) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const char* const text = line.text.c_str();
  x += static_cast<float>(row.indent) * columns_.character;
  const auto piece = [&](std::size_t begin, std::size_t end, ImU32 color) {
    begin = std::max(begin, row.begin);
    end = std::min(end, row.end);
    if (begin >= end) return;
    draw.AddText({x, y}, color, text + begin, text + end);
    x += ImGui::CalcTextSize(text + begin, text + end).x;
  };
  const ImU32 plain = ImGui::GetColorU32(ImGuiCol_Text);
  std::size_t at = row.begin;
  for (auto token = std::ranges::upper_bound(line.tokens, row.begin, {}, &Token::end);
       token != line.tokens.end() && token->begin < row.end; ++token) {
    piece(at, token->begin, plain);
    piece(token->begin, token->end, packed_color(color_of(token->kind)));
    at = token->end;
  }
  piece(at, row.end, plain);
}

// Draws the tooltip for a mouse `x` points from the left: the counters of a cell, or of the whole
// line. There is no tooltip over the code.
void SourceListing::draw_counters(const LineCounters& counted, float x) const {
  if (x >= columns_.code) return;
  const float place = (x - columns_.cells) / (cell * columns_.character);
  const MarginColumn* const column =
      place >= 0 && place < static_cast<float>(columns_.shown.size())
          ? &margin()[columns_.shown[static_cast<std::size_t>(place)]]
          : nullptr;
  const std::vector<NamedCounter> named = named_counters(
      counted.counters, column == nullptr ? std::vector<std::string_view>{} : column->counters);
  if (named.empty() || !ImGui::BeginTooltip()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 3});
  if (column != nullptr) draw_meaning(column->meaning);
  {
    const ReadingFont reading;  // popped before the tooltip ends
    for (const NamedCounter& each : named) {
      ImGui::Text("%s: %s", each.title.c_str(), each.value.c_str());
      ImGui::TextDisabled("    %s", each.name.c_str());
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndTooltip();
}

}  // namespace histolab::viewer
