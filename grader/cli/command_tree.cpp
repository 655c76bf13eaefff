#include "grader/cli/command_tree.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "datasets/datasets.h"
#include "grader/cli/launch.h"
#include "grader/cli/output_format.h"
#include "grader/files/read_file.h"
#include "grader/lessons/glossary.h"
#include "grader/words/words.h"
#include "reference/device_profile.h"

namespace histolab::cli {
namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::vector<std::string> datasets_by_name() {
  std::vector<std::string> names;
  for (const datasets::Dataset& each : datasets::catalogue())
    names.push_back(each.name.substr(
        0, std::min(each.name.size(), each.name.find(':') + (has(each.name, ":") ? 1 : 0))));
  return names;
}

// GPUs with known limits, or for some commands the measured ones.
std::vector<std::string> profiles(const std::string& command, const Context& context) {
  std::vector<std::string> names;
  for (const reference::DeviceProfile& each : reference::device_profiles)
    names.emplace_back(each.name);
  std::error_code ignored;
  if (command == "model")
    std::erase_if(names, [&](const std::string& name) {
      return !std::filesystem::exists(context.paths.profiles + "/" + name + ".json", ignored);
    });
  return names;
}

std::vector<std::string> formats(const std::string& command) {
  return format_names(command == "watch"   ? FormatUse::watch
                      : command == "grade" ? FormatUse::grade
                                           : FormatUse::exporting);
}

std::vector<std::string> glossary_terms(const Context& context) {
  std::vector<std::string> terms;
  if (const Result<std::string> page = grader::read_text_file(context.paths.glossary, "glossary"))
    for (const grader::lessons::GlossaryEntry& entry : grader::lessons::glossary_of(*page)) {
      std::string word = entry.terms.front();  // a shell takes one word
      std::ranges::replace_if(
          word, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
      terms.push_back(std::move(word));
    }
  return terms;
}

// The values that an option takes, if they are known.
std::vector<std::string> choices_of(const std::string& command, const std::string& option,
                                    const Context& context) {
  if (option == "--dataset" || option == "--datasets") return datasets_by_name();
  if (option == "--device")
    return command == "bench" || command == "calibrate"
               ? std::vector<std::string>{"gpu"}
               : std::vector<std::string>{"auto", "emulator", "gpu"};
  if (option == "--schedule") return schedule_names();
  if (option == "--block-order") return block_order_names();
  if (option == "--profile") return profiles(command, context);
  if (option == "--format") return formats(command);
  if (option == "--no-observer") return observer_names();
  if (option == "--set") return {"limits", "map", "all", "envelope"};
  if (option == "--layouts") return {"letters", "even", "uneven"};
  if (option == "--element-bytes") return {"1", "2"};
  if (option == "--scenario") return {"1", "2", "3", "4"};
  if (option == "TERM") return glossary_terms(context);
  return {};
}

CommandOption words_of(const CLI::Option& option, const std::string& command,
                       const Context& context) {
  CommandOption words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  const bool argument = option.get_positional();
  if (argument) words.names = {option.get_name(true)};
  words.description = option.get_description();
  words.required = option.get_required();
  words.repeated = option.get_expected_max() > 1;
  if (option.get_items_expected_max() == 0) return words;
  const std::string& takes = argument ? words.names.front() : option.get_type_name();
  words.value = {.shown = argument        ? words.names.front()
                          : takes.empty() ? "WORD"
                                          : takes,
                 .choices = choices_of(command, words.names.back(), context),
                 .lab = has(takes, "LAB"),
                 .file = has(takes, "FILE"),
                 .folder = has(takes, "DIR")};
  if (argument && takes == "NAME|FILE") words.value.choices = datasets_by_name();
  return words;
}

// Reads the lines under "Example:".
void read_examples(const std::string& footer, CommandWords& words) {
  bool examples = false;
  for (const std::string& line : grader::lines_of(footer)) {
    if (line == "Example:")
      examples = true;
    else if (examples && line.starts_with("  "))
      words.examples.push_back(line.substr(2));
    else
      examples = false;
  }
}

std::vector<CommandWords> wrapper_words() {
  CommandWords test{.name = "test",
                    .summary = "builds and runs the tests; passes other options to ctest",
                    .options = {},
                    .arguments = {},
                    .examples = {"histolab test", "histolab test -R grader -V"},
                    .wrapper = true};
  test.options.push_back({.names = {"--all"}, .description = "the slow tests too", .value = {}});
  CommandWords setup{
      .name = "setup",
      .summary = "installs, fetches and builds everything now, not when a command first needs it",
      .options = {},
      .arguments = {},
      .examples = {"histolab setup", "histolab setup cuda --fetch"},
      .wrapper = true};
  setup.options.push_back({.names = {"--fetch"},
                           .description = "with cuda: fetches a toolkit even if there is one",
                           .value = {}});
  setup.arguments.push_back(
      {.names = {"WHAT"},
       .description = "all, packages (installs them and builds nothing), viewer or cuda (all)",
       .value = {.shown = "WHAT", .choices = {"all", "packages", "viewer", "cuda"}}});
  return {test, setup};
}

}  // namespace

CommandTree command_tree(const CLI::App& app, const Context& context) {
  CommandTree tree;
  for (const CLI::Option* option : app.get_options())
    tree.options.push_back(words_of(*option, "", context));
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    CommandWords& words = tree.commands.emplace_back();
    words.name = command->get_name();
    words.summary = command->get_description();
    for (const CLI::Option* option : command->get_options())
      (option->get_positional() ? words.arguments : words.options)
          .push_back(words_of(*option, words.name, context));
    read_examples(command->get_footer(), words);
  }
  for (CommandWords& each : wrapper_words()) tree.commands.push_back(std::move(each));
  if (const auto labs = chosen_labs(context, {}))
    for (const grader::LabSpec& lab : *labs) tree.labs.push_back(lab.name);
  return tree;
}

}  // namespace histolab::cli
