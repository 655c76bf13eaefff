// histolab exec
#include <elf.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <thread>

#include "grader/cli/command.h"
#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/cli/program_gpu.h"
#include "grader/cli/program_report.h"
#include "grader/files/paths.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/profile_json.h"
#include "grader/watch/file_watch.h"
#include "grader/words/words.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"
#include "reference/fields.h"
#include "reference/time_model.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
namespace program = kernels::program;

constexpr std::size_t most_kept = 1 << 20;  // bytes of output for a page

struct ExecFlags {
  std::vector<std::string> files, include_dirs, defines, observers_off;
  std::string standard = program::Build{}.standard;
  std::string profile = kernels::LaunchConfig{}.profile;
  std::string schedule = "lockstep";
  std::uint64_t seed = 1;
  std::uint32_t watched_launches = program::ProgramSettings{}.watched_launches;
  std::string device = "emulator", json, html;
  bool watch = false, poll = false;
};

// Whether the only file is a program that was built before: an executable in the format ELF.
bool is_built(const ExecFlags& flags) {
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

Result<program::ProgramSettings> settings_of(const Context& context, const ExecFlags& flags) {
  program::ProgramSettings settings;
  settings.name = fs::path(flags.files[0]).stem().string();
  // As a user would start it.
  settings.started_as = is_built(flags) ? grader::shown(flags.files[0]) : settings.name;
  if (settings.started_as.find('/') == std::string::npos) settings.started_as.insert(0, "./");
  settings.arguments = context.program_words;
  settings.directory = fs::current_path().string();
  for (const std::string& file : flags.files) settings.reads.push_back(absolute_folder(file));
  settings.input = flags.watch ? -1 : STDIN_FILENO;
  settings.profile = flags.profile;
  settings.watched_launches = flags.watched_launches;
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

// Returns an Error if the confined program cannot start in the current folder: as root, it is
// another user's.
Status check_folder(const std::string& folder, const kernels::EmulatorPaths& paths) {
  std::error_code ignored;
  const fs::perms others = fs::status(folder, ignored).permissions();
  if (paths.confinement == nullptr || geteuid() != 0 ||
      (others & fs::perms::others_exec) != fs::perms::none)
    return Done{};
  return Error{fmt::format(
      "{}: root's programs run as another user, which cannot enter this folder: type `chmod o+rx "
      "{}`, or work in another folder",
      folder, folder)};
}

program::Build build_of(const ExecFlags& flags) {
  program::Build build;
  build.sources = flags.files;
  build.include_dirs = flags.include_dirs;
  build.readable = {".."};
  build.defines = flags.defines;
  build.standard = flags.standard;
  return build;
}

// Builds the program. Returns an empty path if it does not compile; the messages are printed.
Result<program::Built> build_for(const ExecFlags& flags, const kernels::EmulatorPaths& paths,
                                 const std::string& runtime_library, Sources& sources) {
  if (is_built(flags)) {
    program::Built built;
    built.executable = fs::absolute(flags.files[0]).string();
    return built;
  }
  program::Built built = TRY(program::build_program(build_of(flags), paths, runtime_library));
  note_diagnostics(built.diagnostics, sources);
  return built;
}

Status write_files(const ExecFlags& flags, const ExecReport& exec, Sources& sources) {
  if (!flags.json.empty()) TRY(grader::write_file(flags.json, to_json(exec)));
  if (!flags.html.empty()) TRY(grader::write_file(flags.html, to_page(exec, sources)));
  return Done{};
}

int exit_code(const program::ProgramReport& run) {
  if (!run.end.exited) return 128 + run.end.status;
  if (run.end.status != 0) return run.end.status;
  return run.has_errors() ? not_passed : done;
}

// Builds the program, runs it once and reports.
Result<int> run_once(const Context& context, const ExecFlags& flags,
                     program::ProgramSettings settings, const kernels::EmulatorPaths& paths) {
  Sources sources;
  const program::Built built = TRY(build_for(flags, paths, context.paths.runtime_library, sources));
  if (built.executable.empty()) return int{not_passed};
  settings.executable = built.executable;

  ExecReport exec;
  if (!flags.html.empty()) {
    const auto kept = [&exec](const std::function<void(std::string_view)>& pass) {
      return [&exec, pass](std::string_view text) {
        const std::size_t room = most_kept - std::min(most_kept, exec.output.size());
        exec.output += text.substr(0, room);
        pass(text);
      };
    };
    settings.on_output = kept(settings.on_output);
    settings.on_errors = kept(settings.on_errors);
  }
  const Result<reference::TimingProfile> profile =
      grader::load_profile(context.paths.profiles, flags.profile);
  if (profile) {
    exec.modelled_device = profile->device;
    settings.modelled_ms = [&](const kernels::Observation& observation, std::uint64_t bytes) {
      const std::uint64_t loaded = observation.counters.global_load.bytes;
      return reference::estimate(*profile, {.counters = observation.counters,
                                            .pressure = observation.pressure,
                                            .input_bytes = std::min(bytes, loaded)})
                 .total_ns /
             1e6;
    };
  }
  exec.run = TRY(program::run_program(settings, paths));
  exec.sources = flags.files;
  exec.arguments = settings.arguments;
  exec.schedule = flags.schedule;
  exec.seed = flags.seed;
  exec.profile = flags.profile;
  note(summary_text(exec, sources));
  TRY(write_files(flags, exec, sources));
  return exit_code(exec.run);
}

// The sources and the files next to them that they include in quotes, and so on.
std::set<std::string> watched_files(const std::vector<std::string>& sources) {
  static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,200})")re");
  std::set<std::string> files;
  std::vector<std::string> open = sources;
  while (!open.empty() && files.size() < 200) {
    const std::string file = std::move(open.back());
    open.pop_back();
    if (!files.insert(file).second) continue;
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) {
      std::smatch match;
      if (line.size() > 1000 || !std::regex_search(line, match, include)) continue;
      const fs::path name = fs::path(file).parent_path() / match[1].str();
      if (fs::is_regular_file(name)) open.push_back(name.lexically_normal().string());
    }
  }
  return files;
}

