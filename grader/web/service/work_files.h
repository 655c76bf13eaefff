// WorkFiles: the kernels of one student in work/, which editors and `histolab watch` change too.
// A save never replaces a text that the student has not seen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::web {

struct KernelText {
  std::string path, text, sha256;
};

// Longer texts are for other editors. The line of JSON with such a text, six times as long at most,
// fits into a part of a reply (most_waiting_bytes).
inline constexpr std::size_t most_text_bytes = 160 * 1024;

class WorkFiles {
 public:
  explicit WorkFiles(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::string& folder() const { return folder_; }
  // Returns the file's text, or nullopt if there is no file. Returns an Error if the file cannot be
  // used: for example, it is not UTF-8, and a browser would change its bytes, or too large.
  [[nodiscard]] Result<std::optional<KernelText>> find(const grader::LabSpec& lab) const;
  // The same. A missing file is made from the stub.
  [[nodiscard]] Result<KernelText> text(const grader::LabSpec& lab) const;

  struct Saved {
    bool is_written = false;
    KernelText there;     // the written text, or the one that was not replaced
    std::string refused;  // why a text cannot be a kernel's: it is empty, too long, or has a NUL
  };
  // Replaces the file's text if its hash is still `base`, or if `force` says that the student has
  // seen that text. A missing file is written. Returns an Error if the file cannot be written; it
  // is then unchanged.
  [[nodiscard]] Result<Saved> save(const grader::LabSpec& lab, std::string_view text,
                                   const std::string& base, bool force) const;

 private:
  std::string folder_;
};

}  // namespace histolab::web
