#include "grader/web/service/work_files.h"

#include <fmt/format.h>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/lab/submission.h"
#include "grader/lab/work_folder.h"
#include "reference/utf8.h"

namespace histolab::web {

namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character first = first_character(text);
    if (first.bytes == 0) return false;
    text.remove_prefix(first.bytes);
  }
  return true;
}

}  // namespace

Result<KernelText> WorkFiles::text(const grader::LabSpec& lab) const {
  const auto find = [&] {
    return grader::find_submission(folder_, lab.name, grader::Links::followed);
  };
  std::optional<grader::Submission> found;
  if (grader::is_there(folder_)) found = TRY(find());
  if (!found) {
    TRY(grader::start_lab(lab, folder_));
    found = TRY(find());
  }
  if (!found)
    return Error{fmt::format("{} was removed just now; load the page again",
                             grader::work_path(lab, folder_))};
  if (!is_utf8(found->text))
    return Error{fmt::format("{} is not UTF-8 text: save it as UTF-8 in your editor", found->path)};
  const Result<std::string> stub = grader::read_text_file(lab.stub_path(), "stub");
  return KernelText{found->path, found->text, found->sha256, stub && *stub == found->text};
}

Result<WorkFiles::Saved> WorkFiles::save(const grader::LabSpec& lab, std::string_view text,
                                         const std::string& base, bool force) const {
  const KernelText there = TRY(this->text(lab));
  TRY(grader::check_text(there.path, "kernel", text));
  if (there.text == text) return Saved{true, there};
  if (!force && there.sha256 != base) return Saved{false, there};
  TRY(grader::write_file(there.path, text));
  return Saved{true, TRY(this->text(lab))};
}

}  // namespace histolab::web
