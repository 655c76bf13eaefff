// Files for tests: a folder that goes away, and the golden files beside which output is laid.
#pragma once

#include <string>

namespace histolab::grader::testing {

// A folder that goes away with the object.
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

// Compares with grader/golden/NAME; with HISTOLAB_UPDATE_GOLDEN=1 in the environment writes it
// instead.
[[nodiscard]] bool matches_golden(const std::string& name, const std::string& text);

}  // namespace histolab::grader::testing
