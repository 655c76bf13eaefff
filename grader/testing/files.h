// Files for tests: temporary folders, and golden files to compare output with.
#pragma once

#include <string>

namespace histolab::grader::testing {

// A folder that is deleted with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Makes folders as needed.
void put(const std::string& path, const std::string& text);
[[nodiscard]] std::string get(const std::string& path);

// Compares with grader/golden/NAME. With HISTOLAB_UPDATE_GOLDEN=1 in the environment, writes that
// file instead.
[[nodiscard]] bool matches_golden(const std::string& name, const std::string& text);

}  // namespace histolab::grader::testing
