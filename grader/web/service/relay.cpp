#include "grader/web/service/relay.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "grader/web/service/replies.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::web {
namespace {

constexpr std::chrono::minutes longest{10};
constexpr std::size_t most_collected_bytes = 8 << 20, most_complaint_bytes = 4096;

// Appends what has arrived. Returns false at the end.
bool read_some(int fd, std::string& into) {
  std::array<char, 64 * 1024> bytes;
  for (;;) {
    const ssize_t n = read(fd, bytes.data(), bytes.size());
    if (n > 0)
      into.append(bytes.data(), static_cast<std::size_t>(n));
    else
      return n < 0 && (errno == EAGAIN || errno == EINTR);
    if (into.size() > most_collected_bytes) return false;
  }
}

void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

Relays::~Relays() {
  for (auto& [number, running] : running_) stop(running);
}

Status Relays::start(Kind kind, RequestNumber number, std::vector<std::string> command,
                     const std::string& first_line) {
  if (running_.size() >= most)
    return Error{"too many launches are running: end one of them, or close its page"};
  kernels::worker::Pipe output, errors, input;
  if (!output.open() || !errors.open() || !input.open())
    return Error{"the machine has no descriptors left for a launch; try again soon"};
  const std::string program = command.front();
  const pid_t child = kernels::worker::start_program(
      {.command = std::move(command),
       .paths = {program},
       .descriptors = {{input.read.get(), 0}, {output.write.get(), 1}, {errors.write.get(), 2}},
       .own_session = true,
       .death_signal = SIGTERM});
  if (child < 0) return Error{"the machine cannot start a launch now; try again soon"};
  for (const int fd : {output.read.get(), errors.read.get(), input.write.get()})
    set_nonblocking(fd);
  Running& running = running_[number];
  running.kind = kind;
  running.child = child;
  running.output = std::move(output.read);
  running.errors = std::move(errors.read);
  if (kind == Kind::stream) {
    running.input = std::move(input.write);
    front_.begin(number, 200, ndjson_headers());
    front_.send(number, first_line);
  }
  return Done{};
}

bool Relays::say(RequestNumber number, const std::string& line) {
  const auto found = running_.find(number);
  if (found == running_.end() || found->second.kind != Kind::stream) return false;
  // A pipe has room for a thousand commands. If it is full, the command has stopped reading.
  const std::string whole = line + "\n";
  return write(found->second.input.get(), whole.data(), whole.size()) ==
         static_cast<ssize_t>(whole.size());
}

void Relays::left(RequestNumber number) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  stop(found->second);
  running_.erase(found);
}

void Relays::stop(Running& running) {
  kill(running.child, SIGTERM);  // it ends its own children (grader/cli/signals.h)
  kernels::worker::reap_when_ended(running.child);
}

void Relays::add_descriptors(std::vector<pollfd>& sources) const {
  for (const auto& [number, running] : running_) {
    sources.push_back({running.output.get(), POLLIN, 0});
    sources.push_back({running.errors.get(), POLLIN, 0});
  }
}

void Relays::look() {
  for (auto each = running_.begin(); each != running_.end();) {
    auto& [number, running] = *each;
    const bool is_late = std::chrono::steady_clock::now() - running.begun > longest;
    if (!is_late && relay(number, running)) {
      ++each;
      continue;
    }
    if (is_late) kill(running.child, SIGKILL);
    finish(number, running);
    each = running_.erase(each);
  }
}

bool Relays::relay(RequestNumber number, Running& running) {
  static_cast<void>(read_some(running.errors.get(), running.complaint));
  running.complaint.resize(std::min(running.complaint.size(), most_complaint_bytes));
  const bool goes_on = read_some(running.output.get(), running.collected);
  if (running.kind == Kind::stream && !running.collected.empty()) {
    front_.send(number, running.collected);
    running.collected.clear();
  }
  return goes_on;
}

void Relays::finish(RequestNumber number, Running& running) {
  if (running.kind == Kind::stream) {
    stop(running);
    front_.end(number);
    return;
  }
  if (running.collected.size() > most_collected_bytes) kill(running.child, SIGKILL);
  const int status = kernels::worker::wait_for_child(running.child);
  static_cast<void>(read_some(running.errors.get(), running.complaint));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return front_.reply(number, json_reply(200, std::move(running.collected)));
  const bool is_students = WIFEXITED(status) && WEXITSTATUS(status) == 1;
  front_.reply(number, refusal(422, running.complaint, !is_students));
}

}  // namespace histolab::web
