// histolab grade
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/signals.h"
#include "grader/pipeline.h"
#include "grader/problems.h"
#include "grader/progress.h"
#include "grader/quiz/answers.h"
#include "grader/quiz_check.h"
#include "grader/report_json.h"
#include "grader/submission.h"
#include "grader/text.h"
#include "grader/words.h"
#include "grader/write_file.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using grader::GradeJob;
using grader::LabSpec;

struct GradeFlags {
  std::vector<std::string> words;
  std::string submission, replay;
  bool solutions = false;
  std::string device = "auto";
  std::string json = "report.json";
  std::string format = "text";
  std::uint64_t seed = 1;
  bool quick = false;
  unsigned jobs = default_jobs();
};

Status check_format(const std::string& format) {
  const std::vector<std::string> here = {"text", "json", "gcc"};
  const std::vector<std::string> later = {"gradescope", "prairielearn", "exercism", "classroom50", "junit"};
  if (std::find(here.begin(), here.end(), format) != here.end()) return Done{};
  if (std::find(later.begin(), later.end(), format) != later.end())
    return Error{fmt::format("the format {} is not in this version; text, json and gcc are", format)};
  return Error{fmt::format("there is no format \"{}\"; text, json and gcc are known", format)};
}

// Files that look like submissions but belong to no lab: most likely a misspelt name, and silence would cost a mark.
void note_strangers(const std::string& folder, const std::vector<LabSpec>& all) {
  std::error_code failure;
  std::vector<std::string> names;
  for (const LabSpec& lab : all) names.push_back(lab.name + ".cu");
  for (fs::directory_iterator at{folder, failure}, end; !failure && at != end; at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (at->path().extension() != ".cu" || std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string near = grader::nearest(name, names);
    note(fmt::format("histolab: {} belongs to no lab and is not graded{}\n", at->path().string(),
                     near.empty() ? "" : "; did you mean " + near + "?"));
  }
}

Result<std::vector<GradeJob>> collect(const Context& context, const GradeFlags& flags,
                                      const std::vector<LabSpec>& labs) {
  std::vector<GradeJob> jobs;
  std::error_code failure;
  const bool one_file = !flags.submission.empty() && !fs::is_directory(flags.submission, failure);
  if (one_file && flags.words.empty())
    return Error{
        fmt::format("{}: which lab is it for? histolab grade LAB --submission {}", flags.submission, flags.submission)};
  if (one_file && labs.size() != 1)
    return Error{fmt::format("{}: one file is a submission for one lab, not for {}", flags.submission, labs.size())};
  const std::string folder = flags.submission.empty() ? work_folder : flags.submission;
  const bool no_work = flags.submission.empty() && !fs::exists(work_folder, failure);
  for (const LabSpec& lab : labs) {
    GradeJob job{&lab, std::nullopt};
    Result<std::optional<quiz::Outcome>> quiz =
        grader::quiz_outcome(lab, flags.solutions ? "" : one_file ? quiz::sheet_beside(flags.submission) : quiz::sheet_in(folder, lab.name), context.paths.measurements);
    if (!quiz) return quiz.error();
    job.quiz = std::move(*quiz);
    if (flags.solutions || one_file) {
      Result<grader::Submission> read =
          grader::read_submission(flags.solutions ? lab.solution_path() : flags.submission);
      if (!read) return read.error();
      job.submission = std::move(*read);
    } else if (!no_work) {
      Result<std::optional<grader::Submission>> found = grader::find_submission(folder, lab.name);
      if (!found) return found.error();
      job.submission = std::move(*found);
    }
    jobs.push_back(std::move(job));
  }
  if (!flags.solutions && !one_file && !no_work)
    if (const auto all = chosen_labs(context, {})) note_strangers(folder, *all);
  return jobs;
}

// No mark depends on it: where it cannot be kept, that is said and no more.
void keep_progress(const grader::Report& report) {
  const Result<std::string> kept = grader::record_progress(work_folder, report.labs);
  if (!kept) note(fmt::format("histolab: the progress was not kept: {}\n", kept.error().message));
  else if (!kept->empty()) note(fmt::format("histolab: {} was no file of progress; it is now {}\n", grader::progress_path(work_folder), *kept));
}

int grade(const Context& context, const GradeFlags& flags) {
  if (!flags.replay.empty()) return replay(context, flags.replay, flags.words);
  if (Status known = check_format(flags.format); !known) return complain(known.error());
  if (flags.solutions && !flags.submission.empty())
    return complain({"--solutions and --submission exclude each other"});
  const Result<std::vector<LabSpec>> labs = chosen_labs(context, flags.words);
  if (!labs) return complain(labs.error());
  const Result<std::vector<GradeJob>> jobs = collect(context, flags, *labs);
  if (!jobs) return complain(jobs.error());
  const Result<std::unique_ptr<kernels::Device>> device = make_emulator(context);
  if (!device) return complain(device.error());
  Result<Clock> clock = make_clock(context, flags.device);
  if (!clock) return complain(clock.error());
  if (Status writable = grader::check_writable(flags.json); !writable) return complain(writable.error());

  grader::GradeOptions options;
  options.seed = flags.seed;
  options.quick = flags.quick;
  options.jobs = flags.jobs;
  options.gpu = clock->gpu.get();
  options.gpu_compiler = gpu_compiler(context, flags.device, options.gpu);
  options.profile = std::move(clock->profile);
  const bool show_progress = isatty(STDERR_FILENO) != 0;
  if (show_progress)
    options.progress = [](std::size_t step, std::size_t of) {
      note(fmt::format("\r\033[K{}", step == of ? std::string{} : fmt::format("grading: case {} of {}", step, of)));
    };
  const grader::Report report = grader::grade(**device, *jobs, options);

  const std::string json = grader::to_json(report);
  const bool own_work = !flags.solutions && flags.submission.empty();
  const bool json_on_stdout = flags.json == "-";
  int code = report.machine_failed() ? cannot : report.all_passed() ? done : not_passed;
  if (!json_on_stdout) {
    const std::string text = flags.format == "json"  ? json
                             : flags.format == "gcc" ? grader::to_problems(report)
                                                     : grader::to_text(report, {.color = color_wanted(), .next_steps = own_work, .report_path = flags.json});
    if (const int printed = print(text); printed != done) code = printed;
  }
  wait_if_interrupted();
  if (Status written = grader::write_file(flags.json, json); !written) return complain(written.error());
  if (own_work && !flags.quick) keep_progress(report);
  if (flags.format == "gcc") note(grader::to_summary(report));
  const bool told = !json_on_stdout && flags.format == "text";
  for (const grader::LabResult& lab : report.labs)
    if (!told && !grader::has_mark(lab.status))
      note(fmt::format("histolab: {}: {}\n", lab.lab, lab.message));
  return code;
}

}  // namespace

