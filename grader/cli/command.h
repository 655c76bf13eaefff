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

// All commands, in the order of --help. For each, a file of this folder defines add_NAME().
#define HISTOLAB_COMMANDS(X) \
  X(list)                    \
  X(start)                   \
  X(lesson)                  \
  X(hint)                    \
  X(glossary)                \
  X(grade)                   \
  X(watch)                   \
  X(batch)                   \
  X(report)                  \
  X(mark)                    \
  X(export)                  \
  X(run)                     \
  X(exec)                    \
  X(explain)                 \
  X(debug)                   \
  X(compare)                 \
  X(race)                    \
  X(data)                    \
  X(bench)                   \
  X(check)                   \
  X(attempt)                 \
  X(new)                     \
  X(package)                 \
  X(pack)                    \
  X(quiz)                    \
  X(model)                   \
  X(calibrate)               \
  X(doctor)                  \
  X(reset)                   \
  X(solution)                \
  X(view)                    \
  X(completion)              \
  X(man)                     \
  X(task)

#define HISTOLAB_DECLARE_COMMAND(name) void add_##name(CLI::App& app, Context& context);
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

}  // namespace histolab::cli
