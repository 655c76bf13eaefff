// histolab explain
#include <algorithm>
#include <filesystem>

#include "grader/cli/launch.h"
#include "grader/listing.h"
#include "grader/work_folder.h"

namespace histolab::cli {
namespace {

// The lab that is named; without a name, those that are started.
Result<std::vector<grader::LabSpec>> wanted(const Context& context, const std::string& word) {
  if (!word.empty()) return chosen_labs(context, {word});
  Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {});
  if (!labs) return labs;
  std::erase_if(*labs, [](const grader::LabSpec& lab) {
    std::error_code ignored;
    return !std::filesystem::exists(grader::work_path(lab, work_folder), ignored);
  });
  if (labs->empty())
    return Error{"no lab is started here; `histolab explain LAB` explains a lab's solution, `histolab start LAB` starts it"};
  return labs;
}

int explain(const Context& context, const LaunchFlags& flags, const std::string& word) {
  const Result<std::vector<grader::LabSpec>> labs = wanted(context, word);
  if (!labs) return complain(labs.error());
  int worst = done;
  for (const grader::LabSpec& lab : *labs) {
    const bool first = &lab == &labs->front();
    const int ended = launch_and_print(
        context, flags, lab,
        [&](const grader::LabSpec& of, const grader::RunReport& run, const std::string& source) {
          return (first ? "" : "\n") + grader::listing(run, of, source, {.color = color_wanted(), .next_steps = false, .report_path = {}, .width = columns_to_use()});
        });
    worst = std::max(worst, ended);
    if (ended == cannot) break;
  }
  return worst;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "explain", "a kernel's source, with counters and findings in the margin",
                  "histolab explain\n"
                  "histolab explain 04\n"
                  "histolab explain 02 --dataset constant --length 65536");
  const auto flags = std::make_shared<LaunchFlags>();
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or a unique beginning (every lab that is started)")->type_name("");
  add_launch_options(*command, *flags);
  command->callback([&context, flags, word] { context.run = [&context, flags, word] { return explain(context, *flags, *word); }; });
}

}  // namespace histolab::cli
