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

void add_list(CLI::App& app, Context& context);
void add_start(CLI::App& app, Context& context);
void add_grade(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_debug(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_race(CLI::App& app, Context& context);
void add_calibrate(CLI::App& app, Context& context);
void add_model(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_attempt(CLI::App& app, Context& context);
void add_new(CLI::App& app, Context& context);
void add_pack(CLI::App& app, Context& context);
void add_package(CLI::App& app, Context& context);
void add_quiz(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_lesson(CLI::App& app, Context& context);
void add_hint(CLI::App& app, Context& context);
void add_glossary(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_mark(CLI::App& app, Context& context);
void add_reset(CLI::App& app, Context& context);
void add_solution(CLI::App& app, Context& context);
void add_view(CLI::App& app, Context& context);
void add_watch(CLI::App& app, Context& context);
void add_batch(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_man(CLI::App& app, Context& context);
void add_task(CLI::App& app, Context& context);

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
