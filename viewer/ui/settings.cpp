#include "viewer/ui/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "grader/files/write_file.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {

Settings read_settings(const std::string& file) {
  std::ifstream in{file};
  const Json json = Json::parse(in, nullptr, false);
  Settings settings;
  if (text(json, "theme") == "light") settings.theme = Theme::light;
  settings.font_scale = std::clamp(number<float>(json, "font_scale", 1), 0.5f, 3.0f);
  settings.hint_seen = flag(json, "hint_seen");
  return settings;
}

Status write_settings(const std::string& file, const Settings& settings) {
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failure);
  if (failure)
    return Error{fmt::format("cannot create the folder of {}: {}", file, failure.message())};
  const Json json{{"theme", settings.theme == Theme::light ? "light" : "dark"},
                  {"font_scale", settings.font_scale},
                  {"hint_seen", settings.hint_seen}};
  return grader::write_file(file, json.dump(2) + "\n");
}

}  // namespace histolab::viewer
