#include "viewer/ui/lane_colors.h"

#include <algorithm>

#include "viewer/ui/palette.h"

namespace histolab::viewer {
namespace {

// few_elements: one colour per element. many_elements: a gradient from the first element to the
// last.
enum class ColoredBy { sectors, banks, few_elements, many_elements };

ColoredBy colored_by(const AccessLog& log, const Access& access) {
  if (shown_by_element(log, access) || log.holds_bins(access.variable))
    return log.last_element(access.variable) < group_count ? ColoredBy::few_elements
                                                           : ColoredBy::many_elements;
  return in_shared(access) ? ColoredBy::banks : ColoredBy::sectors;
}

ImVec4 between(double part, double whole) {
  return heat_color(0.28f + 0.72f * static_cast<float>(part / std::max(1.0, whole)));
}

const char* legend_of(ColoredBy by) {
  switch (by) {
    case ColoredBy::sectors: return "colour: sector of 32 bytes; colours repeat after 8 sectors";
    case ColoredBy::banks: return "colour: bank, 0 to 31";
    case ColoredBy::few_elements: return "one colour per element";
    case ColoredBy::many_elements: break;
  }
  return "colour: element, from the first to the last";
}

}  // namespace

LaneColors lane_colors(const AccessLog& log, const Access& access) {
  const ColoredBy by = colored_by(log, access);
  const std::array<int, lanes> groups =
      by == ColoredBy::sectors ? sector_groups(access) : std::array<int, lanes>{};
  const auto last = static_cast<double>(log.last_element(access.variable));
  LaneColors colors{};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t element = element_of(access, lane);
    switch (by) {
      case ColoredBy::sectors: colors[lane] = series_color(groups[lane]); break;
      case ColoredBy::banks: colors[lane] = between(bank_of(access, lane), banks - 1); break;
      case ColoredBy::few_elements:
        colors[lane] = series_color(static_cast<int>(element % group_count));
        break;
      case ColoredBy::many_elements:
        colors[lane] = between(static_cast<double>(element), last);
        break;
    }
  }
  return colors;
}

bool shown_by_element(const AccessLog& log, const Access& access) {
  return is_atomic(access) || (!in_shared(access) && log.holds_bins(access.variable));
}

std::string bin_label(const AccessLog& log, const Access& access, std::uint32_t lane) {
  const std::vector<std::string>& labels = log.begin().bin_labels;
  const std::uint64_t element = element_of(access, lane);
  return log.holds_bins(access.variable) && element < labels.size() ? labels[element]
                                                                    : std::string{};
}

void draw_color_legend(const AccessLog& log, const Access& access) {
  const ColoredBy by = colored_by(log, access);
  if (by != ColoredBy::few_elements || !log.holds_bins(access.variable)) {
    ImGui::TextDisabled("%s", legend_of(by));
    return;
  }
  const std::vector<std::string>& labels = log.begin().bin_labels;
  const float font = ImGui::GetFontSize(), square = 0.7f * font, gap = 0.3f * font;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + ImGui::GetContentRegionAvail().x;
  for (std::size_t bin = 0; bin < labels.size() && bin < group_count; ++bin) {
    const float width = square + gap + ImGui::CalcTextSize(labels[bin].c_str()).x;
    if (at.x + width > end) break;
    const float y = at.y + (ImGui::GetTextLineHeight() - square) / 2;
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({at.x, y}, {at.x + square, y + square},
                        ImGui::GetColorU32(series_color(static_cast<int>(bin))));
    draw->AddText({at.x + square + gap, at.y}, ImGui::GetColorU32(palette().quiet),
                  labels[bin].c_str());
    at.x += width + 0.8f * font;
  }
  ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

}  // namespace histolab::viewer
