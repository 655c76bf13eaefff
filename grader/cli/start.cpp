// histolab start
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/lab/editor_settings.h"
#include "grader/lab/work_folder.h"

namespace histolab::cli {
namespace {

int start(const Context& context, const std::vector<std::string>& words) {
  const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, words);
  if (!labs) return complain(labs.error());
  std::string out;
  for (const grader::LabSpec& lab : *labs) {
    const Result<bool> made = grader::start_lab(lab, work_folder);
    if (!made) return complain(made.error());
    const std::string path = grader::work_path(lab, work_folder);
    out += *made ? fmt::format("{}: {}\n", path, lab.title)
                 : fmt::format("{}: exists already; left unchanged\n", path);
  }
  const Result<bool> settings = write_settings_of_editor(context);
  if (!settings) return complain(settings.error());
  if (*settings)
    out += fmt::format("{}/{}: lets clangd, in your editor, know CUDA's names\n", work_folder,
                       grader::editor_settings_name);
  const grader::LabSpec& first = labs->front();
  out += fmt::format("\nread: {0} lesson {1}\nedit: {2}\nnext: {0} watch {1}\n",
                     program_words(context), first.name, grader::work_path(first, work_folder));
  return print(out);
}

}  // namespace

void add_start(CLI::App& app, Context& context) {
  CLI::App* command = add_command(
      app, "start", "copies a lab's stub to work/ (all stubs without LAB); never overwrites",
      "histolab start 02");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("LAB", *words, "name, number or first letters")->type_name("");
  command->callback(
      [&context, words] { context.run = [&context, words] { return start(context, *words); }; });
}

}  // namespace histolab::cli
