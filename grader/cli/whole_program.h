// A whole CUDA program on the command line, for `exec`, `explain`, `debug`, `race` and `compare`.
// They share the options and the steps to a run:
//
//    ProgramFlags -> program_settings, built_program -> kernels::program::run_program
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/command.h"
#include "grader/cli/launch.h"
#include "grader/cli/program_sources.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"

namespace histolab::cli {

struct ProgramFlags {
  std::vector<std::string> files, include_dirs, defines, writes, observers_off;
  std::string standard = kernels::program::Build{}.standard;
  std::string profile = kernels::LaunchConfig{}.profile;
  std::string schedule = "lockstep";
  std::uint64_t seed = 1;
  std::uint32_t watched_launches = kernels::program::ProgramSettings{}.watched_launches;
  std::uint64_t chosen_launch = 0;  // from 1, or 0 for none
  bool debugged = false;            // builds kernels for a debugger
  // Standard input and arguments of a lab's program. Other programs use this process's.
  std::shared_ptr<const kernels::Buffer> input;
  std::optional<std::vector<std::string>> words;
  std::string given;  // an option of programs that was given although no file was, or empty
};

// Adds --include, --define and --std.
void add_build_options(CLI::App& command, ProgramFlags& flags);

// Adds --launch. Its description begins with `when`.
CLI::Option* add_launch_option(CLI::App& command, ProgramFlags& flags, const std::string& when);

// For commands that take a lab or a program: add_build_options() and --launch.
void add_program_options(CLI::App& command, ProgramFlags& flags);
// Whether `word` is a CUDA source.
[[nodiscard]] bool is_source(const std::string& word);
// Whether `word` is a program's source. If so, copies the options that launches of labs and
// programs share. Throws a CLI::ValidationError if an option was given that does not apply; `more`
// are the command's own options that do.
[[nodiscard]] bool takes_program(const Context& context, const CLI::App& command,
                                 const std::string& word, const LaunchFlags& launch,
                                 const std::vector<std::string>& more, ProgramFlags& flags);
// Returns an Error if a lab of kernels has options for programs.
[[nodiscard]] Status refuse_program_options(const ProgramFlags& flags);

// The program of a lab, as the grader runs it: its input is `data`, its argument is the number of
// threads per block.
[[nodiscard]] Result<ProgramFlags> program_of_lab(const LaunchFlags& launch,
                                                  const grader::LabSpec& lab,
                                                  const grader::Bytes& data, ProgramFlags flags);

// Returns the build that the flags ask for.
[[nodiscard]] kernels::program::Build build_of(const ProgramFlags& flags);

// Builds the program, unless it was built before, and prints the compiler's messages. Returns an
// empty path if it does not compile. Returns an Error if it could not start in the current folder.
[[nodiscard]] Result<kernels::program::Built> built_program(const Context& context,
                                                            const ProgramFlags& flags,
                                                            const kernels::EmulatorPaths& paths,
                                                            Sources& sources);

// A program that is ready to run, also repeatedly.
struct PreparedProgram {
  [[nodiscard]] bool compiles() const { return !built.executable.empty(); }

  ProgramFlags flags;
  kernels::program::Built built;  // its folder is removed with it
  kernels::EmulatorPaths paths;
  kernels::program::ProgramSettings settings;
  Sources sources;
};
// Builds the program. If it does not compile, the compiler's messages were printed.
[[nodiscard]] Result<PreparedProgram> prepare_program(const Context& context,
                                                      const ProgramFlags& flags);
// Runs the program with its standard input from the beginning. So that must be a file; the program
// gets no other one.
[[nodiscard]] Result<kernels::program::ProgramReport> run_from_the_beginning(
    PreparedProgram& prepared);
// The program makes no launch with this number. The message lists its launches.
[[nodiscard]] Error no_such_launch(const std::string& source, std::uint64_t number,
                                   const kernels::program::ProgramReport& report);

// How to run the program; its output goes to this process's output. `executable` is empty. Returns
// an Error if a flag is invalid.
[[nodiscard]] Result<kernels::program::ProgramSettings> program_settings(const Context& context,
                                                                         const ProgramFlags& flags);

}  // namespace histolab::cli
