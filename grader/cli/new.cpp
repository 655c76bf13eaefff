// histolab new
#include <fmt/format.h>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/course/new_lab.h"
#include "grader/lessons/lab_pages.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

int make_lab(const Context& context, const std::string& slug) {
  Result<std::string> folder =
      grader::new_lab(context.paths.lab_template, context.paths.labs, slug);
  if (!folder) return complain(folder.error());
  const Result<grader::LabSpec> lab = grader::load_lab(*folder);
  if (!lab) return complain(lab.error());
  const Result<std::unique_ptr<kernels::Device>> emulator = make_emulator(context);
  if (!emulator) return complain(emulator.error());
  Result<std::vector<grader::LabSpec>> all = chosen_labs(context, {});
  if (!all) return complain(all.error());
  const auto pages = grader::lessons::write_lessons(
      **emulator, {*lab}, {std::move(*all), context.paths.measurements, context.paths.profiles},
      default_jobs());
  if (!pages) return complain(pages.error());
  const std::vector<grader::CourseProblem> places = grader::unwritten(*lab);
  std::string out = grader::paragraph(
      fmt::format("{}: a lab that works, with {} places that only its author can write:", *folder,
                  places.size()),
      0);
  for (const grader::CourseProblem& each : places)
    out += fmt::format("  {}\n", each.file) + grader::paragraph(each.message, 4);
  out += fmt::format("\nnext: write them, then {} check {}\n", program_words(context), lab->name);
  out += "docs/labs.md, docs/lessons.md and docs/quizzes.md say how.\n";
  return print(out);
}

}  // namespace

void add_new(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "new", "makes a lab from the template; lists the parts to write",
                  "histolab new warp-votes");
  const auto slug = std::make_shared<std::string>();
  command
      ->add_option("SLUG", *slug,
                   "its name: lower-case letters, digits and dashes; gets the next lab number")
      ->required()
      ->type_name("");
  command->callback(
      [&context, slug] { context.run = [&context, slug] { return make_lab(context, *slug); }; });
}

}  // namespace histolab::cli
