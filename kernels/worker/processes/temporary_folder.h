// A folder that is gone when its owner is, in TMPDIR; or when the process ends in a hurry and says so.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "reference/result.h"

namespace histolab::kernels::worker {

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  static Result<TemporaryFolder> with(const std::string& file, const std::string& text);
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Puts the mark, of letters and digits, into the names of all folders that this process makes from now on. An empty one ends that.
void mark_temporary_folders(const std::string& mark);
// Removes the folders with the mark that another process of this user has left in TMPDIR; for a caller who knows that
// no such process runs. Returns how many there were.
std::size_t remove_left_folders(const std::string& mark);

// Removes all that are there. For who is about to end the process without leaving every scope.
void remove_temporary_folders();

}  // namespace histolab::kernels::worker
