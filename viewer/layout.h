// Layouts: the predefined arrangements of the panels in the window. One is the default; the menu
// restores any of them.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "viewer/panels/panel.h"

namespace histolab::viewer {

enum class Layout {
  lecture,  // a large histogram, the others next to it in tabs
  student,  // source and histogram side by side, the warp below
  all,      // every panel visible
  program,  // only source and warp, side by side, for a whole program
};
struct NamedLayout {
  Layout layout;
  const char* name;
  const char* about;
};
[[nodiscard]] std::span<const NamedLayout> layouts();

// Whether the layout shows this panel.
[[nodiscard]] bool is_in(Layout layout, std::string_view panel);

// Docks the panels' windows again in `dock`, which has this size.
void arrange(Layout layout, ImGuiID dock, ImVec2 size,
             const std::vector<std::unique_ptr<Panel>>& panels);

}  // namespace histolab::viewer
