#include "grader/bundle/kit_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace histolab::bundle {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> bundled_paths = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE",           "README.md",
    "cmake",          "datasets",          "docs/measurements", "grader",
    "histolab",       "kernels",           "profiles",          "reference"};
// Tests and their data.
constexpr const char* test_paths[] = {"grader/golden",   "grader/testdata", "grader/attacks",
                                      "grader/messages", "build",           "testing",
                                      "tests",           "__pycache__"};

bool is_hidden(const std::string& name) { return name.starts_with('.') || name.ends_with('~'); }

bool is_test(const std::string& path, const std::string& name) {
  return name.find("_test.") != std::string::npos ||
         std::ranges::any_of(test_paths,
                             [&](const char* each) { return path == each || name == each; });
}

Result<File> read(const fs::path& file, const std::string& as) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || bytes.fail()) {
    std::error_code ignored;
    if (!in.is_open() || fs::file_size(file, ignored) != 0)
      return Error{fmt::format("{}: cannot be read", file.string())};
  }
  std::error_code failure;
  const fs::perms perms = fs::status(file, failure).permissions();
  return File{as, bytes.str(), (perms & fs::perms::owner_exec) != fs::perms::none};
}

// Selects the entries of a folder to add.
struct Filter {
  std::function<bool(const std::string& path, const std::string& name)> accepts;
  bool follows_links_to_files = false;
};

Status add(const fs::path& tree, const std::string& path, const std::string& prefix,
           const Filter& filter, std::vector<File>& files) {
  const fs::path here = tree / path;
  std::error_code failure;
  if (fs::is_regular_file(here, failure)) {
    files.push_back(TRY(read(here, prefix + path)));
    return Done{};
  }
  for (fs::directory_iterator at{here, failure}, end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string(), below = path + "/" + name;
    std::error_code unknown;
    const bool is_wanted_link = filter.follows_links_to_files && at->is_regular_file(unknown);
    if (!filter.accepts(below, name) || (at->is_symlink() && !is_wanted_link)) continue;
    TRY(add(tree, below, prefix, filter, files));
  }
  if (failure)
    return Error{fmt::format("{}: cannot be read: {}", here.string(), failure.message())};
  return Done{};
}

}  // namespace

std::string source_tree() { return HISTOLAB_SOURCE_DIR; }

Result<std::vector<File>> kit_sources(const std::string& tree, const std::string& prefix) {
  return kit_sources(tree, prefix, bundled_paths, {});
}

Result<std::vector<File>> kit_sources(const std::string& tree, const std::string& prefix,
                                      const std::vector<std::string>& wanted,
                                      const std::vector<std::string>& excluded) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::path(tree) / "CMakeLists.txt", ignored))
    return Error{fmt::format(
        "the kit's sources are no longer in {}; run ./histolab in a source tree", tree)};
  std::vector<File> files;
  const Filter filter{[&](const std::string& path, const std::string& name) {
    return !is_hidden(name) && !is_test(path, name) && std::ranges::count(excluded, path) == 0;
  }};
  for (const std::string& path : wanted) TRY(add(tree, path, prefix, filter, files));
  return files;
}

Result<std::vector<File>> lab_files(const std::string& folder,
                                    const std::vector<std::string>& names,
                                    const std::string& prefix) {
  std::vector<File> files;
  const Filter filter{[](const std::string&, const std::string& name) { return !is_hidden(name); },
                      true};
  constexpr const char* shared_file = "compile_flags.txt";
  std::error_code ignored;
  if (fs::is_regular_file(fs::path(folder) / shared_file, ignored))
    TRY(add(folder, shared_file, prefix, filter, files));
  for (const std::string& name : names) TRY(add(folder, name, prefix, filter, files));
  return files;
}

}  // namespace histolab::bundle