void add_grade(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "grade", "grades what is in work/, prints the verdicts and writes report.json",
                                  "histolab grade 02\n"
                                  "histolab grade --solutions\n"
                                  "histolab grade 04 --submission ada.cu --json ada.json\n"
                                  "histolab grade --submission handed-in/ada --json -\n"
                                  "histolab grade --replay results ada 04");
  const auto flags = std::make_shared<GradeFlags>();
  command->add_option("LAB", flags->words, "name, number or a unique beginning; all without")->type_name("");
  command
      ->add_option("--submission", flags->submission,
                   "a kernel for one LAB, or a folder with <LAB>.cu or <LAB>/stub.cu")
      ->type_name("FILE|DIR");
  command->add_flag("--solutions", flags->solutions, "grade the labs' own solutions");
  command->add_option("--replay", flags->replay, "grades what is in a batch's folder (then STUDENT [LAB]) or a report ([LAB]) again: is the verdict the same, to the byte?")->type_name("OUT|FILE");
  add_device_option(*command, flags->device);
  command->add_option("--json", flags->json, "where the report goes (report.json); - is the standard output, alone")
      ->type_name("FILE|-");
  command->add_option("--format", flags->format, "what is printed: text, json, or gcc: FILE:LINE:COLUMN: error: MESSAGE, for editors")->type_name("NAME");
  add_seed_option(*command, flags->seed);
  command->add_flag("--quick", flags->quick, "only the quick cases");
  add_jobs_option(*command, flags->jobs);
  command->callback([&context, flags] { context.run = [&context, flags] { return grade(context, *flags); }; });
}

}  // namespace histolab::cli
