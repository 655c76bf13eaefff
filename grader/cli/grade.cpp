// histolab grade
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "grader/batch/pack.h"
#include "grader/batch/tree.h"
#include "grader/checks/quiz_check.h"
#include "grader/checks/recorded.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/output_format.h"
#include "grader/cli/signals.h"
#include "grader/feedback/problems.h"
#include "grader/feedback/progress.h"
#include "grader/feedback/text.h"
#include "grader/files/read_file.h"
#include "grader/files/sha256.h"
#include "grader/files/write_file.h"
#include "grader/lab/attempt.h"
#include "grader/lab/catalogue.h"
#include "grader/lab/submission.h"
#include "grader/lab/uploaded.h"
#include "grader/pipeline/pipeline.h"
#include "grader/quiz/answers.h"
#include "grader/report/report_json.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using grader::GradeJob;
using grader::LabSpec;

struct GradeFlags {
  std::vector<std::string> words;
  std::string submission, replay, rubric;
  bool solutions = false, uploaded = false;
  std::string device = "auto";
  std::string json = "report.json";
  std::string format = "text";
  std::uint64_t seed = 1;
  bool quick = false;
  bool unsafe = false;
  unsigned jobs = default_jobs();
};

// Reports files that look like submissions but belong to no lab. Most likely the name is misspelt,
// and silence would cost the student a mark.
void report_unknown_files(const std::string& folder, const std::vector<LabSpec>& all) {
  std::error_code failure;
  std::vector<std::string> names;
  for (const LabSpec& lab : all) names.push_back(lab.name + ".cu");
  for (fs::directory_iterator at{folder, failure}, end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with('~')) continue;  // backups by `reset` and editors
    if (!grader::meant_kernel(name) || std::find(names.begin(), names.end(), name) != names.end())
      continue;
    const std::string near = grader::nearest(name, names);
    note(grader::paragraph(fmt::format("histolab: {} belongs to no lab and is not graded{}",
                                       grader::harmless(at->path().string()),
                                       near.empty() ? "" : "; did you mean " + near + "?"),
                           0));
  }
}

// Reads the answers in the file. A link in a stranger's folder is refused.
Result<std::optional<quiz::Outcome>> quiz_below(const LabSpec& lab, const std::string& folder,
                                                const std::string& sheet, const Context& context) {
  const Status own = grader::has_no_link(folder, sheet);
  if (own) return grader::quiz_outcome(lab, sheet, context.paths.measurements);
  Result<std::optional<quiz::Outcome>> quiz =
      grader::quiz_outcome(lab, sheet, nullptr, context.paths.measurements);
  if (quiz && *quiz) (*quiz)->problem = own.error().message;
  return quiz;
}

// A student's upload from a learning platform: loose files, a pack, or both. The pack has priority.
// A file that cannot be a kernel is the student's mistake. Students do not see this machine's
// messages, so the results report it.
class Upload {
 public:
  static Result<Upload> read(const std::string& folder, const std::vector<LabSpec>& labs) {
    const std::vector<std::string> files = TRY(grader::files_below(folder));
    Upload upload{folder, grader::match_uploaded(files, grader::names_of(labs))};
    upload.tree_ = TRY(batch::read_tree(folder));
    batch::Member student;
    for (const auto& [path, file] : upload.tree_.files) {
      batch::Piece& piece = student.pieces.emplace_back();
      piece.path = piece.name = path;
      piece.file = &file;
    }
    for (const auto& [path, problem] : upload.tree_.problems)
      upload.remarks.push_back(fmt::format("{} {}", path, problem));
    if (std::optional<batch::Pack> pack = batch::pack_of(student)) {
      upload.remarks.insert(upload.remarks.end(), pack->notes.begin(), pack->notes.end());
      upload.pack_ = std::move(*pack);
    }
    return upload;
  }

