// histolab-viewer: the command line of `histolab view`.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "grader/files/paths.h"
#include "grader/files/write_file.h"
#include "imgui.h"
#include "implot.h"
#include "reference/seconds_since.h"
#include "viewer/app.h"
#include "viewer/backend/screen.h"
#include "viewer/benchmark.h"

namespace {

using namespace histolab;
using namespace histolab::viewer;
using Clock = std::chrono::steady_clock;

struct Flags {
  std::vector<std::string> sources;  // of a program, or "-" for a stream on the standard input
  // Options of `histolab exec` for a program.
  std::vector<std::string> include_dirs, defines, writes;
  std::string standard, schedule, seed, profile;
  std::string labs;  // a folder; the kit's own if empty
  std::string replay, screenshot, theme, layout;
  AppOptions app;
  ScreenSize size;
  double replay_speed = 1, benchmark_s = 10;
  int frames = 0;  // before a screenshot; if 0, until nothing is pending
  bool benchmark = false, offscreen = false, full_screen = false;

  [[nodiscard]] bool reads_stream() const { return sources == std::vector<std::string>{"-"}; }
};

int complain(const Error& error) {
  std::fprintf(stderr, "histolab: %s\n", error.message.c_str());
  return 2;
}

// Owns the contexts of ImGui and ImPlot.
class Contexts {
 public:
  Contexts() {
    ImGui::CreateContext();
    ImPlot::CreateContext();
  }
  ~Contexts() {
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
  }
  Contexts(const Contexts&) = delete;
  Contexts& operator=(const Contexts&) = delete;
};

// Ends all threads and their child processes before main returns.
struct NoThreadLeft {
  ~NoThreadLeft() { WorkerThread::wait_for_all(); }
};

volatile std::sig_atomic_t asked_to_end = 0;

// After a signal the viewer still saves its layout and ends its child processes.
void end_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int number) { asked_to_end = number; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
}

// Returns the standard input as a descriptor without other copies in this process, so that the
// writer notices when it is closed. Returns an Error if the standard input is closed.
Result<int> detach_standard_input() {
  const int stream = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (stream < 0)
    return Error{"the standard input is closed; use: histolab run 01 --stream | histolab view -"};
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && nothing != STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  return stream;
}

Status show_stream(App& app, const Flags& flags, int standard_input) {
  if (!flags.replay.empty()) {
    Feed feed = TRY(Feed::of_file(flags.replay, flags.replay_speed));
    app.workspace().session.show(std::move(feed), fmt::format("a recording, {}", flags.replay));
  } else if (standard_input >= 0) {
    app.workspace().session.show(Feed::of_descriptor(standard_input),
                                 "a stream from the standard input");
  }
  return Done{};
}

Result<std::string> take_picture(Screen& screen) {
  const std::time_t now = std::time(nullptr);
  char name[64];
  std::strftime(name, sizeof name, "histolab-%Y%m%d-%H%M%S.png", std::localtime(&now));
  TRY(write_png(TRY(screen.pixels()), name));
  return std::string{name};
}

void draw_frame(App& app, Clock::time_point begin) {
  ImGui::NewFrame();
  app.update(reference::seconds_since(begin));
  app.draw();
}

int show_window(App& app, Screen& screen, const Flags& flags) {
  // Frame times. Not every display limits the frame rate.
  constexpr double least_s = 1.0 / 240, idle_s = 0.1;
  const Clock::time_point begin = Clock::now();
  if (flags.full_screen) screen.toggle_full_screen();
  // After input, draw a few more frames at the full rate, because ImGui needs some to settle.
  // Without input, ten frames per second are enough.
  int lively = 10;
  while (asked_to_end == 0 && !app.wants_to_close() &&
         screen.begin_frame(app.busy() || lively > 0 ? least_s : idle_s)) {
    draw_frame(app, begin);
    const ImGuiIO& io = ImGui::GetIO();
    lively = ImGui::GetCurrentContext() != nullptr &&
                     (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 ||
                      ImGui::IsAnyItemActive() || io.WantTextInput)
                 ? 10
                 : lively - 1;
    screen.render();
    app.after_frame([&] { return take_picture(screen); });
    if (app.take_full_screen_toggle()) screen.toggle_full_screen();
    screen.present();
  }
  return asked_to_end == 0 ? 0 : 128 + asked_to_end;
}

