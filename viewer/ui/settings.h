// Settings: what the viewer remembers of a person from one time to the next.
#pragma once

#include <string>

#include "reference/result.h"
#include "viewer/ui/palette.h"

namespace histolab::viewer {

struct Settings {
  Theme theme = Theme::dark;
  float font_scale = 1;
  bool hint_seen = false;
  bool operator==(const Settings&) const = default;
};

// The file's, or the settings of someone who is new where it is missing or not understood.
[[nodiscard]] Settings read_settings(const std::string& file);
// Whole or not at all; makes the folder.
[[nodiscard]] Status write_settings(const std::string& file, const Settings& settings);

}  // namespace histolab::viewer
