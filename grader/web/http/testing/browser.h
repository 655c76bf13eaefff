// A client for tests of the front: sends raw bytes and reads replies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/worker/processes/descriptor.h"

namespace histolab::web::testing {

class Browser {
 public:
  // Connects to 127.0.0.1 or ::1.
  explicit Browser(std::uint16_t port, bool six = false);

  // Returns false if the front has closed the connection.
  bool say(std::string_view bytes);
  // Reads until `text` has arrived, and returns all that has arrived since the last call, to its
  // end. Returns what there is if the front closes the connection first.
  std::string hear(std::string_view text);
  // Reads one reply with Content-Length, and returns it.
  std::string reply();
  // Returns all that arrives until the front closes the connection.
  std::string rest();
  // Reads nothing for a moment; returns true if the front has closed the connection.
  [[nodiscard]] bool is_closed();
  void finish();  // says that it sends no more
  void close() { socket_.reset(); }

 private:
  bool read_more();

  kernels::worker::Descriptor socket_;
  std::string heard_;
};

}  // namespace histolab::web::testing
