// Child: a program of ours whose standard output is read as it comes, and who can be told things on
// its standard input.
//
// The child gets this process's environment. It does not outlive the Child: stop() and the
// destructor end it (SIGTERM, and after a second SIGKILL; `histolab` takes its workers along), and
// one that lost its parent ends when it next writes, because nobody reads it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::viewer {

// Waits for what a descriptor has to be read, up to `patience`: what came; empty where nothing did;
// nullopt at its end.
[[nodiscard]] std::optional<std::string> read_some(int descriptor,
                                                   std::chrono::milliseconds patience);

class Child {
 public:
  // `command[0]` is a path. Error: it could not be started.
  static Result<Child> start(const std::vector<std::string>& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  // read_some of its output.
  [[nodiscard]] std::optional<std::string> read(std::chrono::milliseconds patience);
  void say(std::string_view line);  // a child that does not listen any more is no error
  void stop();
  // Waits for its end: its exit status, or 128 + signal.
  int wait();
  // What it said on its standard error, up to 4096 bytes, without anything that is no text.
  [[nodiscard]] std::string complaints() const;

 private:
  Child() = default;
  pid_t process_ = -1;
  int output_ = -1, input_ = -1, errors_ = -1;  // a file in memory; -1: there is none to be had
};

// Of a command of ours that failed: what it said, or else that it said nothing.
[[nodiscard]] Error failure_of(const std::vector<std::string>& command, int status,
                               std::string complaints);

}  // namespace histolab::viewer
