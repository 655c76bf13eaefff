#include "tools/loader_fuzzers/files.h"

#include <glob.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace histolab::fuzzing {

std::vector<std::filesystem::path> inputs_of(const Loader& loader) {
  const std::string source = HISTOLAB_SOURCE_DIR "/";
  std::vector<std::filesystem::path> found;
  for (const std::string_view seed : loader.seeds) {
    glob_t files{};
    if (glob((source + std::string(seed)).c_str(), 0, nullptr, &files) != 0) {
      std::fprintf(stderr, "%.*s: nothing is called %.*s\n", static_cast<int>(loader.name.size()), loader.name.data(), static_cast<int>(seed.size()), seed.data());
      std::exit(2);
    }
    found.insert(found.end(), files.gl_pathv, files.gl_pathv + files.gl_pathc);
    globfree(&files);
  }
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(source + "tools/loader_fuzzers/corpus/" + std::string(loader.name), none)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace histolab::fuzzing
