#include "grader/web/http/framing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <span>

namespace histolab::web {
namespace {

const Asked asked{7,
                  {.method = "POST",
                   .path = "/api/labs/02-atomic-add/save",
                   .query = {{"seed", "1"}, {"name", "b\xc3\xbc"}},
                   .headers = {{"host", "127.0.0.1:8080"}, {"origin", "http://127.0.0.1:8080"}},
                   .body = std::string("{\0\xff}", 4),
                   .peer = "127.0.0.1"}};

const FromFront from_front[] = {Started{}, Failed{"the key does not fit"}, asked,
                                Asked{1, {"GET", "/", {}, {}, "", "::1"}}, Left{1ull << 63}};
const ToFront to_front[] = {
    Settings{"certificate", "key", "x-forwarded-for", 4096, 20, 60, 120},
    Answer{7, {200, {{"Content-Type", "text/html"}, {"Set-Cookie", "a"}}, "<p>"}},
    Answer{8, {303, {}, ""}},
    Begin{9, 200, {{"Content-Type", "application/x-ndjson"}}},
    Data{9, "{}\n"},
    End{9},
};

template <class Message>
std::vector<Message> decoded(Decoder<Message>& decoder, bool& fault) {
  std::vector<Message> all;
  for (;;) {
    auto next = decoder.next();
    fault = !next;
    if (!next || !*next) return all;
    all.push_back(std::move(**next));
  }
}

template <class Message>
void check_round_trip(std::span<const Message> messages) {
  std::string all;
  for (const Message& message : messages) all += framed(message);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, all.size()}) {
    Decoder<Message> decoder;
    std::vector<Message> got;
    bool fault = false;
    for (std::size_t at = 0; at < all.size(); at += piece) {
      decoder.add(std::string_view(all).substr(at, piece));
      for (Message& message : decoded(decoder, fault)) got.push_back(std::move(message));
      REQUIRE_FALSE(fault);
    }
    CHECK(std::ranges::equal(got, messages));
  }
}

TEST_CASE("each message is read as it was written, however its bytes arrive") {
  check_round_trip<FromFront>(from_front);
  check_round_trip<ToFront>(to_front);
}

template <class Message>
void check_truncations(std::span<const Message> messages) {
  for (const Message& message : messages) {
    const std::string frame = framed(message);
    for (std::size_t size = 0; size < frame.size(); ++size) {
      Decoder<Message> decoder;
      decoder.add(std::string_view(frame).substr(0, size));
      const auto next = decoder.next();
      REQUIRE(next);
      CHECK_FALSE(next->has_value());
      // The same bytes as a message that claims to be complete.
      if (size <= 4) continue;
      std::string shorter = frame.substr(0, size);
      const std::size_t claimed = size - 4;
      for (std::size_t i = 0; i < 4; ++i) shorter[i] = static_cast<char>(claimed >> (8 * i));
      Decoder<Message> other;
      other.add(shorter);
      CHECK_FALSE(other.next());
    }
  }
}

TEST_CASE("a truncated message is not accepted") {
  check_truncations<FromFront>(from_front);
  check_truncations<ToFront>(to_front);
}

std::string bytes_of(std::initializer_list<int> all) {
  std::string made;
  for (const int each : all) made += static_cast<char>(each);
  return made;
}

template <class Message>
bool is_fault(const std::string& bytes) {
  Decoder<Message> decoder;
  decoder.add(bytes);
  return !decoder.next();
}

TEST_CASE("a message of a forbidden size is a fault before its bytes have arrived") {
  CHECK(is_fault<FromFront>(bytes_of({0, 0, 0, 0})));
  CHECK(is_fault<FromFront>(bytes_of({0xff, 0xff, 0xff, 0xff})));
  CHECK(is_fault<FromFront>(bytes_of({1, 0, 8, 0})));  // one byte more than 512 KiB
  CHECK_FALSE(is_fault<FromFront>(bytes_of({0, 0, 8, 0})));
  CHECK(is_fault<ToFront>(bytes_of({1, 0, 4, 2})));
  CHECK_FALSE(is_fault<ToFront>(bytes_of({0, 0, 4, 2})));
}

