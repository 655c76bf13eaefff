// Front: the process that speaks HTTP with browsers. It has no access to files, to the class or to
// the grader: it turns bytes from the network into Requests, and Replies into bytes.
//
// The process is `histolab-front`. It gets two descriptors, the listening socket and one end of a
// socket pair, and may make only the system calls that serving them takes. Its messages are
// checked like any stranger's input.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/web/http/message.h"
#include "reference/result.h"

namespace histolab::web {

struct FrontOptions {
  std::string program;                // path of histolab-front
  std::string address = "127.0.0.1";  // an IP address
  std::uint16_t port = 8080;          // 0: any free port
  std::string certificate, key;       // PEM files; both empty for HTTP without TLS
  // The header, in lower case, in which a trusted proxy sends the client's address or user; empty
  // without a proxy. Requests have it among their headers. The proxy must remove it from what
  // clients send.
  std::string proxy_header;
  // Fewer if this process may open fewer files.
  std::uint32_t most_connections = 4096;
  // Closes a connection on which nothing happens for so long. Waiting for a reply, or for the next
  // part of one, does not count.
  std::chrono::seconds idle{20};
  // Closes a connection if no request has arrived completely for so long, or if the client takes
  // longer for a whole reply.
  std::chrono::seconds whole_request{60}, whole_reply{120};
};

// reply(), begin(), send() and end() may be called from any thread. They never wait for a client.
// Calls for a request that has ended, or whose client has left, do nothing. take() is for one
// thread.
class Front {
 public:
  // Returns an Error if the address is in use or not permitted, or the program does not start.
  static Result<std::unique_ptr<Front>> start(const FrontOptions& options);
  // Replies that were given before are still sent, for at most half a second.
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] int process() const;  // number of the process
  // Readable if take() may have something to return.
  [[nodiscard]] int descriptor() const;
  // Returns all events that have arrived, without waiting. Returns an Error if the front has ended
  // or broken its protocol. Then it must be started again, after this object is destroyed: its
  // process may still have the port.
  [[nodiscard]] Result<std::vector<FrontEvent>> take();

  // A reply that cannot be sent (a control character in a header, a body of more than
  // most_reply_bytes) becomes status 500.
  void reply(RequestNumber number, const Reply& reply);
  // A reply in parts, each sent at once. A client that is most_waiting_bytes behind loses its
  // connection, so one part must be smaller than that. After begin(), only send() and end().
  void begin(RequestNumber number, int status, const Headers& headers);
  void send(RequestNumber number, std::string_view bytes);
  void end(RequestNumber number);

 private:
  struct State;
  explicit Front(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace histolab::web
