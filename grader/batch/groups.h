// Groups: the tasks of a batch, grouped by shared result (same_source.h), and its progress. Used by
// the local engine and by the cluster's.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/hand_in.h"
#include "grader/batch/journal.h"
#include "reference/result.h"

namespace histolab::batch {

// Groups the tasks by shared result, in the order of their first tasks. A group is ordered by the
// kernels' hashes, and its first task is graded.
[[nodiscard]] std::vector<std::vector<Task>> groups_of(std::vector<Task> tasks);
// Groups only tasks with equal bytes. For an engine that cannot grade a second task of a group if
// the first result is valid only for its own bytes (tasks_with_result).
[[nodiscard]] std::vector<std::vector<Task>> groups_of_equal(std::vector<Task> tasks);

// Reads a task's submission from the journal.
[[nodiscard]] Result<Work> work_of(Journal& journal, const Task& task);

// Makes the results of all tasks of a group from the first one's. `named` is the kernel's hash in
// its report, or empty if unknown.
[[nodiscard]] std::vector<Journal::Done> results_of(std::span<const Task> group, Outcome first,
                                                    const std::string& named);
// Returns the number of tasks at the beginning of the group that get a result with this status. A
// result that passed or failed is valid for all of them, any other one only for the same bytes.
[[nodiscard]] std::size_t tasks_with_result(std::span<const Task> group, std::string_view status);
// Makes their results from an earlier result with the same sharing key. Empty without one.
[[nodiscard]] Result<std::vector<Journal::Done>> results_alike(Journal& journal,
                                                               const std::vector<Task>& group);

// Progress of a batch.
struct Standing {
  std::size_t done = 0, of = 0;  // results of this run, without earlier ones
  std::size_t passed = 0, failed = 0, review = 0;
  double seconds = 0;        // since the start
  double seconds_left = -1;  // estimate from the progress so far; negative if not known yet
};

class Tally {
 public:
  // `progress` is called from any thread, one at a time.
  Tally(const std::vector<std::vector<Task>>& groups,
        std::function<void(const Standing&)> progress);
  // Records results for this many works of a group. `last` is false if further works of the group
  // have no result yet.
  void add(std::size_t works, const std::string& status, bool last = true);
  [[nodiscard]] const Standing& standing() const { return standing_; }  // not during add()

 private:
  std::function<void(const Standing&)> progress_;
  std::mutex lock_;
  Standing standing_;
  std::size_t groups_done_ = 0, groups_left_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace histolab::batch
