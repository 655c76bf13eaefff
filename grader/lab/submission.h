// Submission: the file that a student hands in for one lab, as it was when it was read.
#pragma once

#include <optional>
#include <string>

#include "reference/result.h"

namespace histolab::grader {

struct Submission {
  // As the user named it, for messages and reports; kernel.cu for the patch of an attempt
  // (attempt.h).
  std::string path;
  std::string text;    // not empty, without NUL, at most 1 MiB
  std::string sha256;  // of `text`
};

// Returns an Error if the file is missing, empty, binary, unreadable, too large or not a regular
// file, or if it is an attempt whose patch does not apply (attempt.h).
[[nodiscard]] Result<Submission> read_submission(const std::string& path);

// A user's own folder may contain symbolic links. In a submitted folder, a link could lead to any
// file.
enum class Links { followed, refused };

// Returns the folder's file for one lab ("02-atomic-add"): `<LAB>.cu`, else `<LAB>/stub.cu`, else
// nullopt. Returns an Error if the folder cannot be read or holds both, if the file is invalid
// (read_submission), or if it is a refused link.
[[nodiscard]] Result<std::optional<Submission>> find_submission(const std::string& folder,
                                                                const std::string& lab,
                                                                Links links);

// Returns an Error if there is a symbolic link in the path below the folder. The path begins with
// the folder, which may itself be a link.
[[nodiscard]] Status has_no_link(const std::string& folder, const std::string& path);

}  // namespace histolab::grader
