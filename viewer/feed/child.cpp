#include "viewer/feed/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "grader/words/words.h"

extern char** environ;

namespace histolab::viewer {
namespace {

constexpr std::size_t most_error_output = 4096;

void close_one(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& command) {
  // The input is a socket pair: unlike a pipe, writing to it can avoid SIGPIPE if the other end is
  // closed.
  std::array<int, 2> out{-1, -1}, in{-1, -1};
  if (pipe2(out.data(), O_CLOEXEC) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) {
    const Error error{fmt::format("cannot create a pipe: {}", std::strerror(errno))};
    for (int& each : out) close_one(each);
    return error;
  }
  Child child;
  child.output_ = out[0];
  child.input_ = in[0];
  child.errors_ = memfd_create("error_output", MFD_CLOEXEC);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  if (child.errors_ >= 0) posix_spawn_file_actions_adddup2(&actions, child.errors_, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed = posix_spawn(&child.process_, command.front().c_str(), &actions, &attributes,
                                 arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close_one(out[1]);
  close_one(in[1]);
  if (failed != 0) {
    child.process_ = -1;
    return Error{fmt::format("cannot start {}: {}", command.front(), std::strerror(failed))};
  }
  return child;
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      output_(std::exchange(other.output_, -1)),
      input_(std::exchange(other.input_, -1)),
      errors_(std::exchange(other.errors_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(process_, other.process_), std::swap(output_, other.output_),
      std::swap(input_, other.input_);
  std::swap(errors_, other.errors_);
  return *this;
}

Child::~Child() {
  stop();
  close_one(errors_);
}

std::string Child::error_output() const {
  std::string text(most_error_output, '\0');
  const ssize_t count = errors_ < 0 ? 0 : pread(errors_, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return grader::harmless(std::move(text));
}

std::optional<std::string> read_some(int descriptor, std::chrono::milliseconds patience) {
  pollfd waiting{descriptor, POLLIN, 0};
  const int ready = poll(&waiting, 1, static_cast<int>(patience.count()));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return std::string{};
  std::string bytes(1 << 16, '\0');
  const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return std::string{};
  if (count <= 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

std::optional<std::string> Child::read(std::chrono::milliseconds patience) {
  return read_some(output_, patience);
}

void Child::send_line(std::string_view line) {
  const std::string whole = fmt::format("{}\n", line);
  (void)!send(input_, whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

int Child::wait() {
  if (process_ < 0) return 0;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::stop() {
  close_one(input_);
  close_one(output_);
  if (process_ < 0) return;
  kill(process_, SIGTERM);
  for (int patience = 0; patience < 100; ++patience) {
    if (waitpid(process_, nullptr, WNOHANG) != 0) {
      process_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  kill(process_, SIGKILL);
  wait();
}

Error describe_failure(const std::vector<std::string>& command, int status,
                       std::string error_output) {
  constexpr std::string_view name = "histolab: ";  // prefix of its messages
  if (error_output.starts_with(name)) error_output.erase(0, name.size());
  while (error_output.ends_with('\n')) error_output.pop_back();
  if (!error_output.empty()) return Error{std::move(error_output)};
  return Error{
      fmt::format("`{}` ended with status {} and printed nothing readable; try it in a terminal",
                  fmt::join(command, " "), status)};
}

}  // namespace histolab::viewer
