// StreamInput: what is said to a stream while it runs, by the commands on the standard input or by
// going away.
//
//   pause    run    step N    speed N    quit
//
// A thread of its own listens. `quit`, and a reader that closes its end of the standard output, end
// the process at once.
#pragma once

#include <atomic>
#include <string_view>
#include <thread>

#include "grader/cli/stream_watch.h"
#include "reference/result.h"

namespace histolab::cli {

class StreamInput {
 public:
  // Commands are read if `control` says so; where the input ends, it means `run`.
  StreamInput(StreamWatch& watch, bool control);
  StreamInput(const StreamInput&) = delete;
  StreamInput& operator=(const StreamInput&) = delete;
  ~StreamInput();

 private:
  void listen(bool control);
  void obey(std::string_view line);

  StreamWatch& watch_;
  int wake_[2] = {-1, -1};  // a pipe whose end tells the thread to go
  std::atomic<bool> leaving_ = false;
  std::thread thread_;
};

// Does nobody read the standard output any more?
[[nodiscard]] bool reader_is_gone();

}  // namespace histolab::cli
