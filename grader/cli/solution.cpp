// histolab solution
#include "grader/cli/command.h"
#include "grader/files/read_file.h"

namespace histolab::cli {

void add_solution(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "solution", "prints a lab's solution", "histolab solution 02");
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or a unique beginning")->required()->type_name("");
  command->callback([&context, word] {
    context.run = [&context, word] {
      const Result<grader::LabSpec> lab = chosen_lab(context, *word);
      if (!lab) return complain(lab.error());
      const Result<std::string> text = grader::read_text_file(lab->solution_path(), "solution");
      return text ? print(*text) : complain(text.error());
    };
  });
}

}  // namespace histolab::cli
