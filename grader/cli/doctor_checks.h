// What `doctor` looks at: each function looks at one thing of this machine and says what it found,
// what does not work without it, and the one command that mends it. Nothing here touches the
// network or changes anything.
#pragma once

#include <string>

namespace histolab::cli {

struct Examined {
  enum class State { good, absent, broken };  // absent: grading works without it
  State state = State::good;
  std::string what, found;
  std::string without;  // what does not work so
  std::string mend;     // the command; empty where no command does
};

// "sudo apt-get install gdb"; without sudo for who is root.
[[nodiscard]] std::string install_command(const std::string& package);
// A program of that name on PATH; empty: there is none.
[[nodiscard]] std::string on_path(const std::string& program);

[[nodiscard]] Examined current_folder();    // can report.json and work/ be written here?
[[nodiscard]] Examined temporary_folder();  // where kernels are compiled: TMPDIR
[[nodiscard]] Examined memory();            // free, and what limits it
[[nodiscard]] Examined file_watches();      // inotify
[[nodiscard]] Examined terminal();          // TERM, and whether it is shown UTF-8
[[nodiscard]] Examined debugger();          // gdb, and whether it may look at its children
[[nodiscard]] Examined editor();            // clangd

}  // namespace histolab::cli
