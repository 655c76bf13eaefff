#include "viewer/ui/palette.h"

#include <algorithm>
#include <array>

#include "implot.h"

namespace histolab::viewer {
namespace {

constexpr ImVec4 rgb(unsigned hex) {
  return {static_cast<float>(hex >> 16 & 255) / 255, static_cast<float>(hex >> 8 & 255) / 255,
          static_cast<float>(hex & 255) / 255, 1};
}

constexpr ImVec4 blue = rgb(0x0072B2), orange = rgb(0xE69F00), sky = rgb(0x56B4E9),
                 green = rgb(0x009E73), yellow = rgb(0xF0E442), vermillion = rgb(0xD55E00),
                 purple = rgb(0xCC79A7);

constexpr Palette dark_palette{sky,    rgb(0xE8E8E8), orange,        rgb(0xFF7A33), rgb(0x2BC79A),
                               yellow, sky,           rgb(0xA2A9B4), rgb(0x2A2F38)};
constexpr Palette light_palette{blue,       rgb(0x202020), orange,
                                vermillion, rgb(0x00795A), rgb(0x8A6D00),
                                blue,       rgb(0x5A6270), rgb(0xE3E6EA)};

Theme current = Theme::dark;
float shapes = 1;

void common_shapes() {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 4;
  style.FrameRounding = 3;
  style.GrabRounding = 3;
  style.TabRounding = 3;
  style.PopupRounding = 4;
  style.WindowPadding = {10, 8}, style.FramePadding = {7, 4}, style.ItemSpacing = {8, 6};
  style.WindowBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBarBorderSize = 1;
  ImPlotStyle& plot = ImPlot::GetStyle();
  plot.PlotPadding = {8, 6}, plot.LabelPadding = {6, 4}, plot.LegendPadding = {6, 4},
  plot.PlotBorderSize = 1;
}

void dark() {
  ImGui::StyleColorsDark();
  ImPlot::StyleColorsDark();
  ImVec4* const colors = ImGui::GetStyle().Colors;
  colors[ImGuiCol_WindowBg] = rgb(0x15181D);
  colors[ImGuiCol_ChildBg] = rgb(0x15181D);
  colors[ImGuiCol_PopupBg] = rgb(0x1C2027);
  colors[ImGuiCol_Text] = rgb(0xE6E9EE);
  colors[ImGuiCol_TextDisabled] = dark_palette.quiet;
  colors[ImGuiCol_Border] = rgb(0x313742);
  colors[ImGuiCol_FrameBg] = rgb(0x232831);
  colors[ImGuiCol_FrameBgHovered] = rgb(0x2E3541);
  colors[ImGuiCol_FrameBgActive] = rgb(0x37404E);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = colors[ImGuiCol_MenuBarBg] =
      rgb(0x1C2027);
  colors[ImGuiCol_Button] = rgb(0x2B4A63);
  colors[ImGuiCol_ButtonHovered] = rgb(0x356184);
  colors[ImGuiCol_ButtonActive] = rgb(0x3F75A0);
  colors[ImGuiCol_Header] = rgb(0x26394A);
  colors[ImGuiCol_HeaderHovered] = rgb(0x2F4A61);
  colors[ImGuiCol_HeaderActive] = rgb(0x385A77);
}

void light() {
  ImGui::StyleColorsLight();
  ImPlot::StyleColorsLight();
  ImVec4* const colors = ImGui::GetStyle().Colors;
  colors[ImGuiCol_WindowBg] = rgb(0xFBFCFD);
  colors[ImGuiCol_ChildBg] = rgb(0xFBFCFD);
  colors[ImGuiCol_PopupBg] = rgb(0xFFFFFF);
  colors[ImGuiCol_Text] = rgb(0x16191E);
  colors[ImGuiCol_TextDisabled] = light_palette.quiet;
  colors[ImGuiCol_Border] = rgb(0xC3C9D1);
  colors[ImGuiCol_FrameBg] = rgb(0xE9EDF1);
  colors[ImGuiCol_FrameBgHovered] = rgb(0xDCE3EA);
  colors[ImGuiCol_FrameBgActive] = rgb(0xCBD6E0);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = colors[ImGuiCol_MenuBarBg] =
      rgb(0xEEF1F4);
  colors[ImGuiCol_Button] = rgb(0xBBD8EC);
  colors[ImGuiCol_ButtonHovered] = rgb(0x9FC8E3);
  colors[ImGuiCol_ButtonActive] = rgb(0x85B7D8);
}

}  // namespace

const Palette& palette() { return current == Theme::dark ? dark_palette : light_palette; }

ImVec4 outcome_color(bool wrong, bool right) {
  if (wrong) return palette().lost;
  return right ? palette().good : ImGui::GetStyle().Colors[ImGuiCol_Text];
}

ImVec4 series_color(int index) {
  static constexpr std::array<ImVec4, 8> on_dark{sky,    orange, rgb(0x2BC79A), rgb(0xFF7A33),
                                                 purple, yellow, rgb(0x4C8FD6), rgb(0xC9CDD4)};
  static constexpr std::array<ImVec4, 8> on_light{blue,          rgb(0xC98600), rgb(0x00795A),
                                                  vermillion,    rgb(0xA8487E), rgb(0x8A7A00),
                                                  rgb(0x2F97D6), rgb(0x4A4F57)};
  const auto at = static_cast<std::size_t>(index < 0 ? 0 : index) % on_dark.size();
  return current == Theme::dark ? on_dark[at] : on_light[at];
}

ImVec4 heat_color(float share) {
  const float t = std::clamp(share, 0.0f, 1.0f);
  const ImVec4 from = palette().grid, to = current == Theme::dark ? rgb(0xFFD27A) : rgb(0x8F3B00);
  return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, from.z + (to.z - from.z) * t,
          1};
}

