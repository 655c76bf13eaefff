// histolab solution
#include "grader/checks/recorded.h"
#include "grader/cli/command.h"
#include "kernels/code_tokens.h"

namespace histolab::cli {

void add_solution(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "solution", "prints a lab's solution",
                                  "histolab solution 02\nhistolab solution 11 --no-comments");
  const auto word = std::make_shared<std::string>();
  const auto no_comments = std::make_shared<bool>(false);
  command->add_option("LAB", *word, "name, number or first letters")->required()->type_name("");
  command->add_flag("--no-comments", *no_comments,
                    "only its code, to which the patches of attempts apply");
  command->callback([&context, word, no_comments] {
    context.run = [&context, word, no_comments] {
      const Result<grader::LabSpec> lab = chosen_lab(context, *word);
      if (!lab) return complain(lab.error());
      const Result<grader::Submission> solution = grader::read_solution(*lab);
      if (!solution) return complain(solution.error());
      return print(*no_comments ? kernels::without_comments(solution->text) : solution->text);
    };
  });
}

}  // namespace histolab::cli
