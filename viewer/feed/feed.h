// Feed: the source of a stream's events: a child process, a pipe, or a recorded file that is
// replayed.
//
// A thread reads and parses. The frame takes the events that arrived since the last frame and never
// waits. If the frame falls behind, the thread stops reading, which blocks the writer.
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
  // Takes ownership of the descriptor.
  static Feed of_descriptor(int descriptor);
  // Replays events `speed` times as fast as they were recorded, or all at once if `speed` is 0.
  static Result<Feed> of_file(const std::string& path, double speed = 1);

  [[nodiscard]] std::vector<Event> take();
  // Whether the stream has ended and all events were taken.
  [[nodiscard]] bool ended() const;
  // Sends "pause", "step 4" and so on to a command. Other sources ignore it.
  void send(const std::string& line);

 private:
  struct Shared;
  Feed() = default;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
