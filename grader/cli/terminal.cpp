#include "grader/cli/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "grader/cli/signals.h"
#include "grader/files/write_file.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::cli {
namespace {

termios as_it_was{};
std::array<int, 2> changed{-1, -1};  // a pipe from the signal handler to the loop

void restore() { tcsetattr(STDIN_FILENO, TCSADRAIN, &as_it_was); }

void note_change(int) {
  const int error = errno;
  static_cast<void>(!::write(changed[1], "", 1));
  errno = error;
}

// The last key of what was typed. Arrows and function keys are sequences that begin with Escape;
// they do not count.
std::optional<char> last_key(std::string_view typed) {
  std::optional<char> last;
  while (!typed.empty()) {
    if (typed[0] != '\033') {
      last = typed[0];
      typed.remove_prefix(1);
      continue;
    }
    // "\033[1;5A" or "\033OP": the final byte is a letter or ~.
    const bool is_sequence = typed.size() > 1 && (typed[1] == '[' || typed[1] == 'O');
    std::size_t end = is_sequence ? 2 : 1;
    while (is_sequence && end < typed.size() && (typed[end] < '@' || typed[end] > '~')) ++end;
    typed.remove_prefix(std::min(typed.size(), is_sequence ? end + 1 : end));
  }
  return last;
}

bool is_dumb() {
  const char* name = std::getenv("TERM");
  return name == nullptr || *name == '\0' || std::string_view{name} == "dumb";
}

winsize size_of_terminal() {
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return size;
}

}  // namespace

Terminal::Terminal()
    : has_keys_(isatty(STDIN_FILENO) != 0), clears_(isatty(STDOUT_FILENO) != 0 && !is_dumb()) {
  if (pipe2(changed.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    struct sigaction action {};
    action.sa_handler = note_change;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGWINCH, SIGCONT}) sigaction(number, &action, nullptr);
  }
  has_keys_ = has_keys_ && tcgetattr(STDIN_FILENO, &as_it_was) == 0;
  if (has_keys_) restore_at_exit(restore);
  listen();
}

Terminal::~Terminal() {
  restore_at_exit(nullptr);
  if (has_keys_) restore();
}

void Terminal::listen() const {
  if (!has_keys_) return;
  termios one_by_one = as_it_was;
  one_by_one.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  one_by_one.c_cc[VMIN] = 0;
  one_by_one.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &one_by_one);
}

std::size_t Terminal::width() const {
  constexpr std::size_t least = 20;
  const std::size_t columns = size_of_terminal().ws_col;
  return columns == 0 ? 80 : std::max(least, columns);
}

std::size_t Terminal::height() const {
  const std::size_t rows = size_of_terminal().ws_row;
  return rows == 0 ? 24 : rows;
}

int Terminal::changes() const { return changed[0]; }

void Terminal::take_changes() {
  std::array<char, 64> some;
  while (read(changed[0], some.data(), some.size()) > 0) {
  }
  listen();  // the shell may have changed it
}

std::optional<char> Terminal::key() {
  std::array<char, 64> typed;
  const ssize_t got = read(STDIN_FILENO, typed.data(), typed.size());
  if (got <= 0) {
    if (got == 0) has_keys_ = false;  // the keyboard is gone
    return std::nullopt;
  }
  return last_key({typed.data(), static_cast<std::size_t>(got)});
}

void Terminal::wait_for_key(const std::string& text) {
  if (!has_keys_ || !grader::write_file("-", fmt::format("\n({})\n", text))) return;
  pollfd pressed{STDIN_FILENO, POLLIN, 0};
  while (poll(&pressed, 1, -1) < 0 && errno == EINTR) {
  }
  static_cast<void>(key());
}

Status Terminal::draw(const std::string& text) const {
  return grader::write_file("-", clears_ ? "\033[H\033[2J" + text : text);
}

Result<int> Terminal::run(const std::vector<std::string>& command,
                          const std::optional<std::string>& input) {
  std::array<int, 2> feed{-1, -1};
  if (input && pipe2(feed.data(), O_CLOEXEC) != 0)
    return Error{fmt::format("cannot start {}: {}", command[0], std::strerror(errno))};
  if (has_keys_) restore();
  // The program gets the foreground group, so that Ctrl-C goes to it and not to us.
  kernels::worker::ProgramStart start{.command = command,
                                      .own_group = true,
                                      .death_signal = SIGHUP,
                                      .terminal = has_keys_ ? STDIN_FILENO : -1};
  if (input) start.descriptors = {{feed[0], STDIN_FILENO}};
  const pid_t child = kernels::worker::start_program(start);
  const int failed = errno;
  if (feed[0] >= 0) close(feed[0]);
  if (child < 0) {
    if (feed[1] >= 0) close(feed[1]);
    listen();
    return Error{fmt::format("cannot start {}: {}", command[0], std::strerror(failed))};
  }
  setpgid(child, child);
  if (has_keys_) tcsetpgrp(STDIN_FILENO, child);
  if (input) {
    std::string_view left = *input;
    while (!left.empty()) {
      const ssize_t written = ::write(feed[1], left.data(), left.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;  // it does not want all of the input
      left.remove_prefix(static_cast<std::size_t>(written));
    }
    close(feed[1]);
  }
  int status = 0;
  while (waitpid(child, &status, WUNTRACED) < 0 ? errno == EINTR : WIFSTOPPED(status))
    if (WIFSTOPPED(status)) kill(-child, SIGCONT);  // no shell could resume it
  if (has_keys_) {
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGTTOU, &ignore, &before);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    sigaction(SIGTTOU, &before, nullptr);
  }
  listen();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return Error{fmt::format("cannot start {}", command[0])};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace histolab::cli
