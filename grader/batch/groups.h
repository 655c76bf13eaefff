// Groups: what a batch has to grade, works that share a result (same_source.h) put together; what
// one result means for all of a group; and how far it is. What both engines, the local one and a
// cluster's, have in common.
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

// In the order of their first ones; within a group in the order of the kernels' hashes: the first
// one is graded.
[[nodiscard]] std::vector<std::vector<Task>> groups_of(std::vector<Task> tasks);
// The same, but only equal bytes are together. For an engine that cannot grade a second task of a
// group if the first result counts only for its own bytes (tasks_with_result).
[[nodiscard]] std::vector<std::vector<Task>> groups_of_equal(std::vector<Task> tasks);

// What was handed in, out of the journal.
[[nodiscard]] Result<Work> work_of(Journal& journal, const Task& task);

// Each one's own of the first one's result. `named`: the kernel's hash in its report; empty: it is
// not known.
[[nodiscard]] std::vector<Journal::Done> results_of(std::span<const Task> group, Outcome first,
                                                    const std::string& named);
// How many tasks of the group, from the first one on, get a result with this status. A result that
// passed or failed counts for all of them, and any other one only for the same bytes.
[[nodiscard]] std::size_t tasks_with_result(std::span<const Task> group, std::string_view status);
// The same where an earlier run has graded a source like theirs; empty: none has.
[[nodiscard]] Result<std::vector<Journal::Done>> results_alike(Journal& journal,
                                                               const std::vector<Task>& group);

// How far it is.
struct Standing {
  std::size_t done = 0, of = 0;  // results, those of an earlier run not counted
  std::size_t passed = 0, failed = 0, review = 0;
  double seconds = 0;        // since it began
  double seconds_left = -1;  // by the pace so far; negative: too early to say
};

class Tally {
 public:
  // `progress`: called from any thread, one at a time.
  Tally(const std::vector<std::vector<Task>>& groups,
        std::function<void(const Standing&)> progress);
  // So many works of a group have their result. `last` is false if others of the group have none
  // yet.
  void add(std::size_t works, const std::string& status, bool last = true);
  [[nodiscard]] const Standing& standing() const { return standing_; }  // while nobody adds

 private:
  std::function<void(const Standing&)> progress_;
  std::mutex lock_;
  Standing standing_;
  std::size_t groups_done_ = 0, groups_left_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace histolab::batch
