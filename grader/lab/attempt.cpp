#include "grader/lab/attempt.h"

#include <fmt/format.h>

#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/lab/patch.h"
#include "kernels/code_tokens.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

constexpr const char* whole_name = "kernel.cu";
constexpr const char* patch_name = "solution.patch";

// The lab's folder, if the path is attempts/NAME/FILE in one; else empty.
fs::path lab_of_attempt(const std::string& path) {
  std::error_code failure;
  const fs::path folder = fs::absolute(path, failure).lexically_normal().parent_path();
  const bool is_attempt = !failure && folder.parent_path().filename() == "attempts";
  return is_attempt ? folder.parent_path().parent_path() : fs::path{};
}

bool has_name(const std::string& path, const char* name) {
  return fs::path(path).filename() == name && !lab_of_attempt(path).empty();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

std::string kernel_path(const std::string& path) {
  if (!has_name(path, patch_name)) return path;
  return fs::path(path).replace_filename(whole_name).string();
}

std::string stored_path(const std::string& kernel_path) {
  if (!has_name(kernel_path, whole_name)) return kernel_path;
  std::string patch = fs::path(kernel_path).replace_filename(patch_name).string();
  return exists(patch) ? patch : kernel_path;
}

Result<std::string> patched_code(const std::string& lab_directory) {
  return kernels::without_comments(
      TRY(read_text_file((fs::path(lab_directory) / "solution.cu").string(), "solution")));
}

Result<std::string> read_kernel(const std::string& path) {
  const std::string whole = kernel_path(path), stored = stored_path(whole);
  if (stored == whole) return read_text_file(whole, "kernel");
  if (exists(whole))
    return Error{fmt::format("{} and {} are both there; which one is the attempt? Remove the other",
                             whole, stored)};
  const std::string patch = TRY(read_text_file(stored, "patch"));
  const std::string code = TRY(patched_code(lab_of_attempt(whole).string()));
  std::string text = TRY(apply_patch(code, patch, stored, "the solution without its comments"));
  TRY(check_text(stored, "kernel", text));
  return text;
}

}  // namespace histolab::grader
