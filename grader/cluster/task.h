// Task: what runs on a node. It grades the items of a chunk, one after the other, and writes parts.
//
// A part is written every few seconds, so that a task that is ended loses no more than that. Where
// the shared directory is away, writing is tried again for some minutes. A result that only the
// machine is to blame for is kept as the local engine keeps it (needs_review), if the lab's own
// solution can be graded here; where that fails, too, the node is no good, and the task gives up.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "grader/batch/engine.h"
#include "grader/cluster/messages.h"
#include "grader/cluster/spool.h"
#include "reference/result.h"

namespace histolab::cluster {

class PartWriter {
 public:
  // `blank`: what all parts have in common. `begun`: when the task began.
  PartWriter(const Spool& spool, Part blank, std::chrono::steady_clock::time_point begun);
  // From any thread. Error: the spool cannot be written to, or is gone.
  [[nodiscard]] Status add(Found found);
  // What has waited for long is written now: what comes next may end the task.
  [[nodiscard]] Status write_what_waits();
  // The last one.
  [[nodiscard]] Status finish();
  [[nodiscard]] Status give_up(const std::string& why);

  // How long it tries where the directory is away.
  std::chrono::seconds patience{300};
  std::chrono::milliseconds pause{1'000};

 private:
  Status write();
  const Spool& spool_;
  std::mutex lock_;
  Part part_;
  std::string unique_;
  std::size_t written_ = 0;
  bool failed_ = false;  // once is enough
  std::chrono::steady_clock::time_point begun_, last_;
};

struct TaskEngine {
  batch::Engine batch;
  kernels::TimedDevice* gpu = nullptr;  // of Phase::measure
};

// Error: the spool cannot be written to, or the node is no good: then the part says so, too.
[[nodiscard]] Status run_chunk(const Chunk& chunk, TaskEngine& engine, PartWriter& writer);

// sha256 over files and their names: an older build on a node's own disk would give other results.
[[nodiscard]] Result<std::string> hash_of_files(const std::vector<std::string>& files);

}  // namespace histolab::cluster
