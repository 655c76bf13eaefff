#include "grader/cli/whole_program.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>

#include "grader/cli/devices.h"
#include "grader/cli/program_report.h"
#include "grader/cli/signals.h"
#include "grader/files/paths.h"
#include "grader/words/words.h"
#include "kernels/worker/processes/descriptor.h"
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

// Writes at once: the program may wait for an answer to its prompt. If nothing reads the output, a
// signal still ends the process.
void pass_on(std::string_view text, int to) {
  while (!text.empty()) {
    pollfd output{to, POLLOUT, 0};
    const int ready = poll(&output, 1, 100);
    if (is_interrupted() || (ready < 0 && errno != EINTR)) return;
    if (ready <= 0) continue;
    const ssize_t n = write(to, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (n < 0 && errno != EINTR && errno != EAGAIN) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string absolute_folder(const std::string& file) {
  return fs::absolute(file).lexically_normal().parent_path().string();
}

void copy_shared_options(const LaunchFlags& launch, ProgramFlags& flags) {
  flags.schedule = launch.schedule;
  flags.seed = launch.seed;
  flags.profile = launch.profile;
  flags.observers_off = launch.observers_off;
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
    return command.add_option(name, values, help)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);  // a file may follow
  };
  list("-I,--include", flags.include_dirs, "folder of headers")->type_name("DIR");
  list("-D,--define", flags.defines, "defines a macro: NAME or NAME=VALUE")->type_name("NAME");
  list("--write", flags.writes,
       "folder in which the program may write; otherwise only $TMPDIR, which is temporary")
      ->type_name("DIR");
  command.add_option("--std", flags.standard, "C++ standard, c++11 or later (c++17)")
      ->type_name("NAME");
}

CLI::Option* add_launch_option(CLI::App& command, ProgramFlags& flags, const std::string& when) {
  return command.add_option("--launch", flags.chosen_launch, when + "number of the launch, from 1")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
      ->type_name("N");
}

void add_program_options(CLI::App& command, ProgramFlags& flags) {
  const std::size_t before = command.get_options().size();
  add_build_options(command, flags);
  add_launch_option(command, flags, "");
  const std::vector<CLI::Option*> options = command.get_options();
  for (std::size_t i = before; i < options.size(); ++i)
    options[i]->description("for a whole program: " + options[i]->get_description());
}

bool is_source(const std::string& word) {
  std::error_code ignored;
  return fs::path(word).extension() == ".cu" && fs::is_regular_file(word, ignored);
}

bool takes_program(const Context& context, const CLI::App& command, const std::string& word,
                   const LaunchFlags& launch, const std::vector<std::string>& more,
                   ProgramFlags& flags) {
  static const std::vector<std::string> shared{"--schedule", "--seed", "--profile",
                                               "--no-observer"};
  static const std::vector<std::string> own{"--include", "--define", "--std", "--write",
                                            "--launch"};
  const bool is_program = is_source(word);
  for (const CLI::Option* each : command.get_options()) {
    if (each->count() == 0 || each->get_positional()) continue;
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, "--" + each->get_lnames().front()) != names.end();
    };
    if (!is_program && is_in(own)) flags.given = each->get_name();
    if (is_program && !is_in(own) && !is_in(shared) && !is_in(more))
      throw CLI::ValidationError(each->get_name(),
                                 "is for a lab's kernel; " + word + " is a whole program");
  }
  if (!is_program && !context.program_words.empty()) flags.given = "--";
  if (!is_program) return false;
  flags.files = {word};
  copy_shared_options(launch, flags);
  return true;
}

Status refuse_program_options(const ProgramFlags& flags) {
  if (flags.given.empty()) return Done{};
  return Error{flags.given + ": is for a whole program, FILE.cu"};
}

Result<ProgramFlags> program_of_lab(const LaunchFlags& launch, const grader::LabSpec& lab,
                                    const grader::Bytes& data, ProgramFlags flags) {
  if (flags.given == "--")
    return Error{"--: the program of a lab has one argument, the number of threads per block"};
  const grader::Submission source = TRY(kernel_of(launch, lab));
  flags.files = {source.path};
  kernels::Buffer input = TRY(kernels::Buffer::copy_of(data));
  flags.input = std::make_shared<const kernels::Buffer>(std::move(input));
  flags.words = std::vector{fmt::format("{}", launch.block)};
  copy_shared_options(launch, flags);
  return flags;
}

Result<program::ProgramSettings> program_settings(const Context& context,
                                                  const ProgramFlags& flags) {
  program::ProgramSettings settings;
  settings.name = fs::path(flags.files[0]).stem().string();
  // As a user would start it.
  settings.started_as = is_built(flags) ? grader::shown(flags.files[0]) : settings.name;
  if (settings.started_as.find('/') == std::string::npos) settings.started_as.insert(0, "./");
  settings.arguments = flags.words.value_or(context.program_words);
  settings.directory = fs::current_path().string();
  for (const std::string& file : flags.files) settings.reads.push_back(absolute_folder(file));
  for (const std::string& folder : flags.writes) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
      return Error{fmt::format("--write {}: there is no such folder", folder)};
    settings.writes.push_back(fs::canonical(folder).string());
  }
  settings.input = flags.input != nullptr ? flags.input->fd() : STDIN_FILENO;
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
  settings.on_output = [](std::string_view text) { pass_on(text, STDOUT_FILENO); };
  settings.on_errors = [](std::string_view text) { pass_on(text, STDERR_FILENO); };
  return settings;
}

program::Build build_of(const ProgramFlags& flags) {
  program::Build build;
  build.sources = flags.files;
  build.include_dirs = flags.include_dirs;
  build.readable = {"."};
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

Result<PreparedProgram> prepare_program(const Context& context, const ProgramFlags& flags) {
  PreparedProgram prepared{.flags = flags,
                           .built = {},
                           .paths = TRY(emulator_paths(context)),
                           .settings = TRY(program_settings(context, flags)),
                           .sources = {}};
  prepared.built = TRY(built_program(context, flags, prepared.paths, prepared.sources));
  prepared.settings.executable = prepared.built.executable;
  return prepared;
}

Result<program::ProgramReport> run_from_the_beginning(PreparedProgram& prepared) {
  const int source = prepared.flags.input != nullptr ? prepared.flags.input->fd() : STDIN_FILENO;
  struct stat status {};
  const bool is_file = fstat(source, &status) == 0 && S_ISREG(status.st_mode);
  // A descriptor of its own has a position of its own.
  const kernels::worker::Descriptor input(
      is_file ? open(fmt::format("/proc/self/fd/{}", source).c_str(), O_RDONLY | O_CLOEXEC) : -1);
  prepared.settings.input = input.get();
  return program::run_program(prepared.settings, prepared.paths);
}

Error no_such_launch(const std::string& source, std::uint64_t number,
                     const program::ProgramReport& report) {
  constexpr std::size_t most_listed = 20;
  if (report.launch_count == 0)
    return {fmt::format("{} makes no launch ({}); `histolab exec {}` shows what it does", source,
                        ending_text(report), source)};
  std::string text = fmt::format("--launch {}: the program makes {}. Choose one of them", number,
                                 grader::counted(report.launch_count, "launch", "launches"));
  for (std::size_t i = 0; i < std::min(most_listed, report.launches.size()); ++i)
    text += fmt::format("\n{:>5}  {}", i + 1, launch_text(report.launches[i]));
  if (report.launch_count > most_listed)
    text += fmt::format("\n       and {} more", report.launch_count - most_listed);
  return {text};
}

}  // namespace histolab::cli
