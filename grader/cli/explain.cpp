// histolab explain
#include "grader/cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "grader/cli/devices.h"
#include "grader/cli/explain_program.h"
#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "grader/lab/work_folder.h"
#include "grader/listing/listing.h"
#include "grader/listing/listing_html.h"
#include "grader/pipeline/counter_gap.h"

namespace histolab::cli {
namespace {

// The named lab, or all started labs if none is named.
Result<std::vector<grader::LabSpec>> wanted(const Context& context, const std::string& word) {
  if (!word.empty()) return chosen_labs(context, {word});
  std::vector<grader::LabSpec> labs = TRY(chosen_labs(context, {}));
  std::erase_if(labs, [](const grader::LabSpec& lab) {
    std::error_code ignored;
    return !std::filesystem::exists(grader::work_path(lab, work_folder), ignored);
  });
  if (labs.empty())
    return Error{
        "no lab is started here; `histolab explain LAB` explains a lab's solution, `histolab start "
        "LAB` starts it"};
  return labs;
}

// The same launch with the lab's solution. Returns nullopt if there is nothing to compare: the
// kernel is the solution, or nothing is counted.
Result<std::optional<grader::CaseResult>> solution_beside(const Context& context,
                                                          const LaunchFlags& flags,
                                                          const MadeLaunch& own) {
  const grader::LabSpec& lab = own.prepared.lab;
  std::error_code ignored;
  const bool counted = own.prepared.machine.gpu == nullptr && own.prepared.observers.traffic &&
                       own.report.result.completed();
  if (!own.report.compiled || !counted || !std::filesystem::exists(lab.solution_path(), ignored))
    return std::optional<grader::CaseResult>{};
  const grader::Submission text = TRY(grader::read_submission(lab.solution_path()));
  if (text.text == own.prepared.kernel.text) return std::optional<grader::CaseResult>{};
  LaunchFlags same = flags;
  same.kernel = lab.solution_path();
  same.exports.clear();  // they belong to the other kernel
  MadeLaunch made = TRY(make_launch(context, same, lab));
  if (!made.report.compiled || !made.prepared.unfit.empty())
    return Error{fmt::format("{} cannot be launched with these options", lab.solution_path())};
  return std::optional{std::move(made.report.result)};
}

// One launch of a lab's program.
int explain_launch(const Context& context, const LaunchFlags& flags, const grader::LabSpec& lab,
                   const ProgramFlags& program, const std::string& html) {
  const Result<LaunchData> data = load_data(lab, flags);
  if (!data) return complain(data.error());
  const Result<ProgramFlags> of_lab = program_of_lab(flags, lab, data->bytes, program);
  return of_lab ? explain_program(context, *of_lab, html) : complain(of_lab.error());
}

}  // namespace

int explain(const Context& context, const LaunchFlags& flags,
            const std::vector<grader::LabSpec>& labs, const std::string& html) {
  if (!html.empty())
    if (Status writable = grader::check_writable(html); !writable)
      return complain(writable.error());
  int worst = done;
  std::vector<grader::ExplainedKernel> kernels;
  for (const grader::LabSpec& lab : labs) {
    Result<MadeLaunch> made = make_launch(context, flags, lab, grader::accesses_to_compare);
    if (!made) return complain(made.error());
    if (!made->prepared.unfit.empty()) {
      worst = std::max(worst, report_unfit(made->prepared));
      continue;
    }
    Result<std::optional<grader::CaseResult>> solution = solution_beside(context, flags, *made);
    if (!solution) return complain(solution.error());
    worst = std::max<int>(worst, has_ended(made->report) ? done : not_passed);
    const reference::Task task = lab.kernels.at(made->report.result.kernel).task;
    kernels.push_back({std::move(made->report), std::move(made->prepared.kernel.text),
                       std::move(*solution), task});
    if (!html.empty()) continue;
    const grader::ExplainedKernel& kernel = kernels.back();
    const grader::TextOptions options{
        .color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()};
    const std::string text =
        grader::listing(kernel.run, made->prepared.lab, kernel.source,
                        kernel.solution ? &*kernel.solution : nullptr, options);
    if (const int printed = print((kernels.size() > 1 ? "\n" : "") + text); printed != done)
      return printed;
  }
  if (html.empty() || kernels.empty()) return worst;
  wait_if_interrupted();
  if (Status written = grader::write_file(html, grader::listing_html(kernels)); !written)
    return complain(written.error());
  if (html != "-") note(fmt::format("histolab: wrote {}; open it in a browser\n", html));
  return worst;
}

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "explain",
      "shows a kernel's source, with counters and findings in the margin, next to the solution's",
      "histolab explain\n"
      "histolab explain 04 --html 04.html\n"
      "histolab explain 02 --dataset constant --length 65536\n"
      "histolab explain main.cu --launch 3 -- 1000");
  struct Flags {
    LaunchFlags launch;
    ProgramFlags program;
    std::string word, html;
  };
  const auto flags = std::make_shared<Flags>();
  command
      ->add_option("LAB|FILE.cu", flags->word,
                   "a lab's name, number or first letters (all started labs); or a whole program, "
                   "whose arguments follow --")
      ->type_name("");
  add_launch_options(*command, flags->launch);
  command
      ->add_option("--html", flags->html,
                   "a self-contained page for a browser instead of text; - is the standard output")
      ->type_name("FILE|-");
  add_program_options(*command, flags->program);
  command->callback([&context, command, flags] {
    if (takes_program(context, *command, flags->word, flags->launch, {"--html"}, flags->program)) {
      context.run = [&context, flags] {
        return explain_program(context, flags->program, flags->html);
      };
      return;
    }
    if (gpu_number(flags->launch.device)) context.needs = "gpu";
    context.run = [&context, flags] {
      const Result<std::vector<grader::LabSpec>> labs = wanted(context, flags->word);
      if (!labs) return complain(labs.error());
      if (labs->size() == 1 && labs->front().program && !flags->program.given.empty())
        return explain_launch(context, flags->launch, labs->front(), flags->program, flags->html);
      if (const Status fits = refuse_program_options(flags->program); !fits)
        return complain(fits.error());
      return explain(context, flags->launch, *labs, flags->html);
    };
  });
}

}  // namespace histolab::cli
