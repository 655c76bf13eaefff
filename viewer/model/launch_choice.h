// LaunchChoice: the launch that the user has chosen, and its `histolab run` or `histolab exec`
// command.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace histolab::viewer {

// A whole program. It has no files if the chosen launch is that of a lab's kernel.
struct ProgramChoice {
  std::vector<std::string> files;      // its sources
  std::vector<std::string> options;    // of `histolab exec`, such as --include
  std::vector<std::string> arguments;  // of the program
  std::uint64_t launch = 0;            // number of the launch to show; 0 means the first

  bool operator==(const ProgramChoice&) const = default;
};

struct LaunchChoice {
  ProgramChoice program;  // if it has files, the members below do not count
  std::string lab = "01-race";
  std::string kernel;               // a file; if empty, the default of `histolab run`
  std::string dataset = "english";  // a generator or a file
  std::string text;                 // typed by the user; replaces the dataset unless empty
  std::uint64_t length = 65'536;    // elements to generate; ignored for a file
  std::uint32_t grid = 0;           // if 0, as in the lab's contract
  std::uint32_t block = 256;
  std::map<std::string, std::uint32_t> exports;  // values that override the kernel's tunables
  std::string schedule = "lockstep";
  std::string block_order = "ascending";
  std::string device = "emulator";
  std::uint64_t seed = 1;
  bool repeat = false;  // repeat the launch, each time with the next seed

  [[nodiscard]] bool is_program() const { return !program.files.empty(); }
  bool operator==(const LaunchChoice&) const = default;
};

struct NamedText {
  const char* name;
  const char* about;
};
// In display order.
[[nodiscard]] const std::vector<NamedText>& schedules();
[[nodiscard]] const std::vector<NamedText>& block_orders();
[[nodiscard]] const std::vector<NamedText>& datasets_offered();

// The arguments after the program's name. A lab's launch reads commands from its standard input
// (`--control`).
[[nodiscard]] std::vector<std::string> stream_command(const LaunchChoice& choice);
// The same command for a terminal, without the options that only the viewer needs.
[[nodiscard]] std::string typed_command(const LaunchChoice& choice);

}  // namespace histolab::viewer
