// histolab completion, histolab man: texts made from the commands' own help.
#include <fmt/format.h>

#include "grader/cli/command_tree.h"
#include "grader/cli/completion.h"
#include "grader/cli/manual.h"

namespace histolab::cli {

void add_completion(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "completion", "prints a completion script for a shell",
                  "source <(histolab completion bash)\n"
                  "histolab completion fish > ~/.config/fish/completions/histolab.fish");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  command->callback([&app, &context, shell] {
    context.run = [&app, &context, shell] {
      const CommandTree tree = command_tree(app, context);
      if (*shell == "bash") return print(bash_completion(tree));
      if (*shell == "zsh") return print(zsh_completion(tree));
      if (*shell == "fish") return print(fish_completion(tree));
      return complain(
          {fmt::format("there is no completion for \"{}\"; bash, zsh and fish have one", *shell)});
    };
  });
}

void add_man(CLI::App& app, Context& context) {
  CLI::App* command = add_command(app, "man", "prints the manual page, in roff",
                                  "histolab man | man -l -\n"
                                  "histolab man > ~/.local/share/man/man1/histolab.1");
  command->callback([&app, &context] {
    context.run = [&app, &context] { return print(manual_page(command_tree(app, context))); };
  });
}

}  // namespace histolab::cli
