// A supervised child. Its output is read as it arrives and kept up to a limit. The child is
// reported as timed out when its wall-clock time is over.
#pragma once

#include <string>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class SupervisedChild {
 public:
  explicit SupervisedChild(const ProcessSpec& spec) : spec_(spec) {}
  // Opens the pipes of the child. Returns false without a free descriptor.
  bool open();
  [[nodiscard]] int child_input() const { return is_typed_to_ ? in_.read.get() : spec_.input; }
  [[nodiscard]] int child_output() const { return out_.write.get(); }
  [[nodiscard]] int child_errors() const { return err_.write.get(); }
  // Closes this process's copies of the write ends. Call it after the child has inherited them.
  void close_childs_ends() {
    out_.write.reset();
    err_.write.reset();
  }

  // Returns true when descriptor `ended` becomes readable, false when the wall-clock time is over.
  // Returns an Error if the child cannot be supervised.
  Result<bool> wait_for(int ended);
  // Moves the output into `result`, including bytes that are still in the pipes.
  void finish(ProcessResult& result);

 private:
  void report_new_output();
  void pass_on_typed();

  const ProcessSpec& spec_;
  Pipe in_, out_, err_;
  bool is_typed_to_ = false;  // the input is a terminal
  std::string typed_;         // does not fit into the pipe yet
  std::string output_, errors_;
  bool output_cut_ = false, errors_cut_ = false;
  std::size_t reported_output_ = 0, reported_errors_ = 0;
};

}  // namespace histolab::kernels::worker
