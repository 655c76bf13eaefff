// Fonts: one for text, one for code. Both are scalable, so any size is sharp.
#pragma once

#include <string>

#include "imgui.h"

namespace histolab::viewer {

inline constexpr float reading_size = 16, code_size = 15;

// Converts a length in font heights to points.
[[nodiscard]] inline float em(float count) { return count * ImGui::GetFontSize(); }

// Loads Roboto-Medium.ttf and Cousine-Regular.ttf from `folder`. ImGui's built-in font replaces a
// missing one; then the result is a message that says so, else it is empty.
std::string load_fonts(const std::string& folder);
[[nodiscard]] ImFont* code_font();

// RAII: uses the code font.
class CodeFont {
 public:
  CodeFont() { ImGui::PushFont(code_font(), code_size); }
  ~CodeFont() { ImGui::PopFont(); }
  CodeFont(const CodeFont&) = delete;
  CodeFont& operator=(const CodeFont&) = delete;
};

}  // namespace histolab::viewer