  Result<GradeJob> job_of(const LabSpec& lab, const Context& context) {
    GradeJob job{&lab, std::nullopt};
    const std::string sheet = lab.name + ".quiz.json", kernel = lab.name + ".cu";
    const auto loose = loose_.sheets.find(lab.name);
    const std::optional<std::string> answers = packed(sheet);
    job.quiz = TRY(
        answers ? grader::quiz_outcome(lab, path_of(sheet), &*answers, context.paths.measurements)
                : quiz_below(lab, folder_,
                             loose == loose_.sheets.end() ? quiz::sheet_in(folder_, lab.name)
                                                          : folder_ + "/" + loose->second,
                             context));
    Result<grader::Submission> read = Error{};
    if (std::optional<std::string> text = packed(kernel)) {
      const Status fine = grader::check_text(path_of(kernel), "kernel", *text);
      read = fine ? Result<grader::Submission>{grader::Submission{path_of(kernel), *text,
                                                                  grader::sha256(*text)}}
                  : Result<grader::Submission>{fine.error()};
    } else if (const auto file = loose_.kernels.find(lab.name); file != loose_.kernels.end()) {
      read = grader::read_submission(folder_ + "/" + file->second);
    } else {
      return job;
    }
    if (read)
      job.submission = std::move(*read);
    else
      remarks.push_back(read.error().message);
    return job;
  }

  std::vector<std::string> remarks;

 private:
  Upload(std::string folder, grader::Uploaded loose)
      : remarks(std::move(loose.remarks)), folder_(std::move(folder)), loose_(std::move(loose)) {}

  [[nodiscard]] std::string path_of(const std::string& packed) const {
    return folder_ + "/" + pack_.folder + packed;
  }
  [[nodiscard]] std::optional<std::string> packed(const std::string& name) const {
    const auto file = pack_.files.find(name);
    if (file == pack_.files.end()) return std::nullopt;
    Result<std::string> text = file->second->bytes.text();
    return text ? std::optional{std::move(*text)} : std::nullopt;
  }

  std::string folder_;
  grader::Uploaded loose_;
  batch::Tree tree_;  // owns the pack's files
  batch::Pack pack_;  // has no files if nothing was packed
};

Result<std::vector<GradeJob>> collect_uploaded(const Context& context, const std::string& folder,
                                               const std::vector<LabSpec>& labs,
                                               std::vector<std::string>& remarks) {
  Upload upload = TRY(Upload::read(folder, labs));
  std::vector<GradeJob> jobs;
  for (const LabSpec& lab : labs) jobs.push_back(TRY(upload.job_of(lab, context)));
  remarks = std::move(upload.remarks);
  return jobs;
}

Result<std::vector<GradeJob>> collect(const Context& context, const GradeFlags& flags,
                                      const std::vector<LabSpec>& labs) {
  std::vector<GradeJob> jobs;
  std::error_code failure;
  const bool one_file = !flags.submission.empty() && !fs::is_directory(flags.submission, failure);
  if (one_file && flags.words.empty())
    return Error{fmt::format("{}: which lab is it for? histolab grade LAB --submission {}",
                             flags.submission, flags.submission)};
  if (one_file && labs.size() != 1)
    return Error{fmt::format("{}: one file is a submission for one lab, not for {}",
                             flags.submission, labs.size())};
  const std::string folder = flags.submission.empty() ? work_folder : flags.submission;
  const bool is_own = flags.submission.empty();
  const bool no_work = is_own && !fs::exists(work_folder, failure);
  for (const LabSpec& lab : labs) {
    GradeJob job{&lab, std::nullopt};
    const std::string sheet = flags.solutions ? ""
                              : one_file
                                  ? quiz::sheet_next_to(grader::kernel_path(flags.submission))
                                  : quiz::sheet_in(folder, lab.name);
    job.quiz = TRY(is_own || one_file ? grader::quiz_outcome(lab, sheet, context.paths.measurements)
                                      : quiz_below(lab, folder, sheet, context));
    if (flags.solutions || one_file) {
      job.submission = TRY(flags.solutions ? grader::read_solution(lab)
                                           : grader::read_submission(flags.submission));
    } else if (!no_work) {
      job.submission = TRY(grader::find_submission(
          folder, lab.name, is_own ? grader::Links::followed : grader::Links::refused));
    }
    jobs.push_back(std::move(job));
  }
  if (!flags.solutions && !one_file && !no_work)
    if (const auto all = chosen_labs(context, {})) report_unknown_files(folder, *all);
  return jobs;
}

