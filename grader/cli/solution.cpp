// histolab solution
#include "grader/checks/recorded.h"
#include "grader/cli/command.h"

namespace histolab::cli {

void add_solution(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "solution", "prints a lab's solution", "histolab solution 02");
  const auto word = std::make_shared<std::string>();
  command->add_option("LAB", *word, "name, number or unique prefix")->required()->type_name("");
  command->callback([&context, word] {
    context.run = [&context, word] {
      const Result<grader::LabSpec> lab = chosen_lab(context, *word);
      if (!lab) return complain(lab.error());
      const Result<grader::Submission> solution = grader::read_solution(*lab);
      return solution ? print(solution->text) : complain(solution.error());
    };
  });
}

}  // namespace histolab::cli
