// histolab: the command line.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/cli/command.h"
#include "grader/cli/help.h"
#include "grader/cli/signals.h"
#include "grader/words/words.h"

namespace {

using namespace histolab;

// Index of the command, the first word that is not an option; words.size() if all are options.
std::size_t command_index(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-')) at += words[at] == "--labs" ? 2 : 1;
  return std::min(at, words.size());
}

// Replaces `help COMMAND` and `version` by the equivalent options.
void replace_by_options(std::vector<std::string>& words) {
  const std::size_t at = command_index(words);
  if (at == words.size()) return;
  if (words[at] == "version") words[at] = "--version";
  if (words[at] == "help") {
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    words.push_back("--help");
  }
}

// Returns an Error if no command has this name. CLI11's own message makes no suggestion.
Status check_command(CLI::App& app, const std::string& word) {
  if (word == "test" || word == "setup")
    return Error{fmt::format(
        "`{}` is a command of the wrapper at the root of the source tree: ./histolab {}", word,
        word)};
  std::vector<std::string> commands = {"test", "setup"};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return Done{};
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  const std::string near = grader::did_you_mean(word, commands);
  return Error{fmt::format("there is no command \"{}\"{}", word,
                           near.empty() ? "; histolab --help lists the commands" : near)};
}

// "; did you mean --seed?" for the first unknown option.
std::string near_option(const CLI::App& app) {
  const auto given = app.get_subcommands();
  const CLI::App& command = given.empty() ? app : *given.front();
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : app.remaining(true))
    if (word.starts_with("--")) return grader::did_you_mean(word.substr(0, word.find('=')), known);
  return {};
}

// nvcc spells --std with one dash.
void spell_standard(std::vector<std::string>& words) {
  for (std::string& word : words) {
    if (word == "--") return;  // arguments of a program follow
    if (word == "-std" || word.starts_with("-std=")) word.insert(0, "-");
  }
}

int run(std::vector<std::string> words) {
  cli::watch_signals();
  cli::Context context;
  const bool asks_needs = !words.empty() && words.front() == "--needs";  // see Context::needs
  if (asks_needs) words.erase(words.begin());
  replace_by_options(words);
  const std::size_t at = command_index(words);
  if (at < words.size() && words[at] == "view") {
    const auto rest = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    context.viewer_words.assign(rest, words.end());
    spell_standard(context.viewer_words);
    words.erase(rest, words.end());
  }
  if (at < words.size() && words[at] == "nvcc" &&
      !(at + 2 == words.size() && (words.back() == "--help" || words.back() == "-h"))) {
    const auto rest = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    context.program_words.assign(rest, words.end());
    words.erase(rest, words.end());
  }
  static const std::set<std::string> run_programs{"exec", "explain", "debug", "compare", "race"};
  if (at < words.size() && run_programs.contains(words[at])) {
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (dashes != words.end()) context.program_words.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
    spell_standard(words);
  }
  context.paths = grader::find_paths(grader::own_executable());
  CLI::App app{"histolab: many threads update one histogram; labs, checked on an emulated GPU",
               "histolab"};
  app.formatter(std::make_shared<cli::HelpFormatter>());
  app.footer(
      "Exit codes: 0 done and passed; 1 done and something did not pass; 2 wrong usage,\n"
      "or the environment prevented it; 130 stopped by Ctrl-C.\n"
      "Your first hour:\n"
      "  histolab start 01     puts the stub into work/01-race.cu; edit that file\n"
      "  histolab lesson 01    the lesson; histolab hint 01 prints hints\n"
      "  histolab grade 01     what is wrong, on which line, and what to try\n"
      "  histolab quiz 01      questions about the lab\n"
      "  histolab pack         makes the file to hand in");
  app.set_version_flag("--version", std::string{"histolab "} + HISTOLAB_VERSION);
  app.add_option("--labs", context.labs_named, "folder of the labs, instead of the kit's own")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.require_subcommand(1);
#define HISTOLAB_ADD_COMMAND(name, group) cli::add_##name(app, context);
  HISTOLAB_COMMANDS(HISTOLAB_ADD_COMMAND)
#undef HISTOLAB_ADD_COMMAND
  if (at < words.size())
    if (Status known = check_command(app, words[at]); !known) return cli::complain(known.error());
  try {
    std::reverse(words.begin(), words.end());  // in the order that CLI11 expects
    app.parse(std::move(words));
  } catch (const CLI::Success& help) {  // --help, --version
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const auto given = app.get_subcommands();
    const std::string command =
        given.empty() ? "histolab" : "histolab " + given.front()->get_name();
    return cli::complain(
        {fmt::format("{}{} (`{} --help` shows how)", error.what(), near_option(app), command)});
  }
  if (asks_needs) {
    fmt::print("{}\n", context.needs);
    return cli::done;
  }
  if (!context.labs_named.empty()) context.paths.labs = context.labs_named;
  return context.run();
}

int run_safely(std::vector<std::string> words) {
  try {
    return run(std::move(words));
  } catch (const std::bad_alloc&) {
    return cli::complain({"out of memory"});
  } catch (const std::exception& error) {
    return cli::complain({fmt::format("a bug in histolab: {}", error.what())});
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words{argv + 1, argv + argc};
  // The toolkit's bin/nvcc is a link to this program.
  if (argc > 0 && std::string_view(argv[0]).ends_with("nvcc")) words.insert(words.begin(), "nvcc");
  const int code = run_safely(std::move(words));
  histolab::cli::no_more_signals();
  return code;
}
