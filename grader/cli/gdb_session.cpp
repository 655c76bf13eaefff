#include "grader/cli/gdb_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "grader/cli/console.h"
#include "grader/cli/signals.h"
#include "kernels/worker/processes/program_start.h"
#include "kernels/worker/protocol/protocol.h"

namespace histolab::cli {
namespace {

using kernels::worker::ProcessResult;
using kernels::worker::ProcessSpec;
using nlohmann::json;

// gdb's end of the socket. The script keeps it from the worker.
constexpr int control_descriptor = 62;
constexpr int no_such_program = 127;
// How often to check whether gdb or this program has ended.
constexpr std::chrono::milliseconds between_looks{20};
constexpr int looks_until_killed = 100;
constexpr std::size_t most_answered = 64 << 20;
const Error no_gdb{
    "there is no gdb on this machine; install it (Debian, Ubuntu: apt-get install gdb)"};

std::vector<std::string> command_line(const std::string& script, const std::string& worker) {
  std::vector<std::string> words = {"gdb", "-nx", "-nh", "-quiet"};
  // Before anything is loaded: gdb runs nothing from the current folder and contacts no server.
  for (const char* setting :
       {"set auto-load off", "set debuginfod enabled off", "set pagination off", "set confirm off",
        "set history save off", "set startup-with-shell off", "set disable-randomization on",
        "set breakpoint pending on", "set print thread-events off", "set print inferior-events off",
        "set style enabled off"})
    words.insert(words.end(), {"-iex", setting});
  if (color_wanted()) words.insert(words.end(), {"-iex", "set style enabled on"});
  words.insert(words.end(), {"-iex", "set print symbol-loading off", "-iex",
                             "set print elements 64", "-x", script, worker});
  return words;
}

// Lets the script's Python read its own folder but nothing in the current one.
std::vector<std::string> environment_of_gdb() {
  constexpr std::array replaced = {
      "PYTHONSAFEPATH=", "PYTHONDONTWRITEBYTECODE=", "HISTOLAB_GDB_CONTROL=", "PYTHONPATH=",
      "PYTHONHOME=",     "PYTHONSTARTUP=",           "DEBUGINFOD_URLS="};
  std::vector<std::string> variables = {"PYTHONSAFEPATH=1", "PYTHONDONTWRITEBYTECODE=1",
                                        fmt::format("HISTOLAB_GDB_CONTROL={}", control_descriptor)};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::ranges::none_of(
            replaced, [&](const char* name) { return std::string_view{*each}.starts_with(name); }))
      variables.emplace_back(*each);
  return variables;
}

void send(int descriptor, const json& message) {
  const std::string line = message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t some = ::send(descriptor, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return;  // gdb is gone; the reader of its messages notices it
    sent += static_cast<std::size_t>(some);
  }
}

// Returns false at end of file or on an error.
bool read_some(int descriptor, std::string& into) {
  std::array<char, 65536> chunk{};
  const ssize_t got = read(descriptor, chunk.data(), chunk.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(chunk.data(), static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

GdbSession::~GdbSession() {
  if (control_ >= 0) close(control_);
  if (answer_ >= 0) close(answer_);
  if (gdb_ >= 0) end_gdb();
}

int GdbSession::end_gdb() {
  kill(gdb_, SIGTERM);  // gdb restores the terminal and ends the worker
  int status = 0;
  for (int looks = 0; waitpid(gdb_, &status, WNOHANG) == 0; ++looks) {
    if (looks == looks_until_killed) kill(gdb_, SIGKILL);
    std::this_thread::sleep_for(between_looks);
  }
  gdb_ = -1;
  unfinished_.reset();
  ignore_interrupts(false);
  return status;
}

Status GdbSession::start(const ProcessSpec& spec) {
  int sockets[2], pipes[2];
  const auto failed = [](const char* what) {
    return Error{fmt::format("cannot start gdb: {}: {}", what, std::strerror(errno))};
  };
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return failed("no socket");
  control_ = sockets[0];
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    close(sockets[1]);
    return failed("no pipe");
  }
  answer_ = pipes[0];
  fcntl(answer_, F_SETFL, O_NONBLOCK);
  kernels::worker::ProgramStart gdb{.command = command_line(script_, spec.command.at(0)),
                                    .environment = environment_of_gdb(),
                                    .descriptors = spec.descriptors,
                                    .fixed_addresses = spec.fixed_addresses,
                                    .death_signal = SIGTERM};
  gdb.descriptors.emplace_back(sockets[1], control_descriptor);
  gdb.descriptors.emplace_back(pipes[1], kernels::worker::debugged_answer_descriptor);
  if (!unfinished_.emplace().may_begin()) return Error{"interrupted"};
  ignore_interrupts(true);
  gdb_ = kernels::worker::start_program(gdb);
  close(sockets[1]);
  close(pipes[1]);
  if (gdb_ < 0) {
    ignore_interrupts(false);
    return failed("no process left");
  }
  send(control_, setup_);
  return Done{};
}

std::optional<json> GdbSession::next_message() {
  for (;;) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      json message = json::parse(received_.substr(0, end), nullptr, false);
      received_.erase(0, end + 1);
      if (!message.is_object()) continue;
      greeted_ = true;
      if (message.contains("again")) again_ = message["again"];
      return message;
    }
    pollfd watched[2] = {{control_, POLLIN, 0}, {answer_, POLLIN, 0}};
    if (poll(watched, 2, static_cast<int>(between_looks.count())) < 0 && errno != EINTR)
      return std::nullopt;
    if (kernels::worker::cancelled() && gdb_ >= 0) {
      end_gdb();
      return std::nullopt;
    }
    if ((watched[1].revents & POLLIN) != 0 && read_some(answer_, answered_) &&
        answered_.size() > most_answered)
      answered_.clear();
    if (watched[0].revents != 0 && !read_some(control_, received_)) return std::nullopt;
  }
}

Result<ProcessResult> GdbSession::run(const ProcessSpec& spec) {
  TRY(start(spec));
  ProcessResult result;
  while (const std::optional<json> message = next_message()) {
    if (!message->contains("ended")) continue;
    while (read_some(answer_, answered_) && errno != EAGAIN) {
    }
    result.output = std::exchange(answered_, {});
    result.code = message->value("ended", 0);
    return result;
  }
  result.end = ProcessResult::End::cancelled;
  return result;
}

void GdbSession::send_verdict(const std::string& verdict) {
  send(control_, {{"verdict", verdict}});
}

Result<GdbSession::End> GdbSession::wait() {
  while (next_message()) {
  }
  if (gdb_ < 0) return Error{"interrupted"};
  const int status = kernels::worker::wait_for_child(std::exchange(gdb_, -1));
  unfinished_.reset();
  ignore_interrupts(false);
  if (!greeted_ && WIFEXITED(status) && WEXITSTATUS(status) == no_such_program) return no_gdb;
  if (!greeted_)
    return Error{
        "gdb could not run its script; is it a gdb with Python? (Debian, Ubuntu: apt-get install "
        "gdb, not gdb-minimal)"};
  return End{WIFEXITED(status) ? WEXITSTATUS(status) : cannot, std::move(again_)};
}

}  // namespace histolab::cli
