// `histolab run --stream`: reports launches while they run, one JSON object per line
// (docs/stream.schema.json).
#pragma once

#include <cstdint>
#include <string>

#include "grader/cli/launch.h"

namespace histolab::cli {

struct StreamFlags {
  std::uint32_t accesses = 0;  // per launch
  std::uint64_t repeat = 1;    // launches; 0 repeats until stopped
  bool control = false;
};

inline constexpr const char* accesses_need_traffic =
    "--accesses needs the emulator's observer \"traffic\": leave out --no-observer traffic and "
    "--device gpu";

// Prints whole lines, from any thread. Ends this process if the reader is gone.
void put_events(const std::string& lines);
// Prints the error as the stream's last line and on the standard error. Returns `code`.
int fail_stream(const Error& error, int code = cannot);

// Returns the exit code. Failures are reported in the stream and on the standard error.
[[nodiscard]] int stream(const Context& context, const LaunchFlags& flags,
                         const grader::LabSpec& lab, const StreamFlags& how);

}  // namespace histolab::cli
