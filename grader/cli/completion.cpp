#include "grader/cli/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"

namespace histolab::cli {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> candidates(const Value& value, const CommandTree& tree) {
  std::vector<std::string> words = value.choices;
  if (value.lab) words.insert(words.end(), tree.labs.begin(), tree.labs.end());
  return words;
}

// ---- bash ---------------------------------------------------------------------------------------

std::string bash_value(const Value& value, const CommandTree& tree) {
  return fmt::format(
      "_histolab_offer {} {}",
      value.file     ? "file"
      : value.folder ? "folder"
                     : "words",
      grader::single_quoted(fmt::format("{}", fmt::join(candidates(value, tree), " "))));
}

std::string bash_options(const std::vector<CommandOption>& options) {
  std::string words;
  for (const CommandOption& option : options)
    words += (words.empty() ? "" : " ") + option.names.back();
  return words;
}

std::string bash_command(const CommandWords& command, const CommandTree& tree) {
  std::string out;
  for (const CommandOption& option : command.options)
    if (!option.value.shown.empty())
      out += fmt::format("    {}{}) {} ;;\n", command.name + ":",
                         fmt::join(option.names, "|" + command.name + ":"),
                         bash_value(option.value, tree));
  std::string otherwise = command.arguments.empty()
                              ? "_histolab_offer words ''"
                              : bash_value(command.arguments.back().value, tree);
  return out + fmt::format(
                   "    {}:*) if [[ $cur == -* ]]; then _histolab_offer words {}; else {}; fi ;;\n",
                   command.name, grader::single_quoted(bash_options(command.options)), otherwise);
}

// ---- zsh ----------------------------------------------------------------------------------------

std::string zsh_escaped(const std::string& text) {
  std::string out = text;
  for (const char* each : {"\\", "[", "]", ":"})
    out = replaced(out, each, std::string{"\\"} + each);
  return out;
}

std::string zsh_action(const Value& value, const CommandTree& tree) {
  std::vector<std::string> words;
  for (const std::string& each : candidates(value, tree)) words.push_back(zsh_escaped(each));
  const std::string list = words.empty() ? "" : fmt::format("({})", fmt::join(words, " "));
  const std::string files = value.file ? "_files" : value.folder ? "_files -/" : "";
  if (list.empty()) return files.empty() ? " " : files;
  // Words and files: two groups of one list.
  return files.empty()
             ? list
             : fmt::format("{{ _alternative \"words:word:{}\" \"files:file:{}\" }}", list, files);
}

std::string zsh_argument(const CommandOption& option, const CommandTree& tree) {
  std::string out;
  for (const std::string& name : option.names)
    out += " \\\n        " +
           grader::single_quoted(fmt::format(
               "{}{}[{}]{}", option.repeated ? "*" : "", name, zsh_escaped(option.description),
               option.value.shown.empty() ? ""
                                          : fmt::format(":{}:{}", zsh_escaped(option.value.shown),
                                                        zsh_action(option.value, tree))));
  return out;
}

std::string zsh_command(const CommandWords& command, const CommandTree& tree) {
  std::string out = fmt::format("      {})\n        _arguments", command.name);
  for (const CommandOption& option : command.options) out += zsh_argument(option, tree);
  for (const CommandOption& argument : command.arguments)
    out +=
        " \\\n        " + grader::single_quoted(fmt::format(
                              "{}:{}:{}", &argument == &command.arguments.back() ? "*" : "",
                              zsh_escaped(argument.value.shown), zsh_action(argument.value, tree)));
  return out + " && return\n        ;;\n";
}

// ---- fish ---------------------------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const std::string& when, const CommandOption& option,
                        const CommandTree& tree) {
  std::string out = fmt::format("complete -c histolab -n {}", fish_quoted(when));
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.shown.empty())
    out += option.value.file || option.value.folder ? " -r -F" : " -x";
  if (const auto words = candidates(option.value, tree); !words.empty())
    out += " -a " + fish_quoted(fmt::format("{}", fmt::join(words, " ")));
  return out + " -d " + fish_quoted(option.description) + "\n";
}

}  // namespace

std::string bash_completion(const CommandTree& tree) {
  std::string names, commands, own;
  for (const CommandWords& command : tree.commands) {
    names += (names.empty() ? "" : " ") + command.name;
    commands += bash_command(command, tree);
  }
  for (const CommandOption& option : tree.options)
    if (!option.value.shown.empty())
      own += fmt::format("    *:{}) {} ;;\n", fmt::join(option.names, "|*:"),
                         bash_value(option.value, tree));
  std::string text = R"bash(# bash completion for histolab: source <(histolab completion bash)
_histolab_offer() { # file|folder|words WORDS
  case $1 in
    file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    folder) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
  esac
  local word
  for word in $2; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace
  return 0
}
_histolab() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' at
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((at = 1; at < COMP_CWORD; ++at)); do
    case ${COMP_WORDS[at]} in
      --labs) at=$((at + 1)); [[ ${COMP_WORDS[at]} == = ]] && at=$((at + 1)) ;;
      -*) ;;
      *) command=${COMP_WORDS[at]}; break ;;
    esac
  done
  case $command:$before in
@own@@commands@    :*) if [[ $cur == -* ]]; then _histolab_offer words @options@; else _histolab_offer words @names@; fi ;;
  esac
}
complete -F _histolab histolab
)bash";
  return replaced(replaced(replaced(replaced(text, "@options@",
                                             grader::single_quoted(bash_options(tree.options))),
                                    "@names@", grader::single_quoted(names)),
                           "@own@", own),
                  "@commands@", commands);
}

std::string zsh_completion(const CommandTree& tree) {
  std::string options, names, commands;
  for (const CommandOption& option : tree.options) options += zsh_argument(option, tree);
  for (const CommandWords& command : tree.commands) {
    names +=
        "    " + grader::single_quoted(zsh_escaped(command.name) + ":" + command.summary) + "\n";
    commands += zsh_command(command, tree);
  }
  std::string text = R"zsh(#compdef histolab
# zsh completion for histolab: source <(histolab completion zsh), behind compinit
_histolab() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
@names@  )
  _arguments -C@options@ \
    '1:command:->command' \
    '*::argument:->argument' && return
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $words[1] in
@commands@      esac
      ;;
  esac
}
if [[ $funcstack[1] == _histolab ]]; then
  _histolab "$@"
else
  compdef _histolab histolab
fi
)zsh";
  return replaced(replaced(replaced(text, "@names@", names), "@options@", options), "@commands@",
                  commands);
}

std::string fish_completion(const CommandTree& tree) {
  std::string out = "# fish completion for histolab: histolab completion fish | source\n";
  out += "complete -c histolab -f\n";
  for (const CommandOption& option : tree.options)
    out += fish_option("__fish_use_subcommand", option, tree);
  for (const CommandWords& command : tree.commands) {
    const std::string given = "__fish_seen_subcommand_from " + command.name;
    out += fmt::format("complete -c histolab -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       fish_quoted(command.summary));
    for (const CommandOption& option : command.options) out += fish_option(given, option, tree);
    if (command.arguments.empty()) continue;
    const Value& value = command.arguments.back().value;
    if (const auto words = candidates(value, tree); !words.empty())
      out += fmt::format("complete -c histolab -n {} -a {}\n", fish_quoted(given),
                         fish_quoted(fmt::format("{}", fmt::join(words, " "))));
    if (value.file || value.folder)
      out += fmt::format("complete -c histolab -n {} -F\n", fish_quoted(given));
  }
  return out;
}

}  // namespace histolab::cli
