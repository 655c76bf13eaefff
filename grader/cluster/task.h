// Task: the program that runs on a node. It grades the items of a chunk and writes parts.
//
// It writes a part every few seconds, so that a killed task loses no more than that. If the shared
// directory is unavailable, it retries for some minutes. If the machine fails at a submission, the
// task grades the lab's own solution: if that works, the submission becomes needs_review, as in the
// local engine. If it fails, too, the node cannot grade, and the task gives up.
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
  // `blank` has the fields that all parts share; `begun` is the time when the task began.
  PartWriter(const Spool& spool, Part blank, std::chrono::steady_clock::time_point begun);
  // For any thread. All functions return an Error if the spool cannot be written, or is gone.
  [[nodiscard]] Status add(Found found);
  // Writes results that are some seconds old. Called before each item, because an item may end the
  // task.
  [[nodiscard]] Status write_pending();
  // Both write the last part.
  [[nodiscard]] Status finish();
  [[nodiscard]] Status give_up(const std::string& why);

  // How long it retries if the directory is unavailable.
  std::chrono::seconds patience{300};
  std::chrono::milliseconds pause{1'000};

 private:
  Status write();
  const Spool& spool_;
  std::mutex lock_;
  Part part_;
  std::string unique_;
  std::size_t written_ = 0;
  bool failed_ = false;  // a write failed for good
  std::chrono::steady_clock::time_point begun_, last_;
};

struct TaskEngine {
  batch::Engine batch;
  kernels::TimedDevice* gpu = nullptr;  // in Phase::measure
};

// Returns an Error if the spool cannot be written, or if the node cannot grade. The last part then
// has the reason, too.
[[nodiscard]] Status run_chunk(const Chunk& chunk, TaskEngine& engine, PartWriter& writer);

// sha256 of files and their names. It finds another build on a node's own disk.
[[nodiscard]] Result<std::string> hash_of_files(const std::vector<std::string>& files);

}  // namespace histolab::cluster
