// Feed: where a stream's events come from: a child of ours, a pipe, or a recorded file that is
// played again.
//
// A thread reads and parses; the frame takes what has come since the last frame and never waits.
// When the frame falls behind, the thread stops reading, and so the other side stops writing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reference/result.h"
#include "viewer/feed/worker_thread.h"
#include "viewer/model/event.h"

namespace histolab::viewer {

class Feed {
 public:
  static Feed of_command(std::vector<std::string> command);
  // Closes the descriptor in the end.
  static Feed of_descriptor(int descriptor);
  // Events come at the times at which they were recorded, `speed` times as fast; 0: all at once.
  static Result<Feed> of_file(const std::string& path, double speed = 1);

  [[nodiscard]] std::vector<Event> take();
  // Nothing more will come, and everything that came was taken.
  [[nodiscard]] bool ended() const;
  // To a command: "pause", "step 4" and so on. Others do not listen.
  void say(const std::string& line);

 private:
  struct Shared;
  Feed() = default;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
