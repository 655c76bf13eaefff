#include "grader/cli/whole_program.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "grader/files/paths.h"
#include "reference/fields.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
namespace program = kernels::program;

// Whether the only file is a program that was built before: an executable in the format ELF.
bool is_built(const ProgramFlags& flags) {
  if (flags.files.size() != 1) return false;
  const fs::path path(flags.files[0]);
  if (path.extension().empty()) return true;
  std::array<char, 18> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  const bool is_elf = std::string_view(begin.data(), SELFMAG) == ELFMAG;
  return is_elf && (begin[16] == ET_EXEC || begin[16] == ET_DYN);
}

// Writes at once: the program may wait for an answer to its prompt.
void pass_on(std::string_view text, std::FILE* to) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

std::string absolute_folder(const std::string& file) {
  return fs::absolute(file).lexically_normal().parent_path().string();
}

// Returns an Error if the confined program cannot start in the current folder: as root, it is
// another user's.
Status check_folder(const std::string& folder, const kernels::EmulatorPaths& paths) {
  const std::string closed = program::closed_folder(folder, paths);
  if (closed.empty()) return Done{};
  return Error{
      fmt::format("root's programs run as another user, which cannot enter {}: type `chmod o+rx "
                  "{}`, or work in "
                  "another folder",
                  closed, closed)};
}

}  // namespace

void add_build_options(CLI::App& command, ProgramFlags& flags) {
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command.add_option(name, values, help)->expected(1)->take_all();
  };
  list("-I,--include", flags.include_dirs, "folder of headers")->type_name("DIR");
  list("-D,--define", flags.defines, "defines a macro: NAME or NAME=VALUE")->type_name("NAME");
  list("--write", flags.writes,
       "folder in which the program may write; otherwise only $TMPDIR, which is temporary")
      ->type_name("DIR");
  command.add_option("--std", flags.standard, "C++ standard, c++11 or later (c++17)")
      ->type_name("NAME");
}

void add_program_options(CLI::App& command, ProgramFlags& flags) {
  const std::size_t before = command.get_options().size();
  add_build_options(command, flags);
  command.add_option("--launch", flags.chosen_launch, "number of the launch, from 1")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
      ->type_name("N");
  const std::vector<CLI::Option*> options = command.get_options();
  for (std::size_t i = before; i < options.size(); ++i)
    options[i]->description("for a whole program: " + options[i]->get_description());
}

bool takes_program(const Context& context, const CLI::App& command, const std::string& word,
                   const LaunchFlags& launch, const std::vector<std::string>& more,
                   ProgramFlags& flags) {
  static const std::vector<std::string> shared{"--schedule", "--seed", "--profile",
                                               "--no-observer"};
  static const std::vector<std::string> own{"--include", "--define", "--std", "--write",
                                            "--launch"};
  std::error_code ignored;
  const bool is_program = fs::path(word).extension() == ".cu" && fs::is_regular_file(word, ignored);
  for (const CLI::Option* each : command.get_options()) {
    if (each->count() == 0 || each->get_positional()) continue;
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, "--" + each->get_lnames().front()) != names.end();
    };
    if (!is_program && is_in(own))
      throw CLI::ValidationError(each->get_name(), "is for a whole program, FILE.cu");
    if (is_program && !is_in(own) && !is_in(shared) && !is_in(more))
      throw CLI::ValidationError(each->get_name(),
                                 "is for a lab's kernel; " + word + " is a whole program");
  }
  if (!is_program && !context.program_words.empty())
    throw CLI::ValidationError("--", "is for a whole program, FILE.cu");
  if (!is_program) return false;
  flags.files = {word};
  flags.schedule = launch.schedule;
  flags.seed = launch.seed;
  flags.profile = launch.profile;
  flags.observers_off = launch.observers_off;
  return true;
}

Result<program::ProgramSettings> program_settings(const Context& context,
                                                  const ProgramFlags& flags) {
  program::ProgramSettings settings;
  settings.name = fs::path(flags.files[0]).stem().string();
  // As a user would start it.
  settings.started_as = is_built(flags) ? grader::shown(flags.files[0]) : settings.name;
  if (settings.started_as.find('/') == std::string::npos) settings.started_as.insert(0, "./");
  settings.arguments = context.program_words;
  settings.directory = fs::current_path().string();
  for (const std::string& file : flags.files) settings.reads.push_back(absolute_folder(file));
  for (const std::string& folder : flags.writes) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
      return Error{fmt::format("--write {}: there is no such folder", folder)};
    settings.writes.push_back(fs::canonical(folder).string());
  }
  settings.input = STDIN_FILENO;
  settings.profile = flags.profile;
  settings.watched_launches = flags.watched_launches;
  settings.chosen_launch = flags.chosen_launch;
  settings.options.observers = TRY(observers_of(flags.observers_off));
  settings.options.seed = flags.seed;
  settings.options.time_limit = std::chrono::minutes{2};
  const auto schedule = value_named<kernels::Schedule>(flags.schedule);
  if (!schedule)
    return Error{fmt::format("there is no schedule \"{}\"; the schedules are {}", flags.schedule,
                             fmt::join(schedule_names(), ", "))};
  settings.options.schedule = *schedule;
  settings.on_output = [](std::string_view text) { pass_on(text, stdout); };
  settings.on_errors = [](std::string_view text) { pass_on(text, stderr); };
  return settings;
}

program::Build build_of(const ProgramFlags& flags) {
  program::Build build;
  build.sources = flags.files;
  build.include_dirs = flags.include_dirs;
  build.readable = {".."};
  build.defines = flags.defines;
  build.standard = flags.standard;
  build.debugged = flags.debugged;
  return build;
}

Result<program::Built> built_program(const Context& context, const ProgramFlags& flags,
                                     const kernels::EmulatorPaths& paths, Sources& sources) {
  sources.allow(build_of(flags));
  TRY(check_folder(fs::current_path().string(), paths));
  if (is_built(flags)) {
    program::Built built;
    built.executable = fs::absolute(flags.files[0]).string();
    return built;
  }
  program::Built built =
      TRY(program::build_program(build_of(flags), paths, context.paths.runtime_library));
  note_diagnostics(built.diagnostics, sources);
  return built;
}

}  // namespace histolab::cli
