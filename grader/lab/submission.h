// Submission: the file that a student hands in for one lab, as it was when it was read.
#pragma once

#include <optional>
#include <string>

#include "reference/result.h"

namespace histolab::grader {

struct Submission {
  std::string path;    // as it was named, an attempt's kernel.cu for its patch (attempt.h)
  std::string text;    // not empty, no NUL, at most 1 MiB
  std::string sha256;  // of text
};

// Error: the file is missing, empty, binary, unreadable, too large or no regular file, or the
// attempt of a lab cannot be made whole (attempt.h).
[[nodiscard]] Result<Submission> read_submission(const std::string& path);

// A person's own folder may have symbolic links. In a stranger's, one could lead to any file here.
enum class Links { followed, refused };

// What a folder holds for one lab ("02-atomic-add"): `<LAB>.cu`, else `<LAB>/stub.cu`; nullopt when
// it holds neither. Error: the folder cannot be read, holds both, the file is none
// (read_submission), or a link that is refused.
[[nodiscard]] Result<std::optional<Submission>> find_submission(const std::string& folder,
                                                                const std::string& lab,
                                                                Links links);

// Returns an Error if the path, which begins with the folder, has a symbolic link below the folder.
// The folder itself may be one.
[[nodiscard]] Status has_no_link(const std::string& folder, const std::string& path);

}  // namespace histolab::grader
