#include "viewer/ui/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>

#include "viewer/ui/palette.h"

namespace histolab::viewer {

void engineering_axis(ImAxis axis, const char* unit) {
  const auto format = [](double value, char* text, int size, void* data) {
    return std::snprintf(text, static_cast<std::size_t>(size), "%s%s", engineering(value).c_str(),
                         data == nullptr ? "" : static_cast<const char*>(data));
  };
  ImPlot::SetupAxisFormat(axis, format, const_cast<char*>(unit));
}

ImPlotSpec filled(ImVec4 color, ImPlotItemFlags flags) {
  ImPlotSpec spec;
  spec.FillColor = spec.LineColor = color;
  spec.LineWeight = 0;
  spec.Flags = flags;
  return spec;
}

ImPlotSpec outlined(ImVec4 color, float weight, ImPlotItemFlags flags) {
  ImPlotSpec spec;
  spec.LineColor = color;
  spec.FillColor = color;
  spec.FillAlpha = 0;
  spec.LineWeight = weight * shapes_scale();
  spec.Flags = flags;
  return spec;
}

ImPlotSpec line(ImVec4 color, float weight, ImPlotItemFlags flags) {
  ImPlotSpec spec;
  spec.LineColor = color;
  spec.LineWeight = weight * shapes_scale();
  spec.Flags = flags;
  return spec;
}

ImPlotSpec marked_line(ImVec4 color, ImPlotMarker marker, bool hollow, float weight) {
  ImPlotSpec spec = line(color, weight);
  spec.Marker = marker;
  spec.MarkerSize = 4 * shapes_scale();
  spec.MarkerLineColor = color;
  spec.MarkerFillColor = faded(color, hollow ? 0.0f : 1.0f);
  return spec;
}

ImVec2 plot_size(float height_to_leave) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  return {std::max(80.0f, room.x), std::max(80.0f, room.y - height_to_leave)};
}

namespace {

// Keeps "4 096" on one line by using no-break spaces between digits.
std::string with_whole_numbers(const std::string& text) {
  const auto digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool within = text[i] == ' ' && i > 0 && digit(i - 1) && digit(i + 1) && digit(i + 2) &&
                        digit(i + 3) && !digit(i + 4);
    out += within ? std::string_view{"\u00a0"} : std::string_view{&text[i], 1};
  }
  return out;
}

}  // namespace

void one_line(ImVec4 color, const std::string& text) {
  const float width = ImGui::GetContentRegionAvail().x;
  const auto fits = [&](const std::string& words) {
    return ImGui::CalcTextSize(words.c_str()).x <= width;
  };
  if (fits(text)) return ImGui::TextColored(color, "%s", text.c_str());
  std::size_t kept = 0;
  for (std::size_t half = std::bit_floor(text.size()); half > 0; half /= 2)
    if (kept + half <= text.size() && fits(text.substr(0, kept + half) + "...")) kept += half;
  ImGui::TextColored(color, "%s...", text.substr(0, kept).c_str());
}

void wrapped_text(ImVec4 color, const std::string& words) {
  const std::string text = with_whole_numbers(words);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str(), text.c_str() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void origin_tag(bool measured, const std::string& device) {
  const std::string text =
      measured ? fmt::format("measured, {}", device) : fmt::format("modelled, {}", device);
  ImGui::TextColored(measured ? palette().good : palette().note, "%s", text.c_str());
}

void same_line_if_room(float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

}  // namespace histolab::viewer
