#include "grader/bundle/kit_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace histolab::bundle {
namespace {

namespace fs = std::filesystem;

constexpr const char* wanted[] = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "cmake", "datasets", "docs/measurements", "grader", "histolab", "kernels", "profiles", "reference"};
constexpr const char* left_out[] = {"grader/golden", "grader/testdata", "grader/tests", "grader/attacks", "build", "__pycache__"};

bool is_left_out(const std::string& path, const std::string& name) {
  return name.starts_with('.') || name.ends_with('~') || std::any_of(std::begin(left_out), std::end(left_out), [&](const char* each) { return path == each || name == each; });
}

Result<File> read(const fs::path& file, const std::string& as) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || bytes.fail()) {
    std::error_code ignored;
    if (!in.is_open() || fs::file_size(file, ignored) != 0) return Error{fmt::format("{}: cannot be read", file.string())};
  }
  std::error_code failure;
  const fs::perms perms = fs::status(file, failure).permissions();
  return File{as, bytes.str(), (perms & fs::perms::owner_exec) != fs::perms::none};
}

enum class Links { left_out, followed_to_files };

Status add(const fs::path& tree, const std::string& path, const std::string& prefix, std::vector<File>& files, Links links = Links::left_out) {
  const fs::path here = tree / path;
  std::error_code failure;
  if (fs::is_regular_file(here, failure)) {
    Result<File> file = read(here, prefix + path);
    if (!file) return file.error();
    files.push_back(std::move(*file));
    return Done{};
  }
  for (fs::directory_iterator at{here, failure}, end; !failure && at != end; at.increment(failure)) {
    const std::string name = at->path().filename().string(), below = path + "/" + name;
    std::error_code unknown;
    const bool is_wanted_link = links == Links::followed_to_files && at->is_regular_file(unknown);
    if (is_left_out(below, name) || (at->is_symlink() && !is_wanted_link)) continue;
    if (Status added = add(tree, below, prefix, files, links); !added) return added;
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", here.string(), failure.message())};
  return Done{};
}

}  // namespace

std::string source_tree() { return HISTOLAB_SOURCE_DIR; }

Result<std::vector<File>> kit_sources(const std::string& tree, const std::string& prefix) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::path(tree) / "CMakeLists.txt", ignored))
    return Error{fmt::format("a bundle carries the kit's sources, and they are no longer in {}; run ./histolab export --bundle in a source tree", tree)};
  std::vector<File> files;
  for (const char* path : wanted)
    if (Status added = add(tree, path, prefix, files); !added) return added.error();
  return files;
}

Result<std::vector<File>> lab_files(const std::string& folder, const std::vector<std::string>& names, const std::string& prefix) {
  std::vector<File> files;
  constexpr const char* of_all = "compile_flags.txt";
  std::error_code ignored;
  if (fs::is_regular_file(fs::path(folder) / of_all, ignored))
    if (Status added = add(folder, of_all, prefix, files); !added) return added.error();
  for (const std::string& name : names)
    if (Status added = add(folder, name, prefix, files, Links::followed_to_files); !added) return added.error();
  return files;
}

}  // namespace histolab::bundle
