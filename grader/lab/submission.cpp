#include "grader/lab/submission.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "grader/files/sha256.h"
#include "grader/lab/attempt.h"

namespace histolab::grader {

namespace fs = std::filesystem;

Result<Submission> read_submission(const std::string& path) {
  std::string text = TRY(read_kernel(path));
  std::string digest = sha256(text);
  return Submission{kernel_path(path), std::move(text), std::move(digest)};
}

Status has_no_link(const std::string& folder, const std::string& path) {
  fs::path at = folder;
  for (const fs::path& name : fs::path(path).lexically_relative(folder)) {
    at /= name;
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(at, ignored)))
      return Error{fmt::format(
          "{}: symbolic links in a submitted folder are not followed; submit the file itself",
          at.string())};
  }
  return Done{};
}

Result<std::optional<Submission>> find_submission(const std::string& folder, const std::string& lab,
                                                  Links links) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure))
    return Error{fmt::format("{}: there is no such folder", folder)};
  const auto exists = [](const fs::path& path) {
    std::error_code ignored;
    // A dangling link counts as a file: reading it gives the message.
    return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
  };
  const std::string flat = (fs::path(folder) / (lab + ".cu")).string();
  const std::string nested = (fs::path(folder) / lab / "stub.cu").string();
  // A submission must not reveal whether the target of a link exists.
  if (links == Links::refused && exists(fs::path(folder) / lab))
    TRY(has_no_link(folder, (fs::path(folder) / lab).string()));
  if (exists(flat) && exists(nested))
    return Error{fmt::format("both {} and {} exist; remove one of them", flat, nested)};
  if (!exists(flat) && !exists(nested)) return std::optional<Submission>{};
  const std::string& path = exists(flat) ? flat : nested;
  if (links == Links::refused) TRY(has_no_link(folder, path));
  return std::optional<Submission>{TRY(read_submission(path))};
}

}  // namespace histolab::grader
