// Settings: the user's preferences, saved between sessions.
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

// Reads the file. Returns the defaults if it is missing or invalid.
[[nodiscard]] Settings read_settings(const std::string& file);
// Writes the file atomically; creates its folder.
[[nodiscard]] Status write_settings(const std::string& file, const Settings& settings);

}  // namespace histolab::viewer
