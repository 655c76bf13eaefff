#include "grader/files/backup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace histolab::grader {

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::symlink_status(path, ignored).type() !=
         std::filesystem::file_type::not_found;
}

Result<std::string> back_up(const std::string& path) {
  constexpr int last = 9999;
  if (!is_there(path)) return std::string{};
  // link(2) never replaces a file, so two processes that do this at once cannot overwrite each
  // other's backup.
  for (int number = 1;; ++number) {
    const std::string name = fmt::format("{}.~{}~", path, number);
    if (link(path.c_str(), name.c_str()) != 0) {
      if (errno == EEXIST && number < last) continue;
      return Error{fmt::format("{}: cannot be backed up as {}: {}; left unchanged", path, name,
                               std::strerror(errno))};
    }
    if (unlink(path.c_str()) != 0)
      return Error{fmt::format("{}: cannot be replaced: {}", path, std::strerror(errno))};
    return name;
  }
}

}  // namespace histolab::grader
