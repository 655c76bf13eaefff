// histolab: the command line.
#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "grader/cli/command.h"
#include "grader/cli/help.h"
#include "grader/cli/signals.h"
#include "grader/words/words.h"

namespace {

using namespace histolab;

// The first word that is no option; CLI11's own message for an unknown command names no neighbour.
int first_word(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--labs") == 0)
      ++i;
    else if (argv[i][0] != '-')
      return i;
  }
  return 0;
}

// Error: no command has this name; CLI11's own message suggests none.
Status check_command(CLI::App& app, const std::string& word) {
  if (word == "test" || word == "setup")
    return Error{fmt::format("`{}` is done by the wrapper at the root of the source tree: ./histolab {}", word, word)};
  std::vector<std::string> commands = {"test", "setup"};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return Done{};
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  const std::string near = grader::nearest(word, commands);
  const std::string then = near.empty() ? "histolab --help lists the commands" : fmt::format("did you mean {}?", near);
  return Error{fmt::format("there is no command \"{}\"; {}", word, then)};
}

int run(int argc, char** argv) {
  cli::watch_signals();
  cli::Context context;
  if (const int at = first_word(argc, argv); at > 0 && std::strcmp(argv[at], "view") == 0) {
    context.viewer_words.assign(argv + at + 1, argv + argc);
    argc = at + 1;
  }
  context.paths = grader::find_paths(grader::own_executable());
  CLI::App app{"histolab: many threads update one histogram; labs, checked on an emulated GPU", "histolab"};
  app.formatter(std::make_shared<cli::HelpFormatter>());
  app.footer(
      "Exit codes: 0 done and passed; 1 done and something did not pass; 2 wrong usage,\n"
      "or the environment kept it from running; 130 stopped by Ctrl-C.\n"
      "Example:\n  histolab start 01 && histolab grade 01");
  app.set_version_flag("--version", std::string{"histolab "} + HISTOLAB_VERSION);
  app.add_option("--labs", context.labs_named, "folder of the labs, instead of the kit's own")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.require_subcommand(1);
  cli::add_list(app, context);
  cli::add_start(app, context);
  cli::add_lesson(app, context);
  cli::add_hint(app, context);
  cli::add_glossary(app, context);
  cli::add_grade(app, context);
  cli::add_watch(app, context);
  cli::add_batch(app, context);
  cli::add_report(app, context);
  cli::add_mark(app, context);
  cli::add_export(app, context);
  cli::add_run(app, context);
  cli::add_explain(app, context);
  cli::add_debug(app, context);
  cli::add_compare(app, context);
  cli::add_race(app, context);
  cli::add_data(app, context);
  cli::add_bench(app, context);
  cli::add_check(app, context);
  cli::add_new(app, context);
  cli::add_package(app, context);
  cli::add_pack(app, context);
  cli::add_quiz(app, context);
  cli::add_model(app, context);
  cli::add_calibrate(app, context);
  cli::add_doctor(app, context);
  cli::add_reset(app, context);
  cli::add_solution(app, context);
  cli::add_view(app, context);
  cli::add_completion(app, context);
  cli::add_man(app, context);
  cli::add_task(app, context);
  if (const int at = first_word(argc, argv); at > 0 && std::strcmp(argv[at], "version") == 0) return cli::print(std::string{"histolab "} + HISTOLAB_VERSION + "\n");
  if (const int at = first_word(argc, argv); at > 0)
    if (Status known = check_command(app, argv[at]); !known) return cli::complain(known.error());
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {  // --help, --version
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const auto given = app.get_subcommands();
    const std::string command = given.empty() ? "histolab" : "histolab " + given.front()->get_name();
    return cli::complain({fmt::format("{} (`{} --help` shows how)", error.what(), command)});
  }
  if (!context.labs_named.empty()) context.paths.labs = context.labs_named;
  return context.run();
}

int run_and_tell(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return cli::complain({"this machine has not enough memory for that"});
  } catch (const std::exception& error) {
    return cli::complain({fmt::format("a bug in histolab: {}", error.what())});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int code = run_and_tell(argc, argv);
  histolab::cli::no_more_signals();
  return code;
}
