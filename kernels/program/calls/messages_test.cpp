// Tests of messages: both directions, and what the parent refuses.
#include "kernels/program/calls/messages.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <set>
#include <string>

namespace histolab::kernels::program {
namespace {

struct Sockets {
  Sockets() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
  ~Sockets() { close(ends[0]), close(ends[1]); }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;
  int ends[2] = {-1, -1};
};

TEST_CASE("a call arrives as it was sent, with arguments if it is a launch") {
  Sockets sockets;
  Call sent(Function::cudaMemcpy, 42, calls::Copy{1, 2, 3, 1, 1, 3, 3, 3, 3, 2, 0});
  REQUIRE(send_call(sockets.ends[0], sent));
  Call launch(Function::launch, 43, calls::Launch{5, {1, 2, 3}, {4, 5, 6}, 7, 8});
  launch.arguments.integers[5] = 9;
  launch.arguments.stack_bytes = 448;
  launch.arguments.stack[447] = 10;
  REQUIRE(send_call(sockets.ends[0], launch));
  Call received;
  REQUIRE(receive_call(sockets.ends[1], received));
  CHECK(received.function == Function::cudaMemcpy);
  CHECK(received.caller == 42);
  CHECK(received.as<calls::Copy>().width == 3);
  REQUIRE(receive_call(sockets.ends[1], received));
  CHECK(received.as<calls::Launch>().block[2] == 6);
  CHECK(received.arguments.integers[5] == 9);
  CHECK(received.arguments.stack[447] == 10);
}

TEST_CASE("a reply arrives as it was sent") {
  Sockets sockets;
  Reply sent;
  sent.error = -3;
  sent.values[3] = 4;
  sent.operation = 5;
  sent.guarded = {{1, 2, 1, 0}};
  sent.completed = {7, 8, 9};
  sent.text = std::string(100'000, 'x');
  sent.printed = "printed";
  REQUIRE(send_reply(sockets.ends[1], sent));
  Reply received;
  REQUIRE(receive_reply(sockets.ends[0], received));
  CHECK(received.error == -3);
  CHECK(received.values[3] == 4);
  CHECK(received.operation == 5);
  CHECK(received.guarded.at(0).bytes == 2);
  CHECK(received.completed == sent.completed);
  CHECK(received.text == sent.text);
  CHECK(received.printed == "printed");
}

TEST_CASE("the parent refuses what is not a call") {
  const auto refused = [](auto&& change) {
    Sockets sockets;
    Sockets recorded;
    Call call(Function::launch, 1, calls::Launch{});
    REQUIRE(send_call(recorded.ends[0], call));
    std::string bytes(10'000, 0);
    const ssize_t count = recv(recorded.ends[1], bytes.data(), bytes.size(), 0);
    REQUIRE(count > 0);
    bytes.resize(static_cast<std::size_t>(count));
    change(bytes);
    REQUIRE(send(sockets.ends[0], bytes.data(), bytes.size(), 0) ==
            static_cast<ssize_t>(bytes.size()));
    shutdown(sockets.ends[0], SHUT_WR);
    Call received;
    return !receive_call(sockets.ends[1], received);
  };
  CHECK_FALSE(refused([](std::string&) {}));
  CHECK(refused([](std::string& bytes) { bytes[0] ^= 1; }));                      // magic number
  CHECK(refused([](std::string& bytes) { bytes[4] = 0; }));                       // no arguments
  CHECK(refused([](std::string& bytes) { bytes[8] = static_cast<char>(250); }));  // function
  CHECK(refused([](std::string& bytes) { bytes.resize(bytes.size() - 1); }));     // too short
  CHECK(refused([](std::string& bytes) { bytes[bytes.size() - 6] = 127; }));      // stack_bytes
  CHECK(refused([](std::string& bytes) { bytes.back() = 1; }));                   // has_vectors
}

TEST_CASE("each function has a name of its own") {
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < function_count; ++i) names.insert(name(static_cast<Function>(i)));
  CHECK(names.size() == function_count);
  CHECK(std::string(name(Function::cudaMalloc)) == "cudaMalloc");
  CHECK(std::string(name(static_cast<Function>(function_count))) == "unknown function");
  CHECK(group_of(Function::cudaMemcpy) == Group::memory);
  CHECK(group_of(Function::argument_places) == Group::kernel);
}

}  // namespace
}  // namespace histolab::kernels::program