// Runs the program on another thread, which a save interrupts.
class WatchedRun {
 public:
  WatchedRun(const Context& context, const ExecFlags& flags,
             const program::ProgramSettings& settings, kernels::EmulatorPaths paths)
      : thread_([&, paths = std::move(paths)]() mutable {
          paths.cancellation = &cancellation_;
          const Result<int> code = run_once(context, flags, settings, paths);
          if (cancellation_.cancelled()) return;
          if (!code) complain(code.error());
          note("\nwatching; Ctrl-C ends it\n");
        }) {}
  ~WatchedRun() { cancellation_.cancel(); }
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

 private:
  kernels::Cancellation cancellation_;
  std::jthread thread_;  // joined first
};

int watch(const Context& context, const ExecFlags& flags, const program::ProgramSettings& settings,
          const kernels::EmulatorPaths& paths) {
  std::map<std::string, grader::FileWatch> watches;
  std::optional<WatchedRun> run;
  for (bool is_new = true;;) {
    if (is_new) {
      run.reset();
      for (const std::string& file : watched_files(flags.files))
        watches.try_emplace(file, file, flags.poll);
      note(isatty(STDERR_FILENO) != 0 ? "\x1b[H\x1b[2J" : "");
      note(fmt::format("histolab: running {}\n", fmt::join(flags.files, " ")));
      run.emplace(context, flags, settings, paths);
    }
    std::vector<pollfd> descriptors;
    int longest = std::numeric_limits<int>::max();
    for (const auto& [file, each] : watches) {
      descriptors.push_back({each.descriptor(), POLLIN, 0});
      longest = std::min(longest, static_cast<int>(each.interval().count()));
    }
    if (poll(descriptors.data(), descriptors.size(), longest) < 0 && errno != EINTR)
      return complain({fmt::format("cannot wait for a save: {}", std::strerror(errno))});
    is_new = false;
    for (auto& [file, each] : watches) is_new |= each.changed();
  }
}

int exec(const Context& context, const ExecFlags& flags) {
  const Result<program::ProgramSettings> settings = settings_of(context, flags);
  if (!settings) return complain(settings.error());
  if (const std::optional<int> number = gpu_number(flags.device)) {
    if (flags.watch || !flags.json.empty() || !flags.html.empty())
      return complain(
          {"--json, --html and --watch need the emulator, which finds what they report"});
    const Result<int> code = run_on_gpu(context, build_of(flags), *settings, *number);
    return code ? *code : complain(code.error());
  }
  if (flags.device != "emulator")
    return complain(
        {fmt::format("there is no device \"{}\"; the devices are emulator, gpu and "
                     "gpu:N",
                     flags.device)});
  const Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return complain(paths.error());
  if (const Status open = check_folder(settings->directory, *paths); !open)
    return complain(open.error());
  if (flags.watch) return watch(context, flags, *settings, *paths);
  const Result<int> code = run_once(context, flags, *settings, *paths);
  return code ? *code : complain(code.error());
}

}  // namespace

void add_exec(CLI::App& app, Context& context) {
  CLI::App* command =
      add_command(app, "exec", "runs a whole CUDA program on the emulator",
                  "histolab exec histogram.cu\n"
                  "histolab exec main.cu kernels.cu --include headers --json run.json");
  const auto flags = std::make_shared<ExecFlags>();
  command
      ->add_option("FILE", flags->files,
                   "CUDA and C++ sources, objects, archives; words after -- are the program's")
      ->required()
      ->type_name("");
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return command->add_option(name, values, help)->expected(1)->take_all();
  };
  list("-I,--include", flags->include_dirs, "folder of headers")->type_name("DIR");
  list("-D,--define", flags->defines, "defines a macro: NAME or NAME=VALUE")->type_name("NAME");
  command->add_option("--std", flags->standard, "C++ standard, c++11 or later (c++17)")
      ->type_name("NAME");
  command
      ->add_option("--device", flags->device,
                   "emulator, gpu or gpu:N: compiles with nvcc and runs there (emulator)")
      ->type_name("NAME");
  command
      ->add_option("--json", flags->json,
                   "writes launches and findings to a file (docs/exec.schema.json)")
      ->type_name("FILE");
  command->add_option("--html", flags->html, "writes the run as a page")->type_name("FILE");
  CLI::Option* watch =
      command->add_flag("--watch", flags->watch, "builds and runs again at each save of a source");
  command
      ->add_flag("--poll", flags->poll,
                 "with --watch: check the files a few times a second, without notifications")
      ->needs(watch);
  command
      ->add_option("--watched-launches", flags->watched_launches,
                   "watch the first N launches of each kernel and shape (3)")
      ->type_name("N");
  command
      ->add_option("--profile", flags->profile,
                   "the GPU whose limits and times apply (" + flags->profile + ")")
      ->type_name("NAME");
  command
      ->add_option("--schedule", flags->schedule, grader::either(schedule_names()) + " (lockstep)")
      ->type_name("NAME");
  command->add_option("--seed", flags->seed, "seed for random schedules (1)")->type_name("N");
  list("--no-observer", flags->observers_off, "turn off an observer")->type_name("NAME");
  command->callback([&context, flags] {
    if (gpu_number(flags->device)) context.needs = "gpu";
    context.run = [&context, flags] { return exec(context, *flags); };
  });
}

}  // namespace histolab::cli
