#include "kernels/worker/processes/supervised_child.h"

#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace histolab::kernels::worker {
namespace {

constexpr std::chrono::milliseconds between_looks{20};  // between checks of is_held_back
// If a poll returns this late, this process was stopped meanwhile (a batch system suspends a job
// with all its processes), and so was the child.
constexpr std::chrono::milliseconds longest_look{1'000}, too_late{2'000};

void read_some(Descriptor& from, std::string& into, std::uint64_t most, bool& cut) {
  char chunk[65536];
  const ssize_t got = ::read(from.get(), chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) return from.reset();
  const std::uint64_t room = most - std::min<std::uint64_t>(most, into.size());
  into.append(chunk, std::min<std::uint64_t>(room, static_cast<std::uint64_t>(got)));
  cut |= room < static_cast<std::uint64_t>(got);
}

}  // namespace

bool SupervisedChild::open() {
  is_typed_to_ = spec_.input >= 0 && isatty(spec_.input) != 0;
  if (is_typed_to_ && (!in_.open() || fcntl(in_.write.get(), F_SETFL, O_NONBLOCK) != 0))
    return false;
  return out_.open() && err_.open();
}

void SupervisedChild::pass_on_typed() {
  if (typed_.empty()) {
    char line[4096];
    const ssize_t got = ::read(spec_.input, line, sizeof line);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) return in_.write.reset();  // the user typed Ctrl-D, or the terminal is gone
    typed_.assign(line, static_cast<std::size_t>(got));
  }
  const ssize_t passed = ::write(in_.write.get(), typed_.data(), typed_.size());
  if (passed > 0) typed_.erase(0, static_cast<std::size_t>(passed));
}

void SupervisedChild::report_new_output() {
  const auto report = [](const auto& listener, std::string_view text, std::size_t& reported) {
    if (listener && text.size() > reported) listener(text.substr(reported));
    reported = text.size();
  };
  report(spec_.on_output, output_, reported_output_);
  report(spec_.on_errors, errors_, reported_errors_);
}

Result<bool> SupervisedChild::wait_for(int ended) {
  auto looked = std::chrono::steady_clock::now(), deadline = looked + spec_.limits.wall;
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    if ((spec_.is_held_back && spec_.is_held_back()) || now - looked > too_late)
      deadline += now - looked;
    looked = now;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now);
    if (left.count() <= 0 || (spec_.must_end && spec_.must_end())) return false;
    left = std::min(left, spec_.is_held_back || spec_.must_end ? between_looks : longest_look);
    // In the background, a read from the terminal would stop this process.
    const bool takes_typed =
        in_.write.get() >= 0 && (!typed_.empty() || tcgetpgrp(spec_.input) == getpgrp());
    const pollfd typed =
        typed_.empty() ? pollfd{spec_.input, POLLIN, 0} : pollfd{in_.write.get(), POLLOUT, 0};
    pollfd watched[4] = {{out_.read.get(), POLLIN, 0},
                         {err_.read.get(), POLLIN, 0},
                         {ended, POLLIN, 0},
                         takes_typed ? typed : pollfd{-1, 0, 0}};
    if (poll(watched, 4, static_cast<int>(left.count()) + 1) < 0) {
      if (errno == EINTR) continue;
      return Error{fmt::format("cannot watch over {}: {}",
                               spec_.command.empty() ? "the worker" : spec_.command[0],
                               std::strerror(errno))};
    }
    if (watched[0].revents != 0)
      read_some(out_.read, output_, spec_.limits.output_bytes, output_cut_);
    if (watched[1].revents != 0)
      read_some(err_.read, errors_, spec_.limits.output_bytes, errors_cut_);
    report_new_output();
    if (watched[2].revents != 0) return true;
    if (watched[3].revents != 0) pass_on_typed();
  }
}

void SupervisedChild::finish(ProcessResult& result) {
  const auto drain = [&](Descriptor& pipe, std::string& into, bool& cut) {
    if (pipe.get() < 0) return;
    fcntl(pipe.get(), F_SETFL, O_NONBLOCK);
    // A process that still holds the other end may keep writing: read no more than fits.
    for (std::size_t before = ~0ull; pipe.get() >= 0 && before != into.size();) {
      before = into.size();
      read_some(pipe, into, spec_.limits.output_bytes, cut);
    }
  };
  drain(out_.read, output_, output_cut_);
  drain(err_.read, errors_, errors_cut_);
  report_new_output();
  result.output = std::move(output_);
  result.errors = std::move(errors_);
  result.output_cut = output_cut_;
}

}  // namespace histolab::kernels::worker