// No mark depends on the progress: a failure to store it is only reported.
void keep_progress(const grader::Report& report) {
  const Result<std::string> kept = grader::record_progress(work_folder, report.labs);
  if (!kept)
    note(fmt::format("histolab: the progress was not saved: {}\n", kept.error().message));
  else if (!kept->empty())
    note(fmt::format("histolab: {} was not a progress file; it is now {}\n",
                     grader::progress_path(work_folder), *kept));
}

// The options that the next call must repeat to grade the same.
std::string options_again(const GradeFlags& flags) {
  const GradeFlags usual;
  std::string options;
  if (flags.seed != usual.seed) options += fmt::format(" --seed {}", flags.seed);
  if (flags.device != usual.device) options += " --device " + quoted(flags.device);
  if (!flags.rubric.empty()) options += " --rubric " + quoted(flags.rubric);
  if (flags.json != usual.json) options += " --json " + quoted(flags.json);
  if (flags.quick) options += " --quick";
  return options;
}

int grade(const Context& context, const GradeFlags& flags) {
  if (!flags.replay.empty()) return replay(context, flags.replay, flags.words, flags.rubric);
  const Result<const Format*> found = find_format(flags.format, FormatUse::grade);
  if (!found) return complain(found.error());
  const Format& format = **found;
  if (Status possible = format.possible(); !possible) return complain(possible.error());
  if (flags.solutions && !flags.submission.empty())
    return complain({"--solutions and --submission exclude each other"});
  if (std::error_code failure; flags.uploaded && !fs::is_directory(flags.submission, failure))
    return complain({"--uploaded needs --submission DIR"});
  if (flags.uploaded)  // by a stranger
    if (Status safe = may_run_strangers(context, flags.unsafe); !safe)
      return complain(safe.error());
  const Result<std::vector<LabSpec>> labs = class_labs(context, flags.words, flags.rubric);
  if (!labs) return complain(labs.error());
  std::vector<std::string> remarks;
  const Result<std::vector<GradeJob>> jobs =
      flags.uploaded ? collect_uploaded(context, flags.submission, *labs, remarks)
                     : collect(context, flags, *labs);
  if (!jobs) return complain(jobs.error());
  const Result<std::unique_ptr<kernels::Device>> device = make_emulator(context);
  if (!device) return complain(device.error());
  const bool student_edition = std::ranges::any_of(*labs, grader::has_recorded_only);
  if (student_edition && gpu_number(flags.device))
    return complain(
        {"the student edition models times, because it has no solutions to measure against; "
         "`histolab run LAB --device gpu` measures your kernel"});
  Result<Clock> clock = make_clock(context, student_edition ? "emulator" : flags.device);
  if (!clock) return complain(clock.error());
  if (Status writable = grader::check_writable(flags.json); !writable)
    return complain({writable.error().message + "; --json FILE puts the report elsewhere"});

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
      note(fmt::format("\r\033[K{}", step == of ? std::string{}
                                                : fmt::format("grading: case {} of {}", step, of)));
    };
  const grader::Report report = grader::grade(**device, *jobs, options);

  const std::string json = grader::to_json(report);
  const bool own_work = !flags.solutions && flags.submission.empty();
  const bool json_on_stdout = flags.json == "-";
  int code = report.machine_failed() ? cannot : report.all_passed() ? done : not_passed;
  for (const std::string& remark : remarks)
    note(fmt::format("histolab: {}\n", grader::harmless(remark)));
  if (format.text != nullptr && !json_on_stdout) {
    formats::Graded graded = formats::graded_of(report);
    graded.problem = fmt::format("{}", fmt::join(remarks, "\n"));
    const Result<std::string> text = format.text(graded);
    if (!text)
      code = complain(text.error());
    else if (const int printed = print(*text); printed != done)
      code = printed;
  } else if (!json_on_stdout) {
    const std::string text = format.scope == Scope::report ? json
                             : format.scope == Scope::editor
                                 ? grader::to_problems(report)
                                 : grader::to_text(report, {.color = color_wanted(),
                                                            .next_steps = own_work,
                                                            .program = program_words(context),
                                                            .options = options_again(flags),
                                                            .report_path = flags.json});
    if (const int printed = print(text); printed != done) code = printed;
  }
  wait_if_interrupted();
  if (Status written = grader::write_file(flags.json, json); !written)
    return complain(written.error());
  if (own_work && !flags.quick) keep_progress(report);
  if (format.scope == Scope::editor) note(grader::to_summary(report));
  const bool text_printed = !json_on_stdout && format.scope == Scope::screen;
  for (const grader::LabResult& lab : report.labs)
    if (!text_printed && !grader::has_mark(lab.status))
      note(fmt::format("histolab: {}: {}\n", lab.lab, lab.message));
  return code;
}

}  // namespace

