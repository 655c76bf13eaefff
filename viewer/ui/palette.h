// Palette: what each colour means. The hues are those of M. Okabe and K. Ito, "Color Universal
// Design" (2008), which people with any common form of colour blindness tell apart; no meaning is
// carried by colour alone.
#pragma once

#include "imgui.h"

namespace histolab::viewer {

enum class Theme { dark, light };

// Of the current theme.
struct Palette {
  ImVec4 counted;   // in the bin
  ImVec4 expected;  // what should be there
  ImVec4 pending;   // read and not yet in the bin
  ImVec4 lost;      // wrong: lost updates, errors
  ImVec4 good;      // right
  ImVec4 note;      // worth a look, no error
  ImVec4 accent;    // what is selected
  ImVec4 quiet;     // axes, units, captions
  ImVec4 grid;      // empty cells
};
[[nodiscard]] const Palette& palette();

// Eight series that stay apart in both themes; `index` wraps around.
[[nodiscard]] ImVec4 series_color(int index);
// From few to many, 0 to 1: light to dark on light, dark to light on dark.
[[nodiscard]] ImVec4 heat_color(float share);
[[nodiscard]] ImVec4 faded(ImVec4 color, float alpha);

// Black or white, whichever is read more easily on it.
[[nodiscard]] ImU32 text_on(ImVec4 color);

// Sets ImGui's and ImPlot's style, with shapes of scale 1.
void apply_theme(Theme theme);
// Scales paddings, borders and the plots' lines, so that they keep their proportion to the type.
void scale_shapes(float scale);
[[nodiscard]] float shapes_scale();

}  // namespace histolab::viewer
