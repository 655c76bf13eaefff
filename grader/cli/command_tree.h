// CommandTree: the commands and their options as a plain value, read from the parser that the
// program itself uses. Completion scripts and the manual page are made from it. It also has the
// commands of the wrapper at the root of the source tree.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "grader/cli/command.h"

namespace histolab::cli {

// The values that an option or an argument takes: these choices, or any other word.
struct Value {
  std::string shown;  // "FILE|-"; empty for a flag
  // A choice that ends in a colon is incomplete: hot:90.
  std::vector<std::string> choices;
  bool lab = false, file = false, folder = false;
};

struct CommandOption {
  std::vector<std::string> names;  // "-j", "--jobs"; for an argument its one name
  std::string description;
  Value value;
  bool required = false, repeated = false;
};

struct CommandWords {
  std::string name, summary;
  std::vector<CommandOption> options, arguments;
  std::vector<std::string> examples;
  bool wrapper = false;
};

struct CommandTree {
  std::vector<CommandOption> options;  // of the program
  std::vector<CommandWords> commands;
  std::vector<std::string> labs;  // that exist now
};

// `app` has all commands. Labs that cannot be read are left out; `check` reports them.
[[nodiscard]] CommandTree command_tree(const CLI::App& app, const Context& context);

}  // namespace histolab::cli
