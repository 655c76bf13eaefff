#include "grader/cli/signals.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "grader/files/write_file.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"

namespace histolab::cli {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> interrupted{false};
std::atomic<bool> interrupts_ignored{false};
// Taken once, by main or by the thread below: its owner ends the process.
std::mutex end_of_process;

// A closing terminal sends SIGHUP twice, once through the shell. Only a later signal comes from an
// impatient user.
constexpr auto patience = 250ms;

std::atomic<void (*)()> restore_function{nullptr};
void restore() {
  if (void (*const wanted)() = restore_function) wanted();
}

std::mutex advice_mutex;
std::string advice;  // how to resume after an interruption
// Held while the question is shown, so that the question stays valid.
std::mutex question_mutex;
std::function<void()> question;

// Overwrites the progress line, if there is one. Prints nothing if that would block.
void print_interrupted() {
  std::string text =
      isatty(STDERR_FILENO) != 0 ? "\r\033[Khistolab: interrupted" : "histolab: interrupted";
  {
    const std::lock_guard lock{advice_mutex};
    if (!advice.empty()) text += "; " + advice;
  }
  text += '\n';
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (poll(&room, 1, 0) == 1) static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

void ask() {
  const std::lock_guard lock{question_mutex};
  if (question) question();
}

void end_at_signal(sigset_t signals) {
  int number = 0;
  while (sigwait(&signals, &number) != 0 || (number == SIGINT && interrupts_ignored)) {
  }
  end_of_process.lock();
  interrupted = true;
  if (number == SIGINT) ask();
  kernels::worker::cancel_all();
  const auto begin = std::chrono::steady_clock::now();
  const timespec at_once{};
  while (!kernels::worker::all_finished(10ms))
    if (sigtimedwait(&signals, nullptr, &at_once) > 0 &&
        std::chrono::steady_clock::now() - begin > patience)
      break;
  kernels::worker::remove_temporary_folders();
  grader::abandon_writing();
  restore();
  print_interrupted();
  _exit(128 + number);
}

}  // namespace

void watch_signals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int number : {SIGPIPE, SIGXFSZ})
    sigaction(number, &ignore, nullptr);  // the write then fails, and its caller reports it

  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(end_at_signal, signals).detach();
}

void restore_signals() {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (const int number : {SIGPIPE, SIGXFSZ}) sigaction(number, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

void ignore_interrupts(bool leave) { interrupts_ignored = leave; }

void advise_when_interrupted(const std::string& text) {
  const std::lock_guard lock{advice_mutex};
  advice = text;
}

void ask_when_interrupted(std::function<void()> ask) {
  const std::lock_guard lock{question_mutex};
  question = std::move(ask);
}

std::string answer_to(const std::string& text) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return {};
  const std::string shown = "\r\033[K" + text;
  static_cast<void>(!write(STDERR_FILENO, shown.data(), shown.size()));
  std::string answer;
  while (answer.empty() || answer.back() != '\n') {
    pollfd typed{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&typed, 1, 100);
    sigset_t pending;
    sigpending(&pending);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      if (sigismember(&pending, number) == 1) return {};
    char letter = 0;
    if (ready == 1 && read(STDIN_FILENO, &letter, 1) != 1) return {};
    if (ready == 1) answer += letter;
  }
  answer.pop_back();
  return answer;
}

void end_now(int code) {
  end_of_process.lock();
  interrupted = true;
  kernels::worker::cancel_all();
  while (!kernels::worker::all_finished(10ms)) {
  }
  kernels::worker::remove_temporary_folders();
  grader::abandon_writing();
  restore();
  _exit(code);
}

void restore_at_exit(void (*restore)()) { restore_function = restore; }

void wait_if_interrupted() {
  while (interrupted) pause();
}

bool is_interrupted() { return interrupted; }

void no_more_signals() { end_of_process.lock(); }

}  // namespace histolab::cli
