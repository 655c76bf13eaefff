#include "viewer/workspace/places.h"

#include <cstdlib>
#include <filesystem>

#include "grader/files/paths.h"

namespace histolab::viewer {
namespace {

namespace fs = std::filesystem;

std::string config_folder() {
  if (const char* given = std::getenv("XDG_CONFIG_HOME"); given != nullptr && *given == '/')
    return std::string{given} + "/histolab";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string{home} + "/.config/histolab";
  return {};
}

}  // namespace

std::vector<std::string> Places::command(const std::vector<std::string>& words) const {
  std::vector<std::string> command{program};
  if (!labs.empty()) command.insert(command.end(), {"--labs", labs});
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

Places find_places(const std::string& executable) {
  const fs::path here = fs::path(executable).parent_path();
  std::error_code ignored;
  Places places;
  // Installed as PREFIX/libexec/histolab/histolab-viewer; built next to the program.
  const fs::path installed = (here / ".." / ".." / "bin" / "histolab").lexically_normal();
  const fs::path beside = here / "histolab";
  places.program = (fs::exists(beside, ignored) ? beside : installed).string();
  const grader::Paths paths = grader::find_paths(places.program);
  const fs::path data = fs::path(paths.profiles).parent_path();
  places.profiles = paths.profiles;
  places.measurements = (data / "docs" / "measurements").string();
  places.tour = (data / "viewer" / "tour.json").string();
  places.fonts = paths.installed ? (data / "fonts").string() : HISTOLAB_FONTS;
  places.config = config_folder();
  return places;
}

}  // namespace histolab::viewer
