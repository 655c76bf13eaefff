// StreamInput: control of a running stream, by commands on the standard input.
//
//    pause    run    step N    speed N    quit
//
// A thread of its own listens. `quit` ends the process at once, and so does a reader that closes
// its end of the standard output.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>

#include "grader/cli/stream_watch.h"
#include "reference/result.h"

namespace histolab::cli {

class StreamInput {
 public:
  // Reads commands if `control` is true. End of input means `run`.
  StreamInput(StreamWatch& watch, bool control);
  StreamInput(const StreamInput&) = delete;
  StreamInput& operator=(const StreamInput&) = delete;
  ~StreamInput();

 private:
  void listen(bool control);
  void execute(std::string_view line);

  StreamWatch& watch_;
  int wake_[2] = {-1, -1};  // a pipe that wakes the thread so that it ends
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

// True if the reader of the standard output is gone.
[[nodiscard]] bool reader_is_gone();

}  // namespace histolab::cli
