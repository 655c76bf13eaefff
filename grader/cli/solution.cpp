// histolab solution
#include "grader/cli/command.h"
#include "grader/read_file.h"

namespace histolab::cli {

void add_solution(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "solution", "prints a lab's solution", "histolab solution 02");
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or a unique beginning")->required()->type_name("");
  command->callback([&context, word] {
    context.run = [&context, word] {
      const Result<std::vector<grader::LabSpec>> labs = chosen_labs(context, {*word});
      if (!labs) return complain(labs.error());
      const Result<std::string> text = grader::read_text_file(labs->front().solution_path(), "solution");
      return text ? print(*text) : complain(text.error());
    };
  });
}

}  // namespace histolab::cli
