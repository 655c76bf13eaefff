// Messages between histolab-front and the service, over a socket pair.
//
// A message is a frame: the payload's size in four bytes, the kind in one, and the fields. Numbers
// are little-endian; a text is its size in four bytes and its bytes. A Decoder does not trust the
// sender: it accepts a message only if its size, kind, number of bytes and values keep the rules.
// After the first fault it accepts nothing more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "grader/web/http/message.h"
#include "reference/result.h"

namespace histolab::web {

// The service sends this first.
struct Settings {
  std::string certificate, key;  // PEM texts; both empty for HTTP without TLS
  std::string proxy_header;      // in lower case; empty without a proxy
  std::uint32_t most_connections = 0;
  // The most seconds in which nothing happens on a connection, in which a request arrives as a
  // whole, and in which a client takes a whole reply.
  std::uint32_t idle_seconds = 0, request_seconds = 0, reply_seconds = 0;
  bool operator==(const Settings&) const = default;
};
// One of these is the answer to it.
struct Started {
  bool operator==(const Started&) const = default;
};
struct Failed {
  std::string why;  // a sentence for people
  bool operator==(const Failed&) const = default;
};

struct Answer {  // a whole reply
  RequestNumber number = 0;
  Reply reply;
  bool operator==(const Answer&) const = default;
};
struct Begin {  // a reply in parts: Begin, any number of Data, End
  RequestNumber number = 0;
  int status = 200;
  Headers headers;
  bool operator==(const Begin&) const = default;
};
struct Data {
  RequestNumber number = 0;
  std::string bytes;
  bool operator==(const Data&) const = default;
};
struct End {
  RequestNumber number = 0;
  bool operator==(const End&) const = default;
};

using FromFront = std::variant<Started, Failed, Asked, Left>;
using ToFront = std::variant<Settings, Answer, Begin, Data, End>;

// Largest payloads in bytes.
inline constexpr std::size_t most_from_front = 512 * 1024;
inline constexpr std::size_t most_to_front = most_reply_bytes + 256 * 1024;

[[nodiscard]] std::string framed(const FromFront& message);
[[nodiscard]] std::string framed(const ToFront& message);

// Whether the front can send a reply with these. A header's name is a token; its value has no
// control characters.
[[nodiscard]] bool is_sendable(int status, const Headers& headers);

// Message is FromFront or ToFront.
template <class Message>
class Decoder {
 public:
  void add(std::string_view bytes);
  // Returns the next complete message, or nullopt until more bytes are added. Returns an Error if
  // the sender has broken a rule.
  [[nodiscard]] Result<std::optional<Message>> next();

 private:
  std::string bytes_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

extern template class Decoder<FromFront>;
extern template class Decoder<ToFront>;

}  // namespace histolab::web
