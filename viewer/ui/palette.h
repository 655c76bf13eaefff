// Palette: the meaning of each colour. The hues are from M. Okabe and K. Ito, "Color Universal
// Design" (2008). People with any common form of colour blindness can distinguish them. Colour
// alone never carries a meaning.
#pragma once

#include "imgui.h"

namespace histolab::viewer {

enum class Theme { dark, light };

// The colours of the current theme.
struct Palette {
  ImVec4 counted;   // in the bin
  ImVec4 expected;  // correct count
  ImVec4 pending;   // read and not yet in the bin
  ImVec4 lost;      // lost updates, errors
  ImVec4 good;      // right
  ImVec4 note;      // a remark, not an error
  ImVec4 accent;    // the selection
  ImVec4 quiet;     // axes, units, captions
  ImVec4 grid;      // empty cells
};
[[nodiscard]] const Palette& palette();

// Returns the colour of a result: `lost` if wrong, else `good` if right, else that of plain text.
[[nodiscard]] ImVec4 outcome_color(bool wrong, bool right);
// Eight colours for series, distinct in both themes. `index` wraps around.
[[nodiscard]] ImVec4 series_color(int index);
// A gradient for `share` from 0 to 1: light to dark in the light theme, dark to light in the dark
// one.
[[nodiscard]] ImVec4 heat_color(float share);
[[nodiscard]] ImVec4 faded(ImVec4 color, float alpha);

// Returns black or white, whichever is more legible on `color`.
[[nodiscard]] ImU32 text_on(ImVec4 color);

// Sets the style of ImGui and ImPlot, with shapes at scale 1.
void apply_theme(Theme theme);
// Scales paddings, borders and the plots' lines, so that they stay in proportion to the text.
void scale_shapes(float scale);
[[nodiscard]] float shapes_scale();

}  // namespace histolab::viewer
