#include "grader/lab/work_folder.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

Status make_folder(const std::string& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    return Error{fmt::format("{}: the folder cannot be made: {}", folder, failure.message())};
  return Done{};
}

}  // namespace

std::string work_path(const LabSpec& lab, const std::string& folder) {
  return (fs::path(folder) / (lab.name + ".cu")).string();
}

Result<bool> start_lab(const LabSpec& lab, const std::string& folder) {
  TRY(make_folder(folder));
  const std::string path = work_path(lab, folder);
  if (is_there(path)) return false;
  return write_new_file(path, TRY(read_text_file(lab.stub_path(), "stub")));
}

Result<std::string> reset_lab(const LabSpec& lab, const std::string& folder) {
  const std::string path = work_path(lab, folder);
  std::string stub = TRY(read_text_file(lab.stub_path(), "stub"));
  TRY(make_folder(folder));
  std::string kept = TRY(back_up(path));
  if (Status written = write_file(path, stub); !written) {
    if (kept.empty() || std::rename(kept.c_str(), path.c_str()) == 0) return written.error();
    return Error{fmt::format("{}; your file is {}", written.error().message, kept)};
  }
  return kept;
}

}  // namespace histolab::grader
