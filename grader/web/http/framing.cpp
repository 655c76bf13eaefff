#include "grader/web/http/framing.h"

#include <algorithm>
#include <type_traits>

#include "grader/web/http/request_rules.h"

namespace histolab::web {
namespace {

constexpr std::size_t size_bytes = 4;
constexpr std::size_t most_headers = 64;  // of a message

class Writer {
 public:
  static constexpr bool writes = true;

  template <class Number>
  requires std::is_integral_v<Number>
  void operator()(Number value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      out_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint32_t>(text.size()));
    out_ += text;
  }
  void operator()(const std::map<std::string, std::string>& all) { pairs(all); }
  void operator()(const Headers& all) { pairs(all); }

  std::string frame() && {
    const std::size_t size = out_.size() - size_bytes;
    for (std::size_t i = 0; i < size_bytes; ++i) out_[i] = static_cast<char>(size >> (8 * i));
    return std::move(out_);
  }

 private:
  template <class Pairs>
  void pairs(const Pairs& all) {
    (*this)(static_cast<std::uint32_t>(all.size()));
    for (const auto& [name, value] : all) (*this)(name), (*this)(value);
  }

  std::string out_ = std::string(size_bytes, '\0');
};

class Reader {
 public:
  static constexpr bool writes = false;

  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  requires std::is_integral_v<Number>
  void operator()(Number& value) {
    const std::string_view bytes = take(sizeof(Number));
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      read |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    value = static_cast<Number>(read);
  }
  void operator()(std::string& text) {
    std::uint32_t size = 0;
    (*this)(size);
    text = take(size);
  }
  void operator()(std::map<std::string, std::string>& all) {
    pairs([&](std::string name, std::string value) {
      ok_ = ok_ && all.emplace(std::move(name), std::move(value)).second;
    });
  }
  void operator()(Headers& all) {
    pairs([&](std::string name, std::string value) {
      all.emplace_back(std::move(name), std::move(value));
    });
  }

  // Whether all bytes were read, and no more than all.
  [[nodiscard]] bool complete() const { return ok_ && left_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > left_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  template <class Add>
  void pairs(Add add) {
    std::uint32_t count = 0;
    (*this)(count);
    if (count > most_headers) ok_ = false;
    for (std::uint32_t i = 0; ok_ && i < count; ++i) {
      std::string name, value;
      (*this)(name), (*this)(value);
      add(std::move(name), std::move(value));
    }
  }

  std::string_view left_;
  bool ok_ = true;
};

// Each message lists its fields once, for the writer and the reader.
template <class Value, class Of>
concept Is = std::same_as<std::remove_const_t<Value>, Of>;

template <class F, Is<Settings> Value>
void fields(F& f, Value& of) {
  f(of.certificate), f(of.key), f(of.proxy_header), f(of.most_connections);
  f(of.idle_seconds), f(of.request_seconds), f(of.reply_seconds);
}
template <class F, Is<Started> Value>
void fields(F&, Value&) {}
template <class F, Is<Failed> Value>
void fields(F& f, Value& of) {
  f(of.why);
}
template <class F, Is<Asked> Value>
void fields(F& f, Value& of) {
  f(of.number), f(of.request.method), f(of.request.path), f(of.request.query);
  f(of.request.headers), f(of.request.body), f(of.request.peer);
}
template <class F, class Value>
requires Is<Value, Left> || Is<Value, End>
void fields(F& f, Value& of) { f(of.number); }
template <class F, Is<Answer> Value>
void fields(F& f, Value& of) {
  f(of.number), f(of.reply.status), f(of.reply.headers), f(of.reply.body);
}
template <class F, Is<Begin> Value>
void fields(F& f, Value& of) {
  f(of.number), f(of.status), f(of.headers);
}
template <class F, Is<Data> Value>
void fields(F& f, Value& of) {
  f(of.number), f(of.bytes);
}

bool keeps_rules(const Settings& of) {
  return of.certificate.empty() == of.key.empty() &&
         (of.proxy_header.empty() || is_header_name(of.proxy_header)) && of.most_connections > 0 &&
         of.idle_seconds > 0 && of.request_seconds > 0 && of.reply_seconds > 0;
}
bool keeps_rules(const Failed& of) { return is_printable(of.why); }
// The reader of an Asked checks its request: only it knows the proxy's header.
bool keeps_rules(const Answer& of) {
  return of.reply.body.size() <= most_reply_bytes && is_sendable(of.reply.status, of.reply.headers);
}
bool keeps_rules(const Begin& of) { return is_sendable(of.status, of.headers); }
template <class Other>
bool keeps_rules(const Other&) {
  return true;
}

template <class Message>
constexpr std::size_t most_bytes =
    std::is_same_v<Message, FromFront> ? most_from_front : most_to_front;

// Tries the alternatives of the variant for the one with this kind.
template <class Message, std::size_t kind = 0>
std::optional<Message> message_from(std::uint8_t wanted, Reader& reader) {
  if constexpr (kind < std::variant_size_v<Message>) {
    if (wanted != kind) return message_from<Message, kind + 1>(wanted, reader);
    std::variant_alternative_t<kind, Message> value;
    fields(reader, value);
    if (reader.complete() && keeps_rules(value)) return Message(std::move(value));
  }
  return std::nullopt;
}

template <class Message>
std::string made_frame(const Message& message) {
  Writer writer;
  writer(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& value) { fields(writer, value); }, message);
  return std::move(writer).frame();
}

}  // namespace

std::string framed(const FromFront& message) { return made_frame(message); }
std::string framed(const ToFront& message) { return made_frame(message); }

bool is_sendable(int status, const Headers& headers) {
  if (status < 200 || status > 599 || headers.size() > most_headers) return false;
  std::size_t bytes = 0;
  for (const auto& [name, value] : headers) bytes += name.size() + value.size();
  return bytes <= most_header_bytes && std::ranges::all_of(headers, [](const auto& header) {
           return !header.first.empty() && is_printable(header.second) &&
                  std::ranges::all_of(header.first, [](char c) {
                    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-';
                  });
         });
}

template <class Message>
void Decoder<Message>::add(std::string_view bytes) {
  if (broken_) return;
  if (at_ > 0 && at_ >= bytes_.size() / 2) {
    bytes_.erase(0, at_);
    at_ = 0;
  }
  bytes_ += bytes;
}

template <class Message>
Result<std::optional<Message>> Decoder<Message>::next() {
  const std::string_view left = std::string_view(bytes_).substr(at_);
  const auto fault = [&](const char* what) -> Error {
    broken_ = true;
    bytes_.clear();
    at_ = 0;
    return {what};
  };
  if (broken_) return fault("a message after a faulty one");
  if (left.size() < size_bytes) return std::optional<Message>{};
  std::uint32_t size = 0;
  Reader header(left.substr(0, size_bytes));
  header(size);
  if (size == 0 || size > most_bytes<Message>) return fault("a message of a forbidden size");
  if (left.size() < size_bytes + size) return std::optional<Message>{};
  const std::string_view payload = left.substr(size_bytes, size);
  Reader reader(payload.substr(1));
  std::optional<Message> message =
      message_from<Message>(static_cast<std::uint8_t>(payload[0]), reader);
  if (!message) return fault("a message that breaks a rule");
  at_ += size_bytes + size;
  return message;
}

template class Decoder<FromFront>;
template class Decoder<ToFront>;

}  // namespace histolab::web
