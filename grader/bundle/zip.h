// Archives in memory. The same files give the same bytes: they are ordered by path and have one
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

// The regular files of an archive: zip, tar however compressed, or a Debian package (whose own data
// archive it is). For files that this machine's user trusts. Error: it is not an archive, or it is
// damaged.
[[nodiscard]] Result<std::vector<File>> files_of_archive(const std::string& path);

}  // namespace histolab::bundle
