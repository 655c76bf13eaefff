// CommandTree: the commands and their options as a plain value, read from the parser that the
// program itself uses; what shells complete and the manual tells is made of it. The words that only
// the wrapper at the root of the source tree knows are in it too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "grader/cli/command.h"

namespace histolab::cli {

// What an option or an argument takes: any of these, or a word that nobody can guess.
struct Value {
  std::string shown;                 // "FILE|-"; empty: it is a flag
  std::vector<std::string> choices;  // a choice that ends in a colon is to be gone on with: hot:90
  bool lab = false, file = false, folder = false;
};

struct CommandOption {
  std::vector<std::string> names;  // "-j", "--jobs"; of an argument its one name
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
  std::vector<std::string> labs;  // that there are now
};

// `app` has all commands. Labs that cannot be read are left out: `check` complains of them.
[[nodiscard]] CommandTree command_tree(const CLI::App& app, const Context& context);

}  // namespace histolab::cli
