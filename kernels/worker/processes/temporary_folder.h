// A folder in TMPDIR that is removed with its owner, or by remove_temporary_folders() before the
// process ends early.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "reference/result.h"

namespace histolab::kernels::worker {

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  // Both return an Error if the folder or file cannot be written. with() puts one file into the
  // folder.
  static Result<TemporaryFolder> with(const std::string& file, const std::string& text);
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Puts `mark` (letters and digits) into the names of all folders that this process makes from now
// on. An empty mark ends that.
void mark_temporary_folders(const std::string& mark);
// Removes the folders with this mark that another process of this user left in TMPDIR. The caller
// must know that no such process is running. Returns the number of removed folders.
std::size_t remove_left_folders(const std::string& mark);

// Removes all folders of this process. For a process that ends without leaving every scope.
void remove_temporary_folders();

}  // namespace histolab::kernels::worker
