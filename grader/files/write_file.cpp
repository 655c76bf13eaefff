#include "grader/files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

std::mutex step;                   // held while a temporary file is created, renamed or removed
std::set<std::string> unfinished;  // the existing temporary files

Error problem(const std::string& path, int number) {
  if (number == ENOSPC || number == EDQUOT)
    return Error{fmt::format(
        "{}: the disk is full; nothing was overwritten. Free some space or choose another folder",
        path)};
  return Error{fmt::format("{}: cannot be written: {}", path, std::strerror(number))};
}

// 0 or an errno.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// 0 or an errno.
int sync(int fd) { return fsync(fd) != 0 && errno != EINVAL && errno != ENOSYS ? errno : 0; }

// Renames a file, but never replaces one. Returns -1 with EEXIST if the new name is in use.
int name_new(const char* from, const char* to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  // A file system without this call, such as NFS.
  if (link(from, to) != 0) return -1;
  return unlink(from);
}

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

void abandon_writing() {
  step.lock();  // never unlocked
  for (const std::string& each : unfinished) unlink(each.c_str());
}

Status check_writable(const std::string& path) {
  if (path == "-") return Done{};
  if (path.empty()) return Error{"a report needs a file name, or - for the standard output"};
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return Error{fmt::format("{}: is a folder; name a file in it", path)};
    if (!S_ISREG(info.st_mode)) return Done{};
  }
  const std::string folder = folder_of(path);
  if (access(folder.c_str(), F_OK) != 0)
    return Error{fmt::format("{}: the folder {} does not exist", path, folder)};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return Error{
        fmt::format("{}: cannot be written: no permission in the folder {}", path, folder)};
  return Done{};
}

FileWriter::FileWriter(std::string path, std::string target, std::string temporary, int fd)
    : path_(std::move(path)),
      target_(std::move(target)),
      temporary_(std::move(temporary)),
      fd_(fd) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      fd_(std::exchange(other.fd_, -1)) {}

FileWriter::~FileWriter() {
  if (fd_ >= 0) static_cast<void>(end_with(ECANCELED));
}

Result<FileWriter> FileWriter::begin(const std::string& path) {
  if (path == "-") return FileWriter{"the standard output", {}, {}, dup(STDOUT_FILENO)};
  TRY(check_writable(path));

  mode_t mode = 0666;
  bool mode_is_old = false;
  std::string target = path;
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode)) {
      const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd < 0) return problem(path, errno);
      return FileWriter{path, {}, {}, fd};
    }
    mode = info.st_mode & 07777, mode_is_old = true;
    std::error_code ignored;
    if (const fs::path real = fs::canonical(path, ignored); !ignored)
      target = real.string();  // through a link
  }

  const std::string temporary = fmt::format("{}/.{}.{}.tmp", folder_of(target),
                                            fs::path(target).filename().string(), getpid());
  std::unique_lock lock{step};
  unlink(temporary.c_str());  // left by a killed process that had our process id
  unfinished.insert(temporary);
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const int failed = fd < 0 ? errno : 0;
  if (failed != 0) unfinished.erase(temporary);
  lock.unlock();
  if (failed != 0) return problem(path, failed);
  FileWriter writer{path, target, temporary, fd};
  if (mode_is_old && fchmod(fd, mode) != 0) return problem(path, errno);
  return writer;
}

Status FileWriter::add(std::string_view bytes) {
  if (const int failed = write_all(fd_, bytes)) return problem(path_, failed);
  return Done{};
}

Status FileWriter::end() {
  const int failed = end_with(temporary_.empty() ? 0 : sync(fd_));
  if (failed != 0) return problem(path_, failed);
  return Done{};
}

Result<bool> FileWriter::end_if(const std::function<bool()>& is_wanted) {
  const int synced = sync(fd_);
  const bool replaces = synced == 0 && is_wanted();
  const int failed = end_with(replaces || synced != 0 ? synced : ECANCELED);
  if (!replaces && synced == 0) return false;
  if (failed != 0) return problem(path_, failed);
  // A power cut now keeps the new name, too.
  const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) static_cast<void>(fsync(folder)), close(folder);
  return true;
}

Result<bool> FileWriter::end_new() {
  const int failed = end_with(sync(fd_), &name_new);
  if (failed == EEXIST) return false;
  if (failed != 0) return problem(path_, failed);
  return true;
}

int FileWriter::end_with(int failed, int (*give_name)(const char* from, const char* to)) {
  if (close(std::exchange(fd_, -1)) != 0 && failed == 0) failed = errno;
  if (!temporary_.empty()) {
    const std::lock_guard lock{step};
    if (failed == 0 && give_name(temporary_.c_str(), target_.c_str()) != 0) failed = errno;
    if (failed != 0) unlink(temporary_.c_str());
    unfinished.erase(temporary_);
  }
  return failed;
}

Result<bool> write_file_if(const std::string& path, std::string_view bytes,
                           const std::function<bool()>& is_wanted) {
  FileWriter file = TRY(FileWriter::begin(path));
  TRY(file.add(bytes));
  return file.end_if(is_wanted);
}

Result<bool> write_new_file(const std::string& path, std::string_view bytes) {
  FileWriter file = TRY(FileWriter::begin(path));
  TRY(file.add(bytes));
  return file.end_new();
}

Status write_file(const std::string& path, std::string_view bytes) {
  FileWriter file = TRY(FileWriter::begin(path));
  TRY(file.add(bytes));
  return file.end();
}

}  // namespace histolab::grader
