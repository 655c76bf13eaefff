#include "viewer/ui/fonts.h"

#include <fmt/format.h>

#include <filesystem>

namespace histolab::viewer {
namespace {

ImFont* code = nullptr;

// ImGui aborts if the file is missing, so check first.
ImFont* load(const std::string& path, float size) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), size);
}

}  // namespace

std::string load_fonts(const std::string& folder) {
  ImFontAtlas* const fonts = ImGui::GetIO().Fonts;
  ImFont* const reading = load(folder + "/Roboto-Medium.ttf", reading_size);
  ImFont* const fallback = reading == nullptr ? fonts->AddFontDefaultVector() : reading;
  code = load(folder + "/Cousine-Regular.ttf", code_size);
  const bool missing = reading == nullptr || code == nullptr;
  if (code == nullptr) code = fonts->AddFontDefaultVector();
  constexpr ImWchar no_break_space = 0xA0;  // used in numbers; the built-in font lacks it
  if (reading == nullptr) fallback->AddRemapCodepoint(no_break_space, ' ');
  ImGui::GetIO().FontDefault = fallback;
  ImGui::GetStyle().FontSizeBase = reading_size;
  return missing ? fmt::format("there are no fonts in {}, so the built-in one is used", folder)
                 : std::string{};
}

ImFont* code_font() { return code; }

}  // namespace histolab::viewer
