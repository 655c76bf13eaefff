// What the grader's tests work on: a lab in a temporary folder, and files that hold what a test says.
#pragma once

#include <string>

#include "grader/lab/lab.h"

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

[[nodiscard]] bool fits_in_80_columns(const std::string& text);
// Makes folders as needed.
void put(const std::string& path, const std::string& text);
[[nodiscard]] std::string get(const std::string& path);
// `text` with every `from` replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& from, const std::string& to);

// A lab.json with three checks (matches_reference 5, no_findings 3, coalesced 2) and three cases (two of them quick).
[[nodiscard]] std::string sample_lab_json();
// A whole lab under `labs`/02-sample whose kernels are scripts of the FakeDevice: the course holds.
void put_sample_lab(const std::string& labs);
// The same, as load_lab gives it; ends the test run when it does not load.
[[nodiscard]] LabSpec sample_lab_in(const std::string& labs);
// Without the files.
[[nodiscard]] LabSpec sample_lab();

// Compares with grader/golden/NAME; with HISTOLAB_UPDATE_GOLDEN=1 in the environment writes it instead.
[[nodiscard]] bool matches_golden(const std::string& name, const std::string& text);

}  // namespace histolab::grader::testing
