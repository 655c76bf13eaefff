// histolab grade --replay
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/batch/replay.h"
#include "grader/batch/scores.h"
#include "grader/checks/quiz_check.h"
#include "grader/cli/class_machine.h"
#include "grader/cli/command.h"
#include "grader/cli/signals.h"
#include "grader/lab/submission.h"
#include "grader/report/report_reader.h"
#include "kernels/worker/processes/process.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using grader::LabSpec;

int report_replayed(const std::vector<batch::Replayed>& replayed) {
  std::string text;
  for (const batch::Replayed& each : replayed) text += batch::to_text(each);
  wait_if_interrupted();
  if (const int printed = print(text); printed != done) return printed;
  return std::all_of(replayed.begin(), replayed.end(), [](const auto& each) { return each.same; })
             ? done
             : not_passed;
}

Result<std::vector<batch::Replayed>> from_journal(const Context& context, const std::string& out,
                                                  const std::vector<std::string>& words) {
  if (words.empty())
    return Error{fmt::format("whose? histolab grade --replay {} STUDENT [LAB]", out)};
  batch::Journal journal = TRY(batch::Journal::read(out));
  const batch::Meta meta = TRY(journal.meta());
  const batch::Rubric rubric = TRY(batch::rubric_in(meta));
  const Result<std::vector<batch::Task>> works = batch::works_of_student(journal, words.front());
  if (!works) return Error{fmt::format("{}: {}", out, works.error().message)};
  std::vector<std::string> names;
  for (const batch::Task& work : *works) names.push_back(work.lab);
  const std::vector<LabSpec> all = TRY(class_labs(context, names, rubric, batch::kept_rubric));
  std::vector<const LabSpec*> wanted;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const LabSpec* lab = TRY(chosen_lab(all, words[i]));
    wanted.push_back(lab);
  }
  const ClassMachine machine = TRY(make_class_machine(context, meta.device, meta.seed, 1));
  const batch::Gradings gradings =
      TRY(batch::Gradings::make(all, meta, machine.figures, rubric.of_labs()));
  const batch::Engine engine{.device = *machine.device,
                             .labs = all,
                             .grading = machine.grading,
                             .measurements = context.paths.measurements,
                             .stopped = [] { return kernels::worker::cancelled(); }};
  grader::SolutionStages stages{*machine.device, machine.grading};
  const std::vector<batch::HandMark> marks = TRY(journal.hand_marks());
  std::vector<batch::Replayed> replayed;
  for (const batch::Task& work : *works) {
    if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(),
                                        [&](const LabSpec* lab) { return lab->name == work.lab; }))
      continue;
    const std::optional<batch::Outcome> kept = TRY(journal.finished(work));
    if (!kept && wanted.empty()) {  // other labs can still be reported
      note(fmt::format("histolab: {} is not graded yet; `histolab batch ... --resume` grades it\n",
                       work.lab));
      continue;
    }
    Result<batch::Replayed> one = batch::replay(journal, engine, stages, gradings, meta, work);
    if (!one) return Error{fmt::format("{}: {}", work.lab, one.error().message)};
    for (const batch::HandMark& mark : marks)
      if (mark.student == work.student && mark.lab == work.lab)
        one->by_hand = mark.points ? batch::to_text(mark) : "";
    replayed.push_back(std::move(*one));
  }
  if (replayed.empty())
    return Error{fmt::format("{}: no result of {} is graded yet", out, words.front())};
  return replayed;
}

// The submissions that the report names, if they are unchanged.
Result<std::vector<batch::Replayed>> from_report(const Context& context, const std::string& path,
                                                 const std::vector<std::string>& words,
                                                 const std::string& rubric) {
  const grader::Report report = TRY(grader::read_report(path));
  if (report.version != HISTOLAB_VERSION)
    return Error{fmt::format(
        "{}: made by histolab {}, but this is {}: only that version can repeat the verdict", path,
        report.version, HISTOLAB_VERSION)};
  if (Status same = batch::same_data(report.data_version); !same)
    return Error{fmt::format("{}: {}", path, same.error().message)};
  if (!report.gpu_name.empty())
    return Error{fmt::format(
        "{}: its times were measured on {}; a measurement is never the same to the byte", path,
        report.gpu_name)};
  const std::vector<LabSpec> labs = TRY(class_labs(context, words, rubric));
  const ClassMachine machine = TRY(make_class_machine(context, "emulator", report.seed, 1));
  grader::GradeOptions options = machine.grading;
  options.quick = report.quick;
  if (report.gpu_compiler) options.gpu_compiler = gpu_compiler(context, "auto", nullptr);
  std::vector<batch::Replayed> replayed;
  for (const grader::LabResult& then : report.labs) {
    const auto lab = std::find_if(labs.begin(), labs.end(),
                                  [&](const LabSpec& each) { return each.name == then.lab; });
    if (lab == labs.end() || !then.submission) continue;
    if (report.gpu_compiler && !report.quick && !options.gpu_compiler &&
        lab->has_check(grader::CheckKind::registers_only))
      return Error{
          fmt::format("{}: a GPU compiler reported the registers of {}, and there is none here: "
                      "grade again on a machine with a CUDA toolkit",
                      path, then.lab)};
    grader::Submission submission = TRY(grader::read_submission(then.submission->path));
    if (submission.sha256 != then.submission->sha256)
      return Error{fmt::format("{}: has changed since it was graded; its sha256 was {}",
                               submission.path, then.submission->sha256)};
    const bool has_answers = then.quiz && !then.quiz->path.empty();
    if (lab->has_check(grader::CheckKind::quiz) && !has_answers &&
        submission.path != lab->solution_path())  // a solution's answers count as correct
      return Error{fmt::format(
          "{}: names no file with answers to the quiz of {}, so they cannot be judged again", path,
          then.lab)};
    std::optional<quiz::Outcome> quiz = TRY(
        grader::quiz_outcome(*lab, then.quiz ? then.quiz->path : "", context.paths.measurements));
    const std::vector<grader::GradeJob> job = {{&*lab, std::move(submission), std::move(quiz)}};
    const grader::LabResult now = grader::grade_labs(*machine.device, job, options).front();
    if (!has_mark(now.status))
      return Error{fmt::format("{}: this machine cannot grade it: {}", then.lab, now.message)};
    batch::Replayed one{then.lab, std::string{name(then.status)}, static_cast<double>(then.score),
                        false,
                        batch::differences_of(batch::report_of(then, report.device_kind),
                                              batch::report_of(now, report.device_kind))};
    one.same = one.differences.empty();
    replayed.push_back(std::move(one));
  }
  if (replayed.empty())
    return Error{fmt::format("{}: no submission of {} is in it", path,
                             words.empty() ? "any lab" : words.front())};
  return replayed;
}

}  // namespace

int replay(const Context& context, const std::string& where, const std::vector<std::string>& words,
           const std::string& rubric_file) {
  std::error_code failure;
  const bool of_report = fs::is_regular_file(where, failure);
  if (!of_report && !rubric_file.empty())
    return complain({fmt::format(
        "{}: a batch keeps the rubric that it was graded by; leave out --rubric", where)});
  const Result<std::vector<batch::Replayed>> replayed =
      of_report ? from_report(context, where, words, rubric_file)
                : from_journal(context, where, words);
  return replayed ? report_replayed(*replayed) : complain(replayed.error());
}

}  // namespace histolab::cli
