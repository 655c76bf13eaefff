// GdbSession: gdb in this terminal, with a worker under it, and the script (grader/gdb) that shows
// the worker's state in CUDA's terms.
//
//   this program                       gdb, with the script
//     starts gdb                  ->     starts the worker, stops it in the requested thread
//     compares, writes a verdict  <-     "ended": the worker has answered
//                       the verdict ->     prints it; the user looks around, or quits
//
// Both sides exchange JSON, one object per line, through a socket that the worker does not inherit.
// gdb reads no file in the current folder and none of the user's own, does not use the network, and
// ends when this program does. While it runs, Ctrl-C belongs to gdb.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kernels/worker/debugger.h"

namespace histolab::cli {

class GdbSession final : public kernels::worker::Debugger {
 public:
  // `script`: the file that gdb runs. `setup`: the first message to it.
  GdbSession(std::string script, nlohmann::json setup)
      : script_(std::move(script)), setup_(std::move(setup)) {}
  ~GdbSession() override;
  GdbSession(const GdbSession&) = delete;
  GdbSession& operator=(const GdbSession&) = delete;

  [[nodiscard]] nlohmann::json& setup() { return setup_; }

  Result<kernels::worker::ProcessResult> run(const kernels::worker::ProcessSpec& spec) override;

  void send_verdict(const std::string& verdict);
  // Waits until gdb has ended. Returns the exit code that the script chose and, if the user
  // restarted the kernel (`run`), the state to keep; else null.
  struct End {
    int code = 0;
    nlohmann::json again;
  };
  [[nodiscard]] Result<End> wait();

 private:
  Status start(const kernels::worker::ProcessSpec& spec);
  // Ends gdb, which ends the worker. Returns gdb's status, as from waitpid().
  int end_gdb();
  // The next object from the script. Returns nullopt if the script is gone. Output of the worker
  // that arrives meanwhile is kept.
  [[nodiscard]] std::optional<nlohmann::json> next_message();

  std::string script_;
  nlohmann::json setup_;
  pid_t gdb_ = -1;
  int control_ = -1, answer_ = -1;
  std::string received_, answered_;
  nlohmann::json again_;
  std::optional<kernels::worker::Unfinished> unfinished_;  // until gdb has ended
  bool greeted_ = false;
};

}  // namespace histolab::cli
