#include "tools/loader_fuzzers/files.h"

#include <glob.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace histolab::fuzzing {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<std::string> inputs_of(const Loader& loader) {
  const std::string source = HISTOLAB_SOURCE_DIR "/";
  std::vector<std::filesystem::path> paths;
  for (const std::string_view seed : loader.seeds) {
    glob_t files{};
    if (glob((source + std::string(seed)).c_str(), 0, nullptr, &files) != 0) {
      std::fprintf(stderr, "%.*s: nothing is called %.*s\n", static_cast<int>(loader.name.size()),
                   loader.name.data(), static_cast<int>(seed.size()), seed.data());
      std::exit(2);
    }
    paths.insert(paths.end(), files.gl_pathv, files.gl_pathv + files.gl_pathc);
    globfree(&files);
  }
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(
           source + "tools/loader_fuzzers/corpus/" + std::string(loader.name), none))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> inputs;
  for (const auto& path : paths) inputs.push_back(bytes_of(path));
  if (loader.written != nullptr) std::ranges::copy(loader.written(), std::back_inserter(inputs));
  return inputs;
}

}  // namespace histolab::fuzzing
