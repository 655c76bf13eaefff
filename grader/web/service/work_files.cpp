#include "grader/web/service/work_files.h"

#include <fmt/format.h>

#include "grader/files/backup.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"
#include "grader/files/write_file.h"
#include "grader/lab/submission.h"
#include "grader/lab/work_folder.h"
#include "grader/web/http/request_rules.h"

namespace histolab::web {

Result<std::optional<KernelText>> WorkFiles::find(const grader::LabSpec& lab) const {
  if (!grader::is_there(folder_)) return std::optional<KernelText>{};
  const std::optional<grader::Submission> found =
      TRY(grader::find_submission(folder_, lab.name, grader::Links::followed));
  if (!found) return std::optional<KernelText>{};
  if (!is_utf8_without_nul(found->text))
    return Error{fmt::format("{} is not UTF-8 text: save it as UTF-8 in your editor", found->path)};
  if (found->text.size() > most_text_bytes)
    return Error{fmt::format("{} is larger than {} KiB: use another editor for it", found->path,
                             most_text_bytes / 1024)};
  return std::optional{KernelText{found->path, found->text, found->sha256}};
}

Result<KernelText> WorkFiles::text(const grader::LabSpec& lab) const {
  std::optional<KernelText> found = TRY(find(lab));
  if (!found) {
    TRY(grader::start_lab(lab, folder_));
    found = TRY(find(lab));
  }
  if (!found)
    return Error{fmt::format("{} was removed just now; load the page again",
                             grader::work_path(lab, folder_))};
  return std::move(*found);
}

Result<WorkFiles::Saved> WorkFiles::save(const grader::LabSpec& lab, std::string_view text,
                                         const std::string& base, bool force) const {
  const std::optional<KernelText> there = TRY(find(lab));
  const std::string path = there ? there->path : grader::work_path(lab, folder_);
  if (const Status fits = grader::check_text(path, "kernel", text, most_text_bytes); !fits)
    return Saved{false, {}, fits.error().message};
  if (there && there->text == text) return Saved{true, *there, {}};
  if (there && !force && there->sha256 != base) return Saved{false, *there, {}};
  // An editor may save at the same time.
  std::optional<KernelText> newer;
  const bool is_written = TRY(grader::write_file_if(path, text, [&] {
    const Result<std::optional<KernelText>> now = find(lab);
    if (!now || !*now || (there && (*now)->sha256 == there->sha256)) return true;
    newer = **now;
    return false;
  }));
  if (!is_written) return Saved{false, *newer, {}};
  return Saved{true, {path, std::string(text), grader::sha256(text)}, {}};
}

}  // namespace histolab::web
