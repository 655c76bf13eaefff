// Link: the front's end of the socket pair. Sending never waits: the threads that serve clients
// must not depend on how fast the service reads.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "grader/web/http/framing.h"
#include "reference/result.h"

namespace histolab::web {

class Link {
 public:
  explicit Link(int descriptor) : descriptor_(descriptor) {}
  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Thread-safe. Returns whether some bytes are left for send_rest() that were not there before.
  bool send(const FromFront& message);
  // To be called when the descriptor can be written. Returns whether bytes are left.
  bool send_rest();
  [[nodiscard]] std::size_t unsent() const;

  // For one thread: appends the messages that have arrived, without waiting. Returns an Error at
  // the end of the connection and after a faulty message.
  Status receive(std::vector<ToFront>& into);

 private:
  const int descriptor_;
  mutable std::mutex lock_;
  std::string unsent_;
  Decoder<ToFront> decoder_;
};

}  // namespace histolab::web