int take_screenshot(App& app, Screen& screen, const Flags& flags) {
  constexpr double most_s = 60;
  const Clock::time_point begin = Clock::now();
  int settled = 0;
  for (int frame = 1; screen.begin_frame(0); ++frame) {
    if (asked_to_end != 0) return 128 + asked_to_end;
    draw_frame(app, begin);
    screen.render();
    screen.present();
    settled = app.busy() ? 0 : settled + 1;
    if (flags.frames > 0 ? frame >= flags.frames : settled >= 5) break;
    if (flags.frames == 0 && reference::seconds_since(begin) > most_s) {
      std::fprintf(stderr,
                   "histolab: the viewer was still busy after %.0f s and took the picture then "
                   "(--frames N takes it earlier)\n",
                   most_s);
      break;
    }
    if (app.busy()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  const Result<Image> image = screen.pixels();
  if (!image) return complain(image.error());
  if (Status written = write_png(*image, flags.screenshot); !written)
    return complain(written.error());
  const LiveRun& run = app.workspace().session.run();
  if (run.phase() == LiveRun::Phase::failed)
    return complain({fmt::format("the picture shows no launch: {}", run.failure())});
  return 0;
}

int benchmark(App& app, Screen& screen, const Flags& flags) {
  constexpr double warm_up_s = 1;  // rasterizes fonts, computes layouts
  FrameCosts costs;
  app.workspace().choice.repeat = true;
  app.workspace().session.start(app.workspace().choice);
  const Clock::time_point begin = Clock::now();
  double memory_begin = 0;
  while (asked_to_end == 0 && reference::seconds_since(begin) < warm_up_s + flags.benchmark_s) {
    const double before = thread_cpu_ms();
    if (!screen.begin_frame(0)) break;
    draw_frame(app, begin);
    ImGui::Render();
    const double drawn = thread_cpu_ms();
    screen.render();
    screen.present();
    const double presented = thread_cpu_ms();
    if (costs.first_frame_ms == 0) costs.first_frame_ms = process_age_ms();
    if (reference::seconds_since(begin) < warm_up_s) continue;
    if (memory_begin == 0) memory_begin = resident_mb();
    costs.cpu_ms.push_back(drawn - before);
    costs.submit_ms.push_back(presented - drawn);
  }
  const std::string json = benchmark_json(costs, app.panels(), screen.renderer(), flags.benchmark_s,
                                          memory_begin, resident_mb());
  const Status written = grader::write_file("-", json);
  return written ? 0 : complain(written.error());
}

int view(const Flags& flags) {
  const bool picture = !flags.screenshot.empty();
  if (picture)
    if (Status writable = grader::check_writable(flags.screenshot); !writable)
      return complain(writable.error());
  int standard_input = -1;
  if (flags.reads_stream()) {
    const Result<int> taken = detach_standard_input();
    if (!taken) return complain(taken.error());
    standard_input = *taken;
  }
  Places places = find_places(grader::own_executable());
  places.labs = flags.labs;
  if (flags.app.tour) {  // check before a window opens
    const Result<Tour> tour = read_tour(places.tour);
    if (!tour) return complain(tour.error());
    if (Status there = check_stop(*tour, flags.app.tour_stop); !there)
      return complain(there.error());
  }
  end_on_signals();
  const NoThreadLeft no_thread_left;
  const Contexts contexts;
  Result<std::unique_ptr<Screen>> screen =
      picture || flags.offscreen ? open_offscreen(flags.size) : open_window(flags.size);
  if (!screen) return complain(screen.error());
  Result<std::unique_ptr<App>> app = App::make(std::move(places), flags.app);
  if (!app) return complain(app.error());
  if (Status shown = show_stream(**app, flags, standard_input); !shown)
    return complain(shown.error());
  if (picture) return take_screenshot(**app, **screen, flags);
  if (flags.benchmark) return benchmark(**app, **screen, flags);
  return show_window(**app, **screen, flags);
}

// The words of `histolab exec` for a program's build.
std::vector<std::string> options_of_exec(const Flags& flags) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  for (const std::string& folder : flags.include_dirs) add("--include", folder);
  for (const std::string& macro : flags.defines) add("--define", macro);
  for (const std::string& folder : flags.writes) add("--write", folder);
  add("--std", flags.standard), add("--schedule", flags.schedule);
  add("--seed", flags.seed), add("--profile", flags.profile);
  return words;
}

int run(int argc, char** argv) {
  Flags flags;
  CLI::App app{"shows histograms, races and memory traffic live", "histolab view"};
  app.footer(
      "Panels: histogram, throughput, sweep, race, warp, source, models, compare\n"
      "Example:\n"
      "  histolab view --lab 01\n"
      "  histolab view --tour --full-screen\n"
      "  histolab view histogram.cu --launch 3 -- program's arguments\n"
      "  histolab run 01 --stream | histolab view -\n"
      "  ssh HOST histolab run 02 --device gpu --stream --repeat 0 | histolab view -\n"
      "  histolab view --screenshot race.png --panel race --size 1920x1080");
  CLI::Option* const sources =
      app.add_option("FILE", flags.sources, "a program's sources; or - for a stream")
          ->type_name("");
  app.add_option("--launch", flags.app.program.launch, "program: number of the launch (1)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40).description(""))
      ->needs(sources)
      ->type_name("N");
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return app.add_option(name, values, help)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)  // a file may follow
        ->needs(sources);
  };
  list("-I,--include", flags.include_dirs, "program: folder of headers")->type_name("DIR");
  list("-D,--define", flags.defines, "program: a macro, NAME or NAME=VALUE")->type_name("NAME");
  list("--write", flags.writes, "program: folder in which it may write")->type_name("DIR");
  const auto passed_on = [&](const char* name, std::string& value, const char* help) {
    return app.add_option(name, value, help)->needs(sources);
  };
  passed_on("--std", flags.standard, "program: C++ standard (c++17)")->type_name("NAME");
  passed_on("--schedule", flags.schedule, "program: order of threads (lockstep)")
      ->type_name("NAME");
  passed_on("--seed", flags.seed, "program: seed of random schedules (1)")->type_name("N");
  passed_on("--profile", flags.profile, "program: GPU of modelled times (h200)")->type_name("NAME");
  app.add_option("--lab", flags.app.lab, "first lab (01-race)")->type_name("LAB");
  app.add_option("--labs", flags.labs, "folder of the labs, instead of the kit's own")
      ->type_name("DIR");
  app.add_option("--kernel", flags.app.kernel, "kernel (work/<LAB>.cu, else the solution)")
      ->type_name("FILE");
  app.add_option("--dataset", flags.app.dataset, "a generator's name, or a file (english)")
      ->type_name("NAME|FILE");
  app.add_option("--device", flags.app.device, "emulator, gpu or gpu:N (emulator)")
      ->type_name("NAME");
  app.add_option("--panel", flags.app.panel, "show only this panel")->type_name("NAME");
  CLI::Option* const tour =
      app.add_flag("--tour", flags.app.tour, "present the labs, stop by stop");
  app.add_option("--stop", flags.app.tour_stop, "first stop of the tour (1)")
      ->needs(tour)
      ->type_name("N");
  CLI::Option* const replay = app.add_option("--replay", flags.replay, "play a recorded stream")
                                  ->excludes(sources)
                                  ->type_name("FILE");
  app.add_option("--replay-speed", flags.replay_speed, "replay speed (1); 0: without pauses")
      ->needs(replay)
      ->check(CLI::Range(0.0, 1000.0).description(""))
      ->type_name("X");
  CLI::Option* const screenshot =
      app.add_option("--screenshot", flags.screenshot, "draw a picture without a display and exit")
          ->type_name("PNG");
  app.add_option("--frames", flags.frames, "frames before the picture (default: until idle)")
      ->needs(screenshot)
      ->check(CLI::Range(1, 100'000).description(""))
      ->type_name("N");
  CLI::Option* const benchmark =
      app.add_flag("--benchmark", flags.benchmark, "time frames during launches; print JSON")
          ->excludes(sources)
          ->excludes(replay)
          ->excludes(screenshot);
  app.add_option("--seconds", flags.benchmark_s, "duration of the benchmark (10)")
      ->needs(benchmark)
      ->check(CLI::Range(0.1, 86'400.0).description(""))
      ->type_name("S");
  app.add_flag("--offscreen", flags.offscreen, "draw the benchmark without a display")
      ->needs(benchmark);
  app.set_version_flag(
      "--version",
      fmt::format("histolab-viewer {}, Dear ImGui {}, ImPlot {}, GLFW {}", HISTOLAB_VERSION,
                  IMGUI_VERSION, IMPLOT_VERSION, glfwGetVersionString()));
  std::string size;
  app.add_option("--size", size, "size of the window or picture in pixels (1280x720)")
      ->type_name("WxH");
  app.add_option("--theme", flags.theme, "dark or light (last used)")
      ->check(CLI::IsMember({"dark", "light"}).description(""))
      ->type_name("NAME");
  app.add_option("--layout", flags.layout, "lecture, student, program or all (saved layout)")
      ->check(CLI::IsMember({"lecture", "student", "all", "program"}).description(""))
      ->type_name("NAME");
  app.add_option("--scale", flags.app.font_scale, "text size, as a factor (last used)")
      ->check(CLI::Range(0.5, 3.0).description(""))
      ->type_name("X");
  app.add_flag("--full-screen", flags.full_screen, "fill the screen")->excludes(screenshot);
  // Arguments of a program follow "--".
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view{word} == "--"; });
  if (dashes != end) flags.app.program.arguments.assign(dashes + 1, end);
  try {
    app.parse(static_cast<int>(dashes - argv), argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain({fmt::format("{} (`histolab view --help` shows how)", error.what())});
  }
  if (!flags.reads_stream()) flags.app.program.files = flags.sources;
  for (const std::string& file : flags.app.program.files)
    if (std::error_code ignored; !std::filesystem::exists(file, ignored))
      return complain(
          {fmt::format("{}: there is no such file (a lab is chosen with --lab)", file)});
  flags.app.program.options = options_of_exec(flags);
  const ProgramChoice& program = flags.app.program;
  const bool has_options =
      !program.options.empty() || !program.arguments.empty() || program.launch != 0;
  const AppOptions& wanted = flags.app;
  const bool names_lab = !wanted.lab.empty() || !wanted.kernel.empty() || !wanted.dataset.empty() ||
                         !wanted.device.empty() || wanted.tour;
  if (names_lab && !program.files.empty())
    return complain({"--lab, --kernel, --dataset, --device and --tour are for labs; " +
                     program.files.front() + " is a whole program"});
  if (has_options && program.files.empty())
    return complain({"--launch, --include and the like are for a whole program: name its source"});
  if (!size.empty() &&
      (std::sscanf(size.c_str(), "%dx%d", &flags.size.width, &flags.size.height) != 2 ||
       flags.size.width < 64 || flags.size.height < 64 || flags.size.width > 16'384 ||
       flags.size.height > 16'384))
    return complain(
        {fmt::format("--size {}: use the form 1280x720, with 64 to 16384 pixels each way", size)});
  if (!flags.theme.empty()) flags.app.theme = flags.theme == "light" ? Theme::light : Theme::dark;
  if (!flags.layout.empty())
    flags.app.layout = flags.layout == "all"       ? Layout::all
                       : flags.layout == "program" ? Layout::program
                       : flags.layout == "student" ? Layout::student
                                                   : Layout::lecture;
  if (flags.benchmark && !flags.app.layout) flags.app.layout = Layout::all;
  flags.app.remember = flags.screenshot.empty() && !flags.benchmark;
  flags.app.run_at_once = !flags.reads_stream() && flags.replay.empty() && !flags.benchmark;
  return view(flags);
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain({"not enough memory"});
  } catch (const std::exception& error) {
    return complain({fmt::format("a bug in the viewer: {}", error.what())});
  }
}
