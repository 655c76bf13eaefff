// A zip archive in memory. The same files give the same bytes: they are ordered by path and have one time.
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

}  // namespace histolab::bundle
