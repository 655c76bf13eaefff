#include "grader/cli/stream_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "grader/cli/console.h"
#include "grader/cli/signals.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void ignore(std::string_view line) {
  constexpr std::size_t shown = 40;
  note(fmt::format("histolab: \"{}\" is not a command; use pause, run, step N, speed N or quit\n",
                   grader::harmless(std::string{line.substr(0, shown)})));
}

}  // namespace

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

StreamInput::StreamInput(StreamWatch& watch, bool control) : watch_(watch) {
  if (pipe2(wake_, O_CLOEXEC) != 0) wake_[0] = wake_[1] = -1;
  thread_ = std::thread([this, control] { listen(control); });
}

StreamInput::~StreamInput() {
  stopping_ = true;
  close(wake_[1]);
  thread_.join();
  close(wake_[0]);
}

void StreamInput::listen(bool control) {
  constexpr std::size_t longest = 4096;  // poll if no pipe can wake the thread
  std::string line;
  pollfd watched[] = {
      {STDOUT_FILENO, 0, 0}, {wake_[0], 0, 0}, {control ? STDIN_FILENO : -1, POLLIN, 0}};
  const int patience_ms = wake_[0] < 0 ? 100 : -1;  // without a pipe nothing wakes it
  while (!stopping_) {
    if (poll(watched, 3, patience_ms) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if ((watched[0].revents & (POLLERR | POLLHUP)) != 0) end_now(done);
    if (watched[0].revents != 0) watched[0].fd = -1;  // no standard output; the next write fails
    if (watched[1].revents != 0) return;
    if (watched[2].revents == 0) continue;
    char bytes[4096];
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      watched[2].fd = -1;
      watch_.go();
      continue;
    }
    for (const char c : std::string_view{bytes, static_cast<std::size_t>(got)}) {
      if (c != '\n') {
        if (line.size() < longest) line += c;
        continue;
      }
      if (!line.empty() && line.back() == '\r') line.pop_back();
      execute(line);
      line.clear();
    }
  }
}

void StreamInput::execute(std::string_view line) {
  const std::size_t blank = line.find(' ');
  const std::string_view word = line.substr(0, blank),
                         rest = blank == line.npos ? "" : line.substr(blank + 1);
  const bool alone = blank == line.npos;
  if (line.empty()) return;
  if (alone && word == "pause") return watch_.pause();
  if (alone && word == "run") return watch_.go();
  if (alone && word == "quit") end_now(done);
  if (word == "step")
    if (const auto steps = number_in<std::uint64_t>(rest)) return watch_.step(*steps);
  if (word == "speed")
    if (const auto speed = number_in<double>(rest); speed && std::isfinite(*speed) && *speed >= 0)
      return watch_.go_at(*speed);
  ignore(line);
}

}  // namespace histolab::cli