void add_grade(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "grade", "grades the kernels in work/, prints the verdicts and writes report.json",
      "histolab grade 02\n"
      "histolab grade --solutions\n"
      "histolab grade 04 --submission ada.cu --json ada.json\n"
      "histolab grade --submission handed-in/ada --json -\n"
      "histolab grade --submission upload --uploaded --format gradescope\n"
      "histolab grade --replay results ada 04");
  const auto flags = std::make_shared<GradeFlags>();
  command->add_option("LAB", flags->words, "name, number or first letters (all)")->type_name("");
  command
      ->add_option("--submission", flags->submission,
                   "a kernel for one LAB, or a folder with <LAB>.cu or <LAB>/stub.cu")
      ->type_name("FILE|DIR");
  CLI::Option* uploaded = command->add_flag(
      "--uploaded", flags->uploaded,
      "the folder is a student's upload: also grades files whose names are almost <LAB>.cu");
  command->add_flag("--unsafe", flags->unsafe, "grade even if the machine has no sandbox")
      ->needs(uploaded);
  command->add_flag("--solutions", flags->solutions, "grade the labs' own solutions");
  command
      ->add_option("--replay", flags->replay,
                   "grades results of a batch (STUDENT [LAB]) or a report ([LAB]) again; checks "
                   "that the verdict is the same, byte for byte")
      ->type_name("OUT|FILE");
  command
      ->add_option("--assignment,--rubric", flags->rubric,
                   "the labs that count, points, cases and limits, as in `batch`; without "
                   "penalties for lateness")
      ->type_name("FILE");
  add_device_option(*command, flags->device);
  command
      ->add_option("--json", flags->json,
                   "the report's file (report.json); - prints the report and nothing else")
      ->type_name("FILE|-");
  command
      ->add_option(
          "--format", flags->format,
          fmt::format("output format: {}; gcc is FILE:LINE:COLUMN: error: MESSAGE, for editors",
                      grader::either(format_names(FormatUse::grade))))
      ->type_name("NAME");
  add_seed_option(*command, flags->seed);
  command->add_flag("--quick", flags->quick, "only the quick cases");
  add_jobs_option(*command, flags->jobs);
  command->callback([&context, flags, command] {
    // CLI11's excludes() would add a note to the help of each option.
    for (const char* other : {"--submission", "--uploaded", "--solutions", "--device", "--json",
                              "--format", "--seed", "--quick"})
      if (command->count("--replay") > 0 && command->count(other) > 0)
        throw CLI::ExcludesError("--replay", other);
    // CLI11 takes an empty value for a missing option, as in --submission "$UNSET".
    for (const char* path : {"--submission", "--replay", "--rubric"})
      if (command->count(path) > 0 && command->get_option(path)->as<std::string>().empty())
        throw CLI::ValidationError(path, "its value is empty; give the path of a file or a folder");
    if (flags->device != "emulator") context.needs = "gpu";
    context.run = [&context, flags] { return grade(context, *flags); };
  });
}

}  // namespace histolab::cli