TEST_CASE("a message of an unknown kind, or with more bytes than it needs, is a fault") {
  CHECK(is_fault<FromFront>(bytes_of({1, 0, 0, 0, 4})));
  CHECK(is_fault<ToFront>(bytes_of({1, 0, 0, 0, 255})));
  CHECK(is_fault<FromFront>(bytes_of({2, 0, 0, 0, 0, 0})));
  CHECK_FALSE(is_fault<FromFront>(bytes_of({1, 0, 0, 0, 0})));
}

TEST_CASE("after a fault nothing is accepted") {
  Decoder<FromFront> decoder;
  decoder.add(bytes_of({0, 0, 0, 0}));
  CHECK_FALSE(decoder.next());
  decoder.add(framed(FromFront{Started{}}));
  CHECK_FALSE(decoder.next());
}

TEST_CASE("a reply that HTTP cannot carry is a fault") {
  const auto faulty = [](int status, const Headers& headers) {
    return is_fault<ToFront>(framed(Begin{1, status, headers})) &&
           is_fault<ToFront>(framed(Answer{1, {status, headers, ""}}));
  };
  CHECK(faulty(199, {}));
  CHECK(faulty(600, {}));
  CHECK(faulty(-1, {}));
  CHECK(faulty(200, {{"", "a"}}));
  CHECK(faulty(200, {{"a b", "a"}}));
  CHECK(faulty(200, {{"Set-Cookie", "a\r\nX: b"}}));
  CHECK(faulty(200, Headers(65, {"a", "b"})));
  CHECK(faulty(200, {{"a", std::string(most_header_bytes, 'b')}}));
  CHECK_FALSE(faulty(200, {{"Set-Cookie", "a=b; HttpOnly"}}));
}

TEST_CASE("settings with a certificate but no key, or without a limit, are a fault") {
  const Settings good{"certificate", "key", "", 1, 1, 1, 1};
  CHECK_FALSE(is_fault<ToFront>(framed(good)));
  for (const auto change :
       {+[](Settings& of) { of.key = ""; }, +[](Settings& of) { of.certificate = ""; },
        +[](Settings& of) { of.proxy_header = "a b"; },
        +[](Settings& of) { of.most_connections = 0; }, +[](Settings& of) { of.idle_seconds = 0; },
        +[](Settings& of) { of.request_seconds = 0; },
        +[](Settings& of) { of.reply_seconds = 0; }}) {
    Settings changed = good;
    change(changed);
    CHECK(is_fault<ToFront>(framed(changed)));
  }
}

// A damaged message that is accepted must be written in the same way again.
template <class Message>
void check_damaged(std::span<const Message> messages, std::mt19937& random) {
  std::string frame = framed(messages[random() % messages.size()]);
  for (std::size_t changes = random() % 4; changes > 0; --changes)
    frame[random() % frame.size()] = static_cast<char>(random());
  Decoder<Message> decoder;
  decoder.add(frame);
  const auto next = decoder.next();
  if (!next || !*next) return;
  Decoder<Message> again;
  again.add(framed(**next));
  const auto same = again.next();
  REQUIRE(same);
  REQUIRE(same->has_value());
  CHECK(**same == **next);
}

TEST_CASE("damaged and random bytes are a fault, or a message, or incomplete") {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    check_damaged<FromFront>(from_front, random);
    check_damaged<ToFront>(to_front, random);
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (bytes.size() > 4) bytes[1] = bytes[2] = bytes[3] = 0;  // a size that is allowed
    Decoder<FromFront> front;
    front.add(bytes);
    bool fault = false;
    decoded(front, fault);
    Decoder<ToFront> service;
    service.add(bytes);
    decoded(service, fault);
  }
}

}  // namespace
}  // namespace histolab::web
