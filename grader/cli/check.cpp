// histolab check
#include <algorithm>

#include "grader/check_course.h"
#include "grader/cli/command.h"

namespace histolab::cli {
namespace {

struct CheckFlags {
  std::vector<std::string> words;
  std::string device = "auto";
  std::uint64_t seed = 1;
  unsigned jobs = default_jobs();
};

int check(const Context& context, const CheckFlags& flags) {
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, flags.words);
  if (!labs) return complain(labs.error());
  const Result<std::unique_ptr<kernels::Device>> device = make_emulator(context);
  if (!device) return complain(device.error());
  Result<Clock> clock = make_clock(context, flags.device);
  if (!clock) return complain(clock.error());
  grader::GradeOptions options;
  options.gpu = clock->gpu.get();
  options.profile = std::move(clock->profile);
  options.seed = flags.seed;
  options.jobs = flags.jobs;
  const Result<std::vector<grader::CourseLab>> course = grader::check_course(**device, *labs, options);
  if (!course) return complain(course.error());
  if (const int printed = print(grader::to_text(*course)); printed != done) return printed;
  const bool holds =
      std::all_of(course->begin(), course->end(), [](const grader::CourseLab& lab) { return lab.problems.empty(); });
  return holds ? done : not_passed;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "check", "the course proves itself: stubs fail, solutions pass, attempts get their verdict",
                  "histolab check\nhistolab check 04");
  const auto flags = std::make_shared<CheckFlags>();
  command->add_option("LAB", flags->words, "name, number or a unique beginning; all without")->type_name("");
  add_device_option(*command, flags->device);
  add_seed_option(*command, flags->seed);
  add_jobs_option(*command, flags->jobs);
  command->callback([&context, flags] { context.run = [&context, flags] { return check(context, *flags); }; });
}

}  // namespace histolab::cli
