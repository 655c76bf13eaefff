// GdbSession: gdb in this terminal, with a worker under it, and the script (grader/gdb) that makes
// CUDA's words of what it sees.
//
//   this program                       gdb, with the script
//     starts gdb                  ->     starts the worker, stops it in the thread that is asked
//     for compares, writes a verdict  <-     "ended": the worker has answered the verdict -> prints
//     it; the person looks round, or quits
//
// The two talk by JSON, one object a line, through a socket that the worker does not get. gdb reads
// no file of the current folder and none of the person's own, looks nothing up on the network, and
// ends when this program does. Ctrl-C is gdb's as long as it runs.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kernels/worker/debugger.h"

namespace histolab::cli {

class GdbSession final : public kernels::worker::Debugger {
 public:
  // `script`: the file that gdb runs; `setup`: what that is told first.
  GdbSession(std::string script, nlohmann::json setup)
      : script_(std::move(script)), setup_(std::move(setup)) {}
  ~GdbSession() override;
  GdbSession(const GdbSession&) = delete;
  GdbSession& operator=(const GdbSession&) = delete;

  [[nodiscard]] nlohmann::json& setup() { return setup_; }

  Result<kernels::worker::ProcessResult> run(const kernels::worker::ProcessSpec& spec) override;

  void tell(const std::string& verdict);
  // Waits until gdb is gone. The exit code that the script chose; what is to be kept when the
  // person began again (`run`), else null.
  struct End {
    int code = 0;
    nlohmann::json again;
  };
  [[nodiscard]] Result<End> wait();

 private:
  Status start(const kernels::worker::ProcessSpec& spec);
  // Ends gdb, which ends the worker; its status as waitpid() has it.
  int end_gdb();
  // The next object that the script sends; nullopt: it has gone. What the worker answers meanwhile
  // is kept.
  [[nodiscard]] std::optional<nlohmann::json> next_message();

  std::string script_;
  nlohmann::json setup_;
  pid_t gdb_ = -1;
  int control_ = -1, answer_ = -1;
  std::string received_, answered_;
  nlohmann::json again_;
  std::optional<kernels::worker::Unfinished> unfinished_;  // as long as gdb lives
  bool greeted_ = false;
};

}  // namespace histolab::cli
