// LaunchChoice: what a person has chosen to run, and the `histolab run` that does it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace histolab::viewer {

struct LaunchChoice {
  std::string lab = "01-race";
  std::string kernel;  // a file; empty: the lab's own choice (`histolab run` says which)
  std::string dataset = "english";  // a generator or a file
  std::string text;                 // typed; where it is not empty it is the data
  std::uint64_t length = 65'536;    // of a generator
  std::uint32_t grid = 0;           // 0: what the lab's contract gives
  std::uint32_t block = 256;
  std::map<std::string, std::uint32_t> exports;  // tunables that replace the kernel's own
  std::string schedule = "lockstep";
  std::string block_order = "ascending";
  std::string device = "emulator";
  std::uint64_t seed = 1;
  bool repeat = false;  // launch after launch, each with the next seed

  bool operator==(const LaunchChoice&) const = default;
};

struct NamedText {
  const char* name;
  const char* about;
};
// In the order in which they are offered.
[[nodiscard]] const std::vector<NamedText>& schedules();
[[nodiscard]] const std::vector<NamedText>& block_orders();
[[nodiscard]] const std::vector<NamedText>& datasets_offered();

// The words after the program's name. The launch listens to commands on its standard input
// (`--control`).
[[nodiscard]] std::vector<std::string> stream_command(const LaunchChoice& choice);
// The same for a person to type: without what only the viewer needs.
[[nodiscard]] std::string typed_command(const LaunchChoice& choice);

}  // namespace histolab::viewer
