// A folder that is gone when its owner is, in TMPDIR; or when the process ends in a hurry and says so.
#pragma once

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

// Removes all that are there. For who is about to end the process without leaving every scope.
void remove_temporary_folders();

}  // namespace histolab::kernels::worker
