#include "grader/cli/manual.h"

#include <fmt/format.h>

#include "datasets/datasets.h"

namespace histolab::cli {
namespace {

std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string shown(const CommandOption& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + bold(name);
  return option.value.shown.empty() ? out : out + " " + italic(option.value.shown);
}

std::string synopsis(const CommandWords& command) {
  std::string out = bold("histolab " + command.name);
  if (!command.options.empty()) out += " [" + italic("OPTIONS") + "]";
  for (const CommandOption& argument : command.arguments) {
    const std::string dots = argument.repeated ? "..." : "";
    out += argument.required ? " " + italic(argument.value.shown) + dots
                             : " [" + italic(argument.value.shown) + dots + "]";
  }
  return out;
}

std::string verbatim(const std::vector<std::string>& lines) {
  std::string out = ".PP\n.nf\n";
  for (const std::string& line : lines) out += roff(line) + "\n";
  return out + ".fi\n";
}

std::string section_of(const CommandWords& command) {
  std::string out = fmt::format(".SS {}\n{}\n.PP\n{}{}.\n", roff(command.name), synopsis(command),
                                roff(command.summary),
                                command.wrapper ? " (by the wrapper in the source tree)" : "");
  for (const std::vector<CommandOption>* list : {&command.arguments, &command.options})
    for (const CommandOption& option : *list) {
      if (option.names.back() == "--help") continue;  // all commands have it
      out += fmt::format(".TP\n{}\n{}\n",
                         list == &command.arguments ? italic(option.value.shown) : shown(option),
                         roff(option.description));
    }
  if (!command.examples.empty()) out += verbatim(command.examples);
  return out;
}

std::string datasets_section() {
  std::string out = ".SH DATASETS\n";
  for (const datasets::Dataset& each : datasets::catalogue())
    out += fmt::format(".TP\n{}\n{}\n", bold(each.name), roff(each.description));
  return out;
}

constexpr const char* ending = R"(.SH EXIT STATUS
.TP
.B 0
done, and everything passed
.TP
.B 1
done, and some lab did not pass
.TP
.B 2
wrong usage, or the environment prevented it: one message on the standard error says what to do
.TP
.B 130
stopped by Ctrl\-C: nothing is left behind
.SH ENVIRONMENT
.TP
.B NO_COLOR
no colour; a pipe or a file never gets any
.TP
.B TMPDIR
the folder in which kernels are compiled
.TP
.BR HISTOLAB_YES ", " HISTOLAB_PRESET ", " HISTOLAB_BUILD_DIR ", " HISTOLAB_IMGUI_DIR
for the wrapper in the source tree: install without asking, the build's preset, its folder, the folder of an existing Dear ImGui
.SH FILES
.TP
.I work/LAB.cu
the kernel that a student edits
.TP
.I work/LAB.quiz.json
the answers to a lab\(aqs questions
.TP
.I report.json
the results of
.BR "histolab grade" ,
as histolab/report/1
.SH SEE ALSO
.BR nvcc (1),
.BR ncu (1)
.PP
The folder docs of the source tree, or share/histolab/docs.
)";

}  // namespace

std::string manual_page(const CommandTree& tree) {
  std::string out = fmt::format(
      ".\\\" Made by `histolab man` from the help of its commands.\n.TH HISTOLAB 1 \"\" \"histolab "
      "{}\" \"User Commands\"\n.ad l\n.nh\n",
      roff(HISTOLAB_VERSION));
  out +=
      ".SH NAME\nhistolab \\- many threads update one histogram: labs, checked on an emulated "
      "GPU\n";
  out += ".SH SYNOPSIS\n" + bold("histolab") + " [" + italic("OPTIONS") + "] " + italic("COMMAND") +
         " [" + italic("WORDS") + "...]\n";
  out +=
      ".SH DESCRIPTION\n"
      "A course kit. A student fills in a CUDA kernel; histolab runs it on an emulator that finds "
      "data races and counts what a profiler would count,\n"
      "or on an NVIDIA GPU, and says which line is to blame. No GPU is needed.\n.PP\n" +
      bold("histolab") + " " + italic("COMMAND") + " " + bold("--help") +
      " describes one command.\n.SH OPTIONS\n";
  for (const CommandOption& option : tree.options)
    out += fmt::format(".TP\n{}\n{}\n", shown(option), roff(option.description));
  out += ".SH COMMANDS\n";
  for (const CommandWords& command : tree.commands) out += section_of(command);
  return out + datasets_section() + ending;
}

}  // namespace histolab::cli
