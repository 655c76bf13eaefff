#include "kernels/worker/processes/temporary_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace histolab::kernels::worker {
namespace {

namespace fs = std::filesystem;

std::mutex changing;
std::set<std::string> present;
std::string mark_of_all;  // such as "a1b2-", or empty; part of each name

std::string base_folder() {
  const char* base = std::getenv("TMPDIR");
  return base != nullptr && *base != 0 ? base : "/tmp";
}

// Calls the function for each entry of the folder, to which a program may have lost its own rights.
template <class Action>
void for_entries(const fs::path& folder, const Action& action) {
  std::error_code failure;
  fs::permissions(folder, fs::perms::owner_all, failure);
  fs::directory_iterator at(folder, failure);
  for (; !failure && at != fs::directory_iterator(); at.increment(failure))
    action(at->path(), at->symlink_status(failure).type() == fs::file_type::directory);
}

// remove_all() fails if folders are nested more deeply than it may open files, or closed to their
// owner. Then this removes level by level: the contents of inner folders move next to `path` first.
// Any other failure means that another thread or process is still at work there.
void remove(const std::string& path) {
  std::error_code failure, ignored;
  fs::remove_all(path, failure);
  if (failure != std::errc::too_many_files_open &&
      failure != std::errc::too_many_files_open_in_system &&
      failure != std::errc::permission_denied)
    return;
  std::string level = path;
  for (int moved = 1; moved != 0;) {
    std::string next = path + "-XXXXXX";
    if (mkdtemp(next.data()) == nullptr) return;
    moved = 0;
    for_entries(level, [&](const fs::path& entry, bool is_folder) {
      if (is_folder)
        for_entries(entry, [&](const fs::path& inner, bool is_inner_folder) {
          if (is_inner_folder) fs::permissions(inner, fs::perms::owner_all, ignored);
          fs::rename(inner, fs::path(next) / std::to_string(moved), failure);
          if (!failure) ++moved;
        });
      fs::remove(entry, ignored);
    });
    fs::remove(level, ignored);
    level = std::move(next);
  }
  if (level != path) fs::remove(level, ignored);
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
  const std::lock_guard lock{changing};
  std::string pattern = fmt::format("{}/histolab-{}XXXXXX", base_folder(), mark_of_all);
  if (mkdtemp(pattern.data()) == nullptr)
    return Error{
        fmt::format("cannot make a temporary folder {}: {}; set TMPDIR to a folder with room",
                    pattern, std::strerror(errno))};
  present.insert(pattern);
  return TemporaryFolder(pattern);
}

Result<TemporaryFolder> TemporaryFolder::with(const std::string& file, const std::string& text) {
  TemporaryFolder folder = TRY(make());
  const std::string path = folder.path() + "/" + file;
  std::ofstream(path, std::ios::binary) << text;
  std::error_code error;
  if (fs::file_size(path, error) != text.size() || error)
    return Error{
        fmt::format("cannot write {}: is the disk full? Set TMPDIR to a folder with room", path)};
  return folder;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  remove(path_);
  const std::lock_guard lock{changing};
  present.erase(path_);
}

void mark_temporary_folders(const std::string& mark) {
  const std::lock_guard lock{changing};
  mark_of_all = mark.empty() ? mark : mark + "-";
}

std::size_t remove_left_folders(const std::string& mark) {
  const std::lock_guard lock{changing};
  const std::string beginning = fmt::format("histolab-{}-", mark);
  std::vector<std::string> left;
  std::error_code failure;
  for (fs::directory_iterator at{base_folder(), failure}, end; !failure && at != end;
       at.increment(failure)) {
    struct stat found {};
    const std::string path = at->path().string();
    if (!at->path().filename().string().starts_with(beginning) || present.contains(path)) continue;
    // If this runs as root, a folder may belong to a compiler's user ID.
    if (lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
        (found.st_uid == geteuid() || geteuid() == 0))
      left.push_back(path);
  }
  for (const std::string& path : left) remove(path);
  return left.size();
}

void remove_temporary_folders() {
  const std::lock_guard lock{changing};
  constexpr int most_tries = 100;
  std::error_code ignored;
  for (const std::string& path : present) {
    remove(path);
    // Its owner's thread may be removing it, too, and the two hinder each other.
    for (int i = 0; i < most_tries && fs::exists(path, ignored); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
      remove(path);
    }
  }
}

}  // namespace histolab::kernels::worker
