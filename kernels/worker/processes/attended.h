// A supervised child: its output is read as it comes, never more than a limit is kept, and the wall
// clock ends it.
#pragma once

#include <string>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::worker {

class Attended {
 public:
  explicit Attended(const ProcessSpec& spec) : spec_(spec) {}
  // The pipes into which the child writes. Returns false if there is no descriptor left.
  bool open() { return out_.open() && err_.open(); }
  [[nodiscard]] int child_output() const { return out_.write.get(); }
  [[nodiscard]] int child_errors() const { return err_.write.get(); }
  // The child has them now.
  void close_childs_ends() { out_.write.reset(), err_.write.reset(); }

  // Returns true if `ended` can be read, false if the time is over, an Error if the child cannot be
  // supervised.
  Result<bool> wait_for(int ended);
  // Moves the output that was written before the end and is still in the pipes into `result`.
  void finish(ProcessResult& result);

 private:
  void tell_new_output();

  const ProcessSpec& spec_;
  Pipe out_, err_;
  std::string output_, errors_;
  bool output_cut_ = false, errors_cut_ = false;
  std::size_t told_ = 0;
};

}  // namespace histolab::kernels::worker
