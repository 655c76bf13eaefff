// histolab pack
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "grader/batch/pack.h"
#include "grader/bundle/zip.h"
#include "grader/cli/command.h"
#include "grader/feedback/progress.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"
#include "grader/files/write_file.h"
#include "grader/lab/submission.h"
#include "grader/lab/work_folder.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using grader::LabSpec;

struct PackFlags {
  std::vector<std::string> words;
  std::string output = batch::pack_name;
};

// A lab's files in work/.
struct Packed {
  std::optional<grader::Submission> kernel;
  std::optional<std::string> answers;
  std::vector<std::string> problems;  // why an existing file cannot be packed
};

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Packed packed_of(const LabSpec& lab) {
  Packed packed;
  if (const std::string path = grader::work_path(lab, work_folder); is_there(path)) {
    Result<grader::Submission> kernel = grader::read_submission(path);
    if (kernel)
      packed.kernel = std::move(*kernel);
    else
      packed.problems.push_back(kernel.error().message);
  }
  if (const std::string path = quiz::sheet_in(work_folder, lab.name); is_there(path)) {
    Result<std::string> answers = grader::read_text_file(path, "file of answers");
    const Result<quiz::Sheet> sheet =
        answers ? quiz::sheet_of(path, *answers, lab.name) : Result<quiz::Sheet>{answers.error()};
    const bool is_empty =
        // A quiz that was drawn but not answered.
        sheet && sheet->answers.empty() && sheet->refused.empty();
    if (answers && !is_empty)
      packed.answers = std::move(*answers);  // even a broken file: a person can look at it
    if (!sheet) packed.problems.push_back(sheet.error().message);
  }
  return packed;
}

// The verdict of the last report on this exact file, or else the best earlier result.
std::string verdict_of(const LabSpec& lab, const grader::Submission& kernel,
                       const std::optional<grader::Report>& report,
                       const grader::Progress& progress) {
  if (const Result<std::string> stub = grader::read_text_file(lab.stub_path(), "stub");
      stub && *stub == kernel.text)
    return "it is still the stub";
  if (report) {
    const auto graded = std::ranges::find(report->labs, lab.name, &grader::LabResult::lab);
    if (graded != report->labs.end() && graded->submission &&
        graded->submission->sha256 == kernel.sha256 && has_mark(graded->status)) {
      const std::string verdict = graded->status == grader::Verdict::compile_error
                                      ? "does not compile"
                                      : grader::in_words(name(graded->status));
      const std::string points =
          fmt::format("{}, {} of {} points", verdict, graded->score, graded->max_score);
      return graded->status == grader::Verdict::passed
                 ? points
                 : fmt::format("{}; `histolab grade {}` says why", points, lab.name);
    }
  }
  const auto best = progress.find(lab.name);
  const std::string before = best == progress.end()
                                 ? ""
                                 : fmt::format(", which had {} of {} points before",
                                               best->second.score, best->second.max_score);
  return fmt::format("there is no report on this file{}; `histolab grade {}` makes one", before,
                     lab.name);
}

std::string described(const LabSpec& lab, const Packed& packed,
                      const std::optional<grader::Report>& report,
                      const grader::Progress& progress) {
  std::string text = lab.name + "\n";
  const auto say = [&](const std::string& sentence) { text += grader::paragraph(sentence, 2); };
  const std::string path = grader::work_path(lab, work_folder);
  if (packed.kernel)
    say(fmt::format("kernel: {}", verdict_of(lab, *packed.kernel, report, progress)));
  else if (!is_there(path))
    say(fmt::format("kernel: missing, there is no {}; `histolab start {}` makes it", path,
                    lab.name));
  if (packed.answers) {
    const Result<quiz::Sheet> sheet = quiz::sheet_of(path, *packed.answers, lab.name);
    if (sheet) say(fmt::format("quiz: {}", grader::counted(sheet->answers.size(), "answer")));
  } else if (lab.has_check(grader::CheckKind::quiz)) {
    say(fmt::format("quiz: missing, and it earns points; `histolab quiz {}` asks the questions",
                    lab.name));
  }
  for (const std::string& problem : packed.problems) say(problem);
  return text;
}

Result<std::string> zip_of_work(const std::vector<LabSpec>& labs,
                                const std::vector<Packed>& packed) {
  batch::PackList list{HISTOLAB_VERSION, {}};
  std::vector<bundle::File> files;
  const auto add = [&](const std::string& name, const std::string& bytes) {
    list.files.push_back({name, grader::sha256(bytes)});
    files.push_back({name, bytes, false});
  };
  for (std::size_t i = 0; i < labs.size(); ++i) {
    if (packed[i].kernel) add(labs[i].name + ".cu", packed[i].kernel->text);
    if (packed[i].answers) add(labs[i].name + ".quiz.json", *packed[i].answers);
  }
  files.push_back({batch::pack_list_name, batch::to_json(list), false});
  return bundle::zip_of(std::move(files));
}

int pack(const Context& context, const PackFlags& flags) {
  Result<std::vector<LabSpec>> labs = chosen_labs(context, flags.words);
  if (!labs) return complain(labs.error());
  std::vector<Packed> packed;
  for (const LabSpec& lab : *labs) packed.push_back(packed_of(lab));
  const auto is_empty = [](const Packed& each) { return !each.kernel && !each.answers; };
  if (std::ranges::all_of(packed, is_empty))
    return complain({fmt::format(
        "there is nothing to hand in for {} in {}/; `histolab start LAB` begins a lab; run pack "
        "next to that folder",
        flags.words.empty() ? "any lab" : fmt::format("{}", fmt::join(flags.words, ", ")),
        work_folder)});
  const Result<std::string> zip = zip_of_work(*labs, packed);
  if (!zip) return complain(zip.error());
  if (Status put = grader::write_file(flags.output, *zip); !put) return complain(put.error());

  const Result<grader::Report> read = grader::read_report("report.json");
  const std::optional<grader::Report> report = read ? std::optional{*read} : std::nullopt;
  const Result<grader::Progress> progress = grader::read_progress(work_folder);
  std::string text, none;
  for (std::size_t i = 0; i < labs->size(); ++i) {
    const LabSpec& lab = (*labs)[i];
    if (!flags.words.empty() || !is_empty(packed[i]) || !packed[i].problems.empty())
      text += described(lab, packed[i], report, progress ? *progress : grader::Progress{});
    else
      none += (none.empty() ? "" : ", ") + lab.name;
  }
  if (!none.empty()) text += grader::paragraph(fmt::format("not begun: {}", none), 0);
  const auto files = static_cast<std::size_t>(
      std::ranges::count_if(packed, [](const Packed& each) { return each.kernel.has_value(); }) +
      std::ranges::count_if(packed, [](const Packed& each) { return each.answers.has_value(); }));
  return print(text + fmt::format("\n{} has {} from {}/: upload it, and nothing else\n",
                                  flags.output, grader::counted(files, "file"), work_folder));
}

}  // namespace

void add_pack(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "pack", "makes the one file to hand in: kernels and quiz answers from work/",
                  "histolab pack\n"
                  "histolab pack 01 02\n"
                  "histolab pack --output ada.zip");
  const auto flags = std::make_shared<PackFlags>();
  command->add_option("LAB", flags->words, "the labs to hand in (all started labs)")->type_name("");
  command
      ->add_option("--output", flags->output,
                   fmt::format("the file to upload ({})", batch::pack_name))
      ->type_name("FILE");
  command->callback(
      [&context, flags] { context.run = [&context, flags] { return pack(context, *flags); }; });
}

}  // namespace histolab::cli
