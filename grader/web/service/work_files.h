// WorkFiles: the kernels of one student in work/, which editors and `histolab watch` change too.
// A save never replaces a text that the student has not seen.
#pragma once

#include <string>
#include <string_view>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::web {

struct KernelText {
  std::string path, text, sha256;
  bool is_stub = false;  // the unchanged stub
};

class WorkFiles {
 public:
  explicit WorkFiles(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::string& folder() const { return folder_; }
  // The file's text. A missing file is made from the stub. Returns an Error if the file cannot be
  // used, or is not UTF-8: a browser would change its bytes.
  [[nodiscard]] Result<KernelText> text(const grader::LabSpec& lab) const;

  struct Saved {
    bool is_written = false;
    KernelText there;  // the file's text after the call
  };
  // Replaces the file's text if its hash is still `base`, or if `force` says that the student has
  // seen that text. Returns an Error if the file cannot be written; it is then unchanged.
  [[nodiscard]] Result<Saved> save(const grader::LabSpec& lab, std::string_view text,
                                   const std::string& base, bool force) const;

 private:
  std::string folder_;
};

}  // namespace histolab::web
