// The checks of `doctor`. Each function examines one part of this machine. It returns the finding,
// its consequence and the one command that fixes it. The checks do not use the network and change
// nothing.
#pragma once

#include <string>

namespace histolab::cli {

struct Examined {
  enum class State { good, absent, broken };  // absent: grading works without it
  State state = State::good;
  std::string what, found;
  std::string without;  // the consequence
  std::string fix;      // the command; empty if no command helps
};

// "sudo apt-get install gdb"; without sudo for root.
[[nodiscard]] std::string install_command(const std::string& package);
// The path of a program on PATH, or empty.
[[nodiscard]] std::string on_path(const std::string& program);

// Whether report.json and work/ can be written here.
[[nodiscard]] Examined current_folder();
// TMPDIR, in which kernels are compiled.
[[nodiscard]] Examined temporary_folder();
// Free memory, and limits on it.
[[nodiscard]] Examined memory();
// The limits of inotify.
[[nodiscard]] Examined file_watches();
// TERM, and whether the locale is UTF-8.
[[nodiscard]] Examined terminal();
// gdb, and whether it may trace its children.
[[nodiscard]] Examined debugger();
// clangd.
[[nodiscard]] Examined editor();

}  // namespace histolab::cli
