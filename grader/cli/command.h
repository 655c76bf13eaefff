// The commands, and the options and arguments that several of them share.
//
// Each command has one function that adds it to the program. Parsing the command sets Context::run,
// which does the work and returns the exit code (console.h).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/cli/console.h"
#include "grader/cli/context.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::cli {

// All commands, in the order of --help, and the group in which --help shows each (command.cpp). For
// each, a file of this folder defines add_NAME().
#define HISTOLAB_COMMANDS(X) \
  X(list, students)          \
  X(start, students)         \
  X(lesson, students)        \
  X(hint, students)          \
  X(glossary, students)      \
  X(grade, students)         \
  X(watch, students)         \
  X(serve, students)         \
  X(batch, instructors)      \
  X(report, instructors)     \
  X(mark, instructors)       \
  X(export, instructors)     \
  X(run, students)           \
  X(exec, students)          \
  X(nvcc, students)          \
  X(explain, students)       \
  X(debug, students)         \
  X(compare, students)       \
  X(race, students)          \
  X(data, students)          \
  X(bench, authors)          \
  X(check, authors)          \
  X(attempt, authors)        \
  X(new, authors)            \
  X(package, instructors)    \
  X(pack, students)          \
  X(quiz, students)          \
  X(model, authors)          \
  X(calibrate, authors)      \
  X(doctor, students)        \
  X(reset, students)         \
  X(solution, students)      \
  X(view, students)          \
  X(completion, authors)     \
  X(man, authors)            \
  X(task, students)

#define HISTOLAB_DECLARE_COMMAND(name, group) void add_##name(CLI::App& app, Context& context);
HISTOLAB_COMMANDS(HISTOLAB_DECLARE_COMMAND)
#undef HISTOLAB_DECLARE_COMMAND

// Adds a command with its summary and its example (one or more lines).
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& example);
// Options that several commands share. The help names the first value of `device` as the default.
void add_device_option(CLI::App& command, std::string& device);
void add_seed_option(CLI::App& command, std::uint64_t& seed);
void add_jobs_option(CLI::App& command, unsigned& jobs);
[[nodiscard]] unsigned default_jobs();

// An unpredictable seed. Every JSON reader stores it exactly.
[[nodiscard]] Result<std::uint64_t> random_seed();

// The labs that the words name, without duplicates, in the catalogue's order. The path of a lab's
// file in work/ names it too. Without words, returns all labs.
[[nodiscard]] Result<std::vector<grader::LabSpec>> chosen_labs(
    const Context& context, const std::vector<std::string>& words);
// Returns an Error if a lab comes from a student edition, which has no solutions for `command`.
[[nodiscard]] Status needs_whole_kit(const std::vector<grader::LabSpec>& labs,
                                     const std::string& command);
// The lab that the word names. Returns an Error if no lab matches. The second form returns an
// element of `labs`.
[[nodiscard]] Result<grader::LabSpec> chosen_lab(const Context& context, const std::string& word);
[[nodiscard]] Result<const grader::LabSpec*> chosen_lab(const std::vector<grader::LabSpec>& labs,
                                                        const std::string& word);

// Writes the editor's settings into work/ (lab/editor_settings.h). Returns whether it wrote them.
[[nodiscard]] Result<bool> write_settings_of_editor(const Context& context);

}  // namespace histolab::cli
