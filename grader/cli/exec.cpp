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
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "grader/cli/devices.h"
#include "grader/cli/launch.h"
#include "grader/cli/program_gpu.h"
#include "grader/cli/program_report.h"
#include "grader/cli/program_stream.h"
#include "grader/cli/run_display.h"
#include "grader/cli/whole_program.h"
#include "grader/files/paths.h"
#include "grader/files/write_file.h"
#include "grader/pipeline/modelled.h"
#include "grader/pipeline/profile_json.h"
#include "grader/watch/file_watch.h"
#include "grader/words/words.h"
#include "kernels/program/build/build.h"
#include "kernels/program/run/program_run.h"
#include "reference/fields.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
namespace program = kernels::program;

constexpr std::size_t most_kept = 256 << 10;  // bytes of output for a page

struct ExecFlags : ProgramFlags {
  std::string device = "emulator", json, html;
  bool watch = false, poll = false, stream = false;
  std::uint32_t accesses = 0;  // for a stream
};

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
                     program::ProgramSettings settings, const kernels::EmulatorPaths& paths,
                     bool is_watched = false) {
  Sources sources;
  const program::Built built = TRY(built_program(context, flags, paths, sources));
  if (built.executable.empty()) return int{not_passed};
  settings.executable = built.executable;

  ExecReport exec;
  if (!flags.html.empty()) {
    const auto kept = [&exec](const std::function<void(std::string_view)>& pass) {
      return [&exec, pass](std::string_view text) {
        const std::size_t room = most_kept - std::min(most_kept, exec.output.size());
        exec.output += text.substr(0, room);
        exec.output_is_cut |= text.size() > room;
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
    settings.modelled_ms = grader::launch_model(*profile);
  }
  std::optional<LastWords> last_words;
  if (!is_watched) settings.stop = &last_words.emplace().stop();
  {
    LaunchProgress progress;
    const auto clearing = [&progress](const std::function<void(std::string_view)>& pass) {
      return [&progress, pass](std::string_view text) {
        progress.clear();
        pass(text);
      };
    };
    settings.on_output = clearing(settings.on_output);
    settings.on_errors = clearing(settings.on_errors);
    settings.on_begin = [&progress](std::uint64_t number, const program::ReportedLaunch& launch) {
      progress.begin(number, launch);
    };
    exec.run = TRY(program::run_program(settings, paths));
  }
  exec.sources = flags.files;
  exec.arguments = settings.arguments;
  exec.schedule = flags.schedule;
  exec.seed = flags.seed;
  exec.profile = flags.profile;
  const std::string summary = summary_text(exec, sources);
  if (last_words) last_words->give(summary);
  last_words.reset();
  note(summary);
  TRY(write_files(flags, exec, sources));
  return exit_code(exec.run);
}

// Runs the program on another thread, which a save interrupts.
class WatchedRun {
 public:
  WatchedRun(const Context& context, const ExecFlags& flags,
             const program::ProgramSettings& settings, kernels::EmulatorPaths paths)
      : thread_([&, paths = std::move(paths)]() mutable {
          paths.cancellation = &cancellation_;
          const Result<int> code = run_once(context, flags, settings, paths, true);
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
  Result<program::ProgramSettings> settings = program_settings(context, flags);
  if (!settings) return complain(settings.error());
  if (flags.watch) settings->input = -1;
  if (const std::optional<int> number = gpu_number(flags.device)) {
    const Result<int> code = run_on_gpu(context, build_of(flags), *settings, *number);
    return code ? *code : complain(code.error());
  }
  if (flags.device != "emulator")
    return complain(
        {fmt::format("there is no device \"{}\"; the devices are emulator, gpu and "
                     "gpu:N",
                     flags.device)});
  if (flags.stream) return stream_program(context, flags, flags.accesses);
  const Result<kernels::EmulatorPaths> paths = emulator_paths(context);
  if (!paths) return complain(paths.error());
  if (flags.watch) return watch(context, flags, *settings, *paths);
  const Result<int> code = run_once(context, flags, *settings, *paths);
  return code ? *code : complain(code.error());
}

// Returns whether the option only has a meaning on the emulator.
bool needs_emulator(const CLI::Option& option) {
  static const std::vector<std::string> others{"device", "include", "define", "std"};
  return !option.get_positional() &&
         std::ranges::find(others, option.get_lnames().front()) == others.end();
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
                   "CUDA and C++ sources, objects, archives; arguments after -- go to the program")
      ->required()
      ->type_name("");
  add_build_options(*command, *flags);
  command
      ->add_option("--device", flags->device,
                   "emulator; gpu or gpu:N: compiles with nvcc and runs on that GPU (emulator)")
      ->type_name("NAME");
  CLI::Option* json = command
                          ->add_option("--json", flags->json,
                                       "writes launches and findings to a file "
                                       "(docs/exec.schema.json)")
                          ->type_name("FILE");
  CLI::Option* html =
      command->add_option("--html", flags->html, "writes the run as a web page")->type_name("FILE");
  CLI::Option* watch =
      command->add_flag("--watch", flags->watch, "builds and runs again at each save of a source");
  command
      ->add_flag("--poll", flags->poll,
                 "with --watch: checks the files a few times a second, without notifications")
      ->needs(watch);
  CLI::Option* stream =
      command
          ->add_flag("--stream", flags->stream,
                     "one launch, as one JSON object per line (docs/stream.schema.json)")
          ->excludes(json)
          ->excludes(html)
          ->excludes(watch);
  add_launch_option(*command, *flags, "with --stream: ")->needs(stream);
  command
      ->add_option("--accesses", flags->accesses,
                   "with --stream: the first N memory accesses of warps")
      ->check(CLI::Range(1u, kernels::Options::most_recorded).description(""))
      ->type_name("N")
      ->needs(stream);
  command
      ->add_option("--watched-launches", flags->watched_launches,
                   "watches the first N launches of each kernel and shape (3)")
      ->type_name("N");
  command
      ->add_option("--profile", flags->profile,
                   "the GPU whose limits and times apply (" + flags->profile + ")")
      ->type_name("NAME");
  command
      ->add_option("--schedule", flags->schedule, grader::either(schedule_names()) + " (lockstep)")
      ->type_name("NAME");
  command->add_option("--seed", flags->seed, "seed for random schedules (1)")->type_name("N");
  command->add_option("--no-observer", flags->observers_off, "turn off an observer")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command->callback([&context, command, flags] {
    if (gpu_number(flags->device)) {
      context.needs = "gpu";
      for (const CLI::Option* each : command->get_options({}))
        if (each->count() != 0 && needs_emulator(*each))
          throw CLI::ValidationError(each->get_name(),
                                     "works only with the emulator, not with --device gpu");
    }
    context.run = [&context, flags] { return exec(context, *flags); };
  });
}

}  // namespace histolab::cli
