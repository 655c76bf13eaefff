// Fonts: one for reading, one for code. Both are scalable, so any size is drawn sharp.
#pragma once

#include <string>

#include "imgui.h"

namespace histolab::viewer {

inline constexpr float reading_size = 16, code_size = 15;

// A length, in heights of the font that is in use.
[[nodiscard]] inline float em(float count) { return count * ImGui::GetFontSize(); }

// Loads them from `folder` (Roboto-Medium.ttf, Cousine-Regular.ttf). Where one is missing ImGui's
// built-in font takes its place, and the message says so; empty when both are there.
std::string load_fonts(const std::string& folder);
[[nodiscard]] ImFont* code_font();

// In a scope: text in the font for code.
class CodeFont {
 public:
  CodeFont() { ImGui::PushFont(code_font(), code_size); }
  ~CodeFont() { ImGui::PopFont(); }
  CodeFont(const CodeFont&) = delete;
  CodeFont& operator=(const CodeFont&) = delete;
};

}  // namespace histolab::viewer
