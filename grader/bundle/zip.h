// Archives in memory. The same files give the same bytes: they are sorted by path and have a fixed
// time.
#pragma once

#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::bundle {

struct File {
  std::string path;  // within the archive, '/' between names
  std::string bytes;
  bool executable = false;
};

[[nodiscard]] Result<std::string> zip_of(std::vector<File> files);
[[nodiscard]] Result<std::string> tar_gz_of(std::vector<File> files);

// Returns the regular files of a zip archive, a tar archive with any compression, or the data of a
// Debian package. Only for trusted files. Returns an Error if the file is not an archive, or
// damaged.
[[nodiscard]] Result<std::vector<File>> files_of_archive(const std::string& path);

}  // namespace histolab::bundle
