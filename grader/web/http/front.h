// Front: the process that speaks HTTP with browsers. It has no access to files, to the class or to
// the grader: it turns bytes from the network into Requests, and Replies into bytes.
//
// The process is `histolab-front`. It gets two descriptors, the listening socket and one end of a
// socket pair, and may make only the system calls that serving them takes. What it sends is checked
// like any stranger's input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/web/http/message.h"
#include "reference/result.h"

namespace histolab::web {

struct FrontOptions {
  std::string program;  // path of histolab-front
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;     // 0: any free port
  std::string certificate, key;  // PEM files; both empty for HTTP without TLS
  // The header in which a trusted proxy sends the client's address and user; empty without a proxy.
  std::string proxy_header;
};

using RequestNumber = std::uint64_t;

struct Asked {
  RequestNumber number = 0;
  Request request;
};
struct Left {  // the client has closed the connection: nobody reads further replies to this request
  RequestNumber number = 0;
};
using FrontEvent = std::variant<Asked, Left>;

// reply(), begin(), send() and end() may be called from any thread. They never wait for a client.
// Calls for a request that has ended, or whose client has left, do nothing.
class Front {
 public:
  // Returns an Error if the address is in use or not permitted, or the program does not start.
  static Result<std::unique_ptr<Front>> start(const FrontOptions& options);
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  // Readable if take() has something to return.
  [[nodiscard]] int descriptor() const;
  // What has arrived, without waiting. Returns an Error if the front has ended or broken its
  // protocol; then it must be started again.
  [[nodiscard]] Result<std::vector<FrontEvent>> take();

  void reply(RequestNumber number, const Reply& reply);
  // A reply in parts, each sent at once. A client that reads too slowly loses its connection.
  void begin(RequestNumber number, int status, const Headers& headers);
  void send(RequestNumber number, std::string_view bytes);
  void end(RequestNumber number);

 private:
  struct State;
  explicit Front(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace histolab::web
