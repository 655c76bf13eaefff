// histolab check
#include <fmt/format.h>

#include <algorithm>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/edition.h"
#include "grader/course/check_course.h"
#include "grader/lessons/lab_pages.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

struct CheckFlags {
  std::vector<std::string> words;
  std::string device = "auto";
  std::uint64_t seed = 1;
  unsigned jobs = default_jobs();
  bool write_lessons = false, coverage = false;
  std::string edition;
};

int write_pages(kernels::Device& device, const std::vector<grader::LabSpec>& labs,
                const grader::lessons::Sources& sources, unsigned jobs) {
  const Result<std::vector<grader::lessons::WrittenPage>> pages =
      grader::lessons::write_lessons(device, labs, sources, jobs);
  if (!pages) return complain(pages.error());
  std::string said;
  int code = done;
  for (const grader::lessons::WrittenPage& page : *pages) {
    for (const grader::CourseProblem& problem : page.problems)
      said += problem.file + "\n" + grader::paragraph(problem.message, 2);
    if (page.problems.empty())
      said += fmt::format("{}: {}\n", page.file, page.changed ? "written" : "as it was");
    else
      code = not_passed;
  }
  const int printed = print(said);
  return printed == done ? code : printed;
}

int check(const Context& context, const CheckFlags& flags) {
  if (!flags.edition.empty()) return check_edition(context, flags.edition);
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, flags.words);
  if (!labs) return complain(labs.error());
  if (Status whole = needs_whole_kit(*labs, "check"); !whole) return complain(whole.error());
  const Result<std::unique_ptr<kernels::Device>> device = make_emulator(context);
  if (!device) return complain(device.error());
  Result<std::vector<grader::LabSpec>> all = chosen_labs(context, {});
  if (!all) return complain(all.error());
  const grader::lessons::Sources sources{std::move(*all), context.paths.measurements,
                                         context.paths.profiles};
  if (flags.write_lessons) return write_pages(**device, *labs, sources, flags.jobs);
  Result<Clock> clock = make_clock(context, flags.device);
  if (!clock) return complain(clock.error());
  grader::GradeOptions options;
  options.gpu = clock->gpu.get();
  options.gpu_compiler = gpu_compiler(context, flags.device, options.gpu);
  options.profile = std::move(clock->profile);
  options.seed = flags.seed;
  options.jobs = flags.jobs;
  const Result<std::vector<grader::CourseLab>> course =
      grader::check_course(**device, *labs, options, sources);
  if (!course) return complain(course.error());
  if (const int printed = print(grader::to_text(*course) +
                                (flags.coverage ? "\n" + grader::coverage_text(*course) : ""));
      printed != done)
    return printed;
  const bool holds = std::all_of(course->begin(), course->end(),
                                 [](const grader::CourseLab& lab) { return lab.problems.empty(); });
  return holds ? done : not_passed;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "check",
                                  "tests the course: stubs fail, solutions pass, attempts get "
                                  "their verdicts, and lessons quote "
                                  "current results",
                                  "histolab check\nhistolab check 04\nhistolab check "
                                  "--write-lessons 04\nhistolab check --edition course.tar.gz");
  const auto flags = std::make_shared<CheckFlags>();
  command->add_option("LAB", flags->words, "name, number or first letters (all)")->type_name("");
  CLI::Option* write =
      command->add_flag("--write-lessons", flags->write_lessons,
                        "writes each lesson.md from its lesson.in.md, and checks nothing");
  command
      ->add_flag("--coverage", flags->coverage,
                 "also lists each lab's misconceptions and the attempts that show them")
      ->excludes(write);
  command
      ->add_option("--edition", flags->edition,
                   "looks for solutions, answers and notes in a student edition: a folder, an "
                   "archive or a Debian package")
      ->type_name("PATH")
      ->excludes(write);
  add_device_option(*command, flags->device);
  add_seed_option(*command, flags->seed);
  add_jobs_option(*command, flags->jobs);
  command->callback([&context, flags] {
    if (flags->device != "emulator") context.needs = "gpu";
    context.run = [&context, flags] { return check(context, *flags); };
  });
}

}  // namespace histolab::cli
