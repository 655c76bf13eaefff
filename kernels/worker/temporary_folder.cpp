#include "kernels/worker/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

namespace histolab::kernels::worker {
namespace {

std::mutex changing;
std::set<std::string> present;

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/histolab-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    return Error{fmt::format("cannot make a temporary folder {}: {}; set TMPDIR to a folder with room", pattern, std::strerror(errno))};
  const std::lock_guard lock{changing};
  present.insert(pattern);
  return TemporaryFolder(pattern);
}

Result<TemporaryFolder> TemporaryFolder::with(const std::string& file, const std::string& text) {
  Result<TemporaryFolder> folder = make();
  if (!folder) return folder.error();
  const std::string path = folder->path() + "/" + file;
  std::ofstream(path, std::ios::binary) << text;
  std::error_code error;
  if (std::filesystem::file_size(path, error) != text.size() || error) return Error{fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", path)};
  return folder;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  remove(path_);
  const std::lock_guard lock{changing};
  present.erase(path_);
}

void remove_temporary_folders() {
  const std::lock_guard lock{changing};
  for (const std::string& path : present) remove(path);
}

}  // namespace histolab::kernels::worker
