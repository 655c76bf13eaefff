// Relays: commands of this program whose output answers a request: live runs and races.
//
// The caller makes a command's words from checked values; no text of a request becomes a word.
// A command ends when its client leaves, and at the latest after a few minutes.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/web/http/front.h"
#include "kernels/worker/processes/descriptor.h"

namespace histolab::web {

class Relays {
 public:
  static constexpr std::size_t most = 4;  // commands that run at once

  explicit Relays(Front& front) : front_(front) {}
  ~Relays();
  Relays(const Relays&) = delete;
  Relays& operator=(const Relays&) = delete;

  // `stream`: each line of the output is sent as it arrives (NDJSON), after `first_line`, and the
  // command reads what say() is given. `collect`: the output is the reply if the command succeeds,
  // and otherwise the reply is an error with the command's message. Returns an Error if too many
  // commands run, or the command cannot be started.
  enum class Kind { stream, collect };
  [[nodiscard]] Status start(Kind kind, RequestNumber number, std::vector<std::string> command,
                             const std::string& first_line = {});
  // Sends a line to a command that streams. Returns whether there is one.
  bool say(RequestNumber number, const std::string& line);
  void left(RequestNumber number);

  void add_descriptors(std::vector<pollfd>& sources) const;
  // Relays what has arrived, and ends what takes too long.
  void look();

 private:
  struct Running {
    Kind kind = Kind::stream;
    pid_t child = -1;
    kernels::worker::Descriptor output, errors, input;
    std::string collected, complaint;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  };
  // Returns false at the end of the output.
  [[nodiscard]] bool relay(RequestNumber number, Running& running);
  void finish(RequestNumber number, Running& running);
  static void stop(Running& running);

  Front& front_;
  std::map<RequestNumber, Running> running_;
};

}  // namespace histolab::web
