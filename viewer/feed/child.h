// Child: a child process. Its standard output is read as it arrives; commands can be sent to its
// standard input.
//
// The child inherits this process's environment and does not outlive the Child object. stop() and
// the destructor end it with SIGTERM, and with SIGKILL after a second; `histolab` then also ends
// its workers. If the viewer dies, the child ends at its next write, because its pipe is closed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::viewer {

// Waits up to `patience` for input from a descriptor and returns it. Returns an empty text on
// timeout, and nullopt at the end of the input.
[[nodiscard]] std::optional<std::string> read_some(int descriptor,
                                                   std::chrono::milliseconds patience);

class Child {
 public:
  // `command[0]` is a path. Returns an Error if it cannot be started.
  static Result<Child> start(const std::vector<std::string>& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  // read_some() on its standard output.
  [[nodiscard]] std::optional<std::string> read(std::chrono::milliseconds patience);
  void send_line(std::string_view line);  // no error if the child no longer reads
  void stop();
  // Waits for the child's end. Returns its exit status, or 128 + signal.
  int wait();
  // Returns up to 4096 bytes of its standard error, without unprintable characters.
  [[nodiscard]] std::string error_output() const;

 private:
  Child() = default;
  pid_t process_ = -1;
  int output_ = -1, input_ = -1;
  int errors_ = -1;  // a file in memory, or -1 if it could not be created
};

// Describes a failed command: its own error message, or its status if it printed no message.
[[nodiscard]] Error describe_failure(const std::vector<std::string>& command, int status,
                                     std::string error_output);

}  // namespace histolab::viewer