ImVec4 faded(ImVec4 color, float alpha) { return {color.x, color.y, color.z, color.w * alpha}; }

ImU32 text_on(ImVec4 color) {
  const float bright = 0.299f * color.x + 0.587f * color.y + 0.114f * color.z;
  return bright > 0.5f ? IM_COL32(16, 18, 22, 255) : IM_COL32(255, 255, 255, 255);
}

float shapes_scale() { return shapes; }

void scale_shapes(float scale) {
  shapes = scale;
  ImGuiStyle& style = ImGui::GetStyle();
  ImGuiStyle unscaled;
  std::ranges::copy(style.Colors, unscaled.Colors);
  unscaled.FontSizeBase = style.FontSizeBase;
  unscaled.FontScaleMain = style.FontScaleMain;
  unscaled.FontScaleDpi = style.FontScaleDpi;
  style = unscaled;
  ImPlotStyle& plot = ImPlot::GetStyle();
  ImPlotStyle unscaled_plot;
  std::ranges::copy(plot.Colors, unscaled_plot.Colors);
  unscaled_plot.Colormap = plot.Colormap;
  plot = unscaled_plot;
  common_shapes();
  if (scale == 1) return;
  style.ScaleAllSizes(scale);
  plot.PlotBorderSize *= scale;
  for (ImVec2* const size :
       {&plot.PlotMinSize, &plot.MajorTickLen, &plot.MinorTickLen, &plot.MajorTickSize,
        &plot.MinorTickSize, &plot.MajorGridSize, &plot.MinorGridSize, &plot.PlotPadding,
        &plot.LabelPadding, &plot.LegendPadding, &plot.LegendInnerPadding, &plot.LegendSpacing,
        &plot.MousePosPadding, &plot.AnnotationPadding})
    size->x *= scale, size->y *= scale;
}

void apply_theme(Theme theme) {
  current = theme;
  shapes = 1;
  theme == Theme::dark ? dark() : light();
  common_shapes();
  ImGui::GetStyle().Colors[ImGuiCol_CheckMark] = ImGui::GetStyle().Colors[ImGuiCol_SliderGrab] =
      palette().accent;
}

}  // namespace histolab::viewer
