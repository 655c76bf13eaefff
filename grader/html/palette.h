// The colours of the project's pages, by what they mean, for light and dark. On its paper each text
// has a contrast of 4.5 to 1 at least.
#pragma once

namespace histolab::grader {

inline constexpr const char* palette = R"css(
:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --sheet: #ffffff; --ink: #1d2327; --quiet: #6a737b; --rule: #e3e5e2; --link: #0b5cad;
  --waste: 214 92 20; --volume: 42 112 190;
  --error: #b3261e; --error-paper: #fdeeec; --remark: #7a5200; --remark-paper: #fff6df; --hint-paper: #f0f3f6; --good: #1b6e3c; --good-paper: #e8f5ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --sheet: #1b1f23; --ink: #e3e6e8; --quiet: #929ca5; --rule: #2d3339; --link: #7fb8f0;
    --waste: 240 122 48; --volume: 84 152 230;
    --error: #ff9d94; --error-paper: #3a1d1b; --remark: #f2c866; --remark-paper: #332a12; --hint-paper: #23292f; --good: #83d6a1; --good-paper: #17301f;
  }
}
)css";

}  // namespace histolab::grader
