// histolab attempt
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lab/submission.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

struct AttemptFlags {
  std::string lab, name;
};

// The attempt's whole kernel, or all names, one a line, if none is given.
Result<std::string> attempt(const Context& context, const AttemptFlags& flags) {
  const grader::LabSpec lab = TRY(chosen_lab(context, flags.lab));
  TRY(needs_whole_kit({lab}, "attempt"));
  std::vector<std::string> names;
  std::string list;
  for (const grader::LabKernel& kernel : grader::kernels_of(lab, work_folder)) {
    if (kernel.role != grader::KernelRole::attempt) continue;
    if (kernel.name == flags.name) return TRY(grader::read_submission(kernel.path)).text;
    names.push_back(kernel.name);
    list += kernel.name + "\n";
  }
  if (flags.name.empty()) return list;
  const std::string near = grader::did_you_mean(flags.name, names);
  return Error{fmt::format(
      "{} has no attempt \"{}\"{}", lab.name, flags.name,
      near.empty() ? fmt::format("; `histolab attempt {}` prints their names", flags.lab) : near)};
}

}  // namespace

void add_attempt(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "attempt", "prints an attempt that tests a lab: its whole kernel",
                  "histolab attempt 11\nhistolab attempt 11 keeps-the-lock");
  const auto flags = std::make_shared<AttemptFlags>();
  command->add_option("LAB", flags->lab, "name, number or first letters")
      ->required()
      ->type_name("");
  command->add_option("NAME", flags->name, "the attempt (without NAME: the names of all)")
      ->type_name("");
  command->callback([&context, flags] {
    context.run = [&context, flags] {
      const Result<std::string> text = attempt(context, *flags);
      return text ? print(*text) : complain(text.error());
    };
  });
}

}  // namespace histolab::cli
