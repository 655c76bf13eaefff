// histolab-fuzz: runs random kernels, correct and wrong, on the emulator and on a separate model.
// See tools/fuzz.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>

#include "kernels/worker/client.h"
#include "kernels/worker/processes/process.h"
#include "reference/seconds_since.h"
#include "tools/fuzzer/compare.h"
#include "tools/fuzzer/generate.h"

using namespace histolab;
using namespace histolab::fuzzer;

namespace {

std::atomic<bool> stopped = false;  // a signal handler cannot be given an argument
void on_signal(int) { stopped = true; }

using Clock = std::chrono::steady_clock;

struct Settings {
  double seconds = 60;
  std::uint64_t seed = 1, first = 0, most = ~0ull;
  bool no_minimizing = false, print = false, strict = false;
};

struct Tally {
  std::uint64_t right = 0, wrong = 0;
  std::map<std::string, std::uint64_t> mistakes, known;
  [[nodiscard]] std::uint64_t kernels() const { return right + wrong; }
};

// Returns kernel `number` of a seed, independent of the kernels before it.
Program kernel(std::uint64_t seed, std::uint64_t number, std::optional<std::string>& mistake) {
  Random random(seed * 0x2545f4914f6cdd1dull + number);
  Program program = generate(random);
  if (random.one_in(3)) mistake = spoil(program, random);
  return program;
}

void report(kernels::Device& device, const Settings& settings, std::uint64_t number,
            const Program& program, const Disagreement& found) {
  fmt::print("\nkernel {} of seed {} disagrees about {}\n{}\n{}", number, settings.seed,
             found.detail, "", source_of(program));
  if (!settings.no_minimizing && found.about != "model") {
    fmt::print("\nsmaller, with the same kind of disagreement (Ctrl-C ends the search):\n");
    std::fflush(stdout);
    const Program small = minimized(device, program, found, stopped);
    const auto again = compare(device, small, false);
    fmt::print("{}\n{}", again && *again ? (*again)->detail : "", source_of(small));
  }
  fmt::print("\nagain: tools/fuzz --seed {} --first {} --count 1\n", settings.seed, number);
}

int fuzz(kernels::Device& device, const Settings& settings) {
  const Clock::time_point begin = Clock::now();
  double told = 0;
  Tally tally;
  const auto summary = [&] {
    fmt::print("{} kernels ({} right, {} with a mistake) in {:.0f} s, {:.1f} a second; seed {}\n",
               tally.kernels(), tally.right, tally.wrong, reference::seconds_since(begin),
               static_cast<double>(tally.kernels()) / reference::seconds_since(begin),
               settings.seed);
    std::fflush(stdout);
  };
  for (std::uint64_t number = settings.first;
       number - settings.first < settings.most &&
       reference::seconds_since(begin) < settings.seconds && !stopped;
       ++number) {
    std::optional<std::string> mistake;
    const Program program = kernel(settings.seed, number, mistake);
    if (settings.print) fmt::print("{}\n", source_of(program));
    const auto found = compare(device, program, !mistake);
    if (stopped) break;
    if (!found) {
      fmt::print(stderr, "fuzz: {}\n", found.error().message);
      return 2;
    }
    if (*found && ((*found)->known == nullptr || settings.strict)) {
      report(device, settings, number, program, **found);
      summary();
      return 1;
    }
    if (*found) ++tally.known[(*found)->known];
    ++(mistake ? tally.wrong : tally.right);
    if (mistake) ++tally.mistakes[*mistake];
    if (reference::seconds_since(begin) - told >= 10) {
      told = reference::seconds_since(begin);
      summary();
    }
  }
  summary();
  for (const auto& [mistake, count] : tally.mistakes) fmt::print("{:8} {}\n", count, mistake);
  for (const auto& [why, count] : tally.known)
    fmt::print("{:8} counted with other requests, a known limit: {}\n", count, why);
  fmt::print("no other disagreement\n");
  return stopped ? 130 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Runs small random histogram kernels, right and wrong ones, on the emulator under each "
      "schedule.\n"
      "Compares results with the sequential histogram, and findings and counters with a slow\n"
      "model that shares no code with the emulator. Stops at the first difference.\n"
      "Exit status: 0 no difference, 1 a difference, 2 the machine failed, 130 Ctrl-C."};
  Settings settings;
  app.add_option("--seconds", settings.seconds, "duration")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", settings.seed, "which kernels; the same seed makes the same ones")
      ->capture_default_str();
  app.add_option("--first", settings.first, "the number of the first kernel")
      ->capture_default_str();
  app.add_option("--count", settings.most, "maximum number of kernels");
  app.add_flag("--no-minimizing", settings.no_minimizing,
               "do not look for a smaller kernel that differs too");
  app.add_flag("--strict", settings.strict, "stop at known limits of the counters too");
  app.add_flag("--print", settings.print, "print each kernel");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  signal(SIGINT, on_signal);
  signal(SIGTERM, on_signal);
  const auto device =
      kernels::make_emulator({.worker = HISTOLAB_BIN "/histolab-worker",
                              .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"});
  return fuzz(*device, settings);
}
