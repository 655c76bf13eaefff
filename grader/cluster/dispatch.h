// Dispatch: gets a result for every item of some chunks, whatever happens to tasks and nodes.
//
// Theory of operation. A chunk waits until there is room, then it becomes one task of an array. It
// is finished when each of its items has a result, from any task. Only results prove that a task
// did its work. The scheduler is polled only to learn that a task will *not* deliver. A task may
// run twice, on two nodes, or after its array was given up. Parts are keyed by grading, so the
// first result counts, and later ones are passed on to be compared.
//
// If a task is gone and its chunk is unfinished, the remaining items become new chunks. Each try
// waits longer than the one before. If the task had found nothing, its items are split, finally
// into single items, so that an item that kills its task does not take others with it. After
// `most_tries` failures without one result, the items are given up. A node that reports that it
// cannot grade is excluded from then on. So is a node that fails repeatedly while other nodes work.
//
// A shared directory may show a file late, so a task counts as gone only after `grace`. If a node
// that has graded does not find the directory, the task costs no try and is submitted again after
// the longest pause. If the scheduler does not answer, the batch waits, and the tasks keep running.
// A kill loses nothing at any moment: chunks and arrays are on disk before they are submitted, and
// adopt() finds their tasks by name.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/cluster/messages.h"
#include "grader/cluster/scheduler.h"
#include "grader/cluster/spool.h"
#include "reference/result.h"

namespace histolab::cluster {

struct Failure {
  std::string why;            // "node2: its time ran out", with the last line of the task's log
  std::string node = {};      // empty if unknown
  Node reported = {};         // the node's own report, if it wrote one
  int exit_code = 0;          // if the task exited
  bool no_node_fits = false;  // then `why` is explain_no_fit()
};

struct Queue {
  std::size_t running = 0, waiting = 0;  // tasks
  std::size_t stuck = 0;                 // part of `waiting`
  // Why the first stuck task waits, or the first waiting one. May be empty.
  std::string reason;
};

struct DispatchOptions {
  std::string partition, timing_partition, account;
  std::string gres;                 // for tasks that measure; for all if timing_partition is empty
  std::vector<std::string> sbatch;  // the user's options, which override those above
  std::vector<std::string> excluded;    // nodes that the user excludes
  std::size_t most_tasks = 0;           // in the queue at once; 0 for half of the scheduler's limit
  unsigned minutes = 15;                // time limit of a task
  std::string tier, compiler;           // that a node must have; empty for any
  int most_tries = 3;                   // after the first one
  std::chrono::milliseconds beat{200};  // between two looks at the spool
  std::chrono::milliseconds poll{3'000};  // between two polls; longer if the scheduler is slow
  std::chrono::milliseconds grace{15'000};
  // Before the first, second and third new try.
  std::vector<std::chrono::seconds> pauses{std::chrono::seconds{5}, std::chrono::seconds{30},
                                           std::chrono::seconds{120}};
  std::function<void(std::chrono::milliseconds)> rest = {};         // sleeps by default
  std::function<std::chrono::steady_clock::time_point()> now = {};  // the clock by default
};

struct DispatchEvents {
  // Keeps the results of a task. When it returns, the spool deletes the results; it deletes times
  // after they were judged with. Another task may have found some of them before.
  std::function<Status(const Part& part)> found;
  // The last try failed. An Error ends run().
  std::function<Status(const std::vector<std::string>& gradings, int tries, const Failure& failure)>
      given_up;
  std::function<void(const Queue& queue)> progress = [](const Queue&) {};
  std::function<void(const std::string& text)> report = [](const std::string&) {};  // to the user
  std::function<bool()> stopped = [] { return false; };
};

// Totals of all tasks, for the summary.
struct Totals {
  std::size_t tasks = 0, submitted_again = 0;
  std::set<std::string> nodes;
  double seconds = 0, seconds_to_begin = 0;
};

class Dispatch {
 public:
  Dispatch(Scheduler& scheduler, const Spool& spool, Assignment assignment, DispatchOptions options,
           DispatchEvents events);

  // Reads the arrays that an earlier process submitted; cancel() needs only that. Returns an Error
  // if the spool cannot be read.
  [[nodiscard]] Status load_arrays();
  // Takes over the chunks of an earlier process that still have `wanted` items: chunks whose tasks
  // are alive, or whose times were measured but not judged, or that were never submitted. Also
  // reads the results that their tasks wrote meanwhile. Cancels other tasks that are alive. Returns
  // an Error if the spool cannot be read, or if the scheduler does not answer.
  [[nodiscard]] Status adopt(const std::set<std::string>& wanted);
  // Gradings of the items in unfinished chunks.
  [[nodiscard]] std::set<std::string> expected() const;
  // Adds a chunk and assigns its number.
  [[nodiscard]] Status add(Chunk chunk);

  enum class Ending { settled, cancelled, stopped };
  // Runs until all chunks are finished, until --cancel, or until `stopped`. Returns an Error if
  // nothing can be submitted, if the spool cannot be written, or if an event returned one.
  [[nodiscard]] Result<Ending> run();

  // Number of items whose tasks another process cancelled. They are not submitted again.
  [[nodiscard]] std::size_t cancelled_by_others() const { return cancelled_by_others_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  // Cancels all tasks that the scheduler still has.
  [[nodiscard]] Status cancel();

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct InFlight {
    Phase phase = Phase::whole;
    int tries = 0;
    std::set<std::string> left;
    bool found_some = false;           // since it was submitted
    std::size_t array = 0, index = 0;  // array 0 if it is not submitted yet
    std::optional<Time> gone_since;
    bool failed = false;     // the task reported that it gave up; no more results will come
    bool cancelled = false;  // by another process
    bool seen = false;       // the scheduler has listed the task
    bool away = false;       // the task did not find the shared directory
    Time not_before{};       // earliest time of a new try
    Failure failure;
    std::map<std::string, std::string> measured;  // in Phase::measure
    std::vector<std::string> files;               // parts to delete when the chunk is finished
  };
  [[nodiscard]] Time now() const {
    return options_.now ? options_.now() : std::chrono::steady_clock::now();
  }
  [[nodiscard]] std::vector<std::string> names(bool all) const;
  static std::vector<std::vector<std::string>> in_lots(const std::vector<std::string>& names);

  // Results, and new tries.
  Status read_parts();
  Status take(const std::string& path, const Part& part);
  Status finish(std::size_t number, InFlight& chunk);
  Status finish_chunks();
  Status try_again(std::size_t number, InFlight& chunk);
  [[nodiscard]] std::chrono::seconds longest_pause() const;
  void exclude_node(const std::string& node, bool measures, const std::string& why);
  void count_strike(const InFlight& chunk);

  // Submissions (dispatch_submitting.cpp).
  Status submit();
  Status submit_array(std::size_t count);
  [[nodiscard]] ArrayRequest request_for(std::size_t array, std::size_t tasks, Phase phase) const;
  void return_to_queue(std::size_t array, const std::string& why);
  [[nodiscard]] std::string explain_no_fit(Phase phase) const;

  // Polls (dispatch_polling.cpp).
  [[nodiscard]] Result<std::vector<TaskState>> states_of(const std::vector<std::string>& arrays);
  Status poll();
  void record_state(const TaskState& state, InFlight& chunk);
  void record_end(const TaskState& state, InFlight& chunk);
  void report_waiting();

  // Tasks of an earlier process (dispatch_adopting.cpp).
  Status adopt_chunk(std::size_t number, std::size_t array, std::size_t index,
                     std::set<std::string>& wanted);

  Scheduler& scheduler_;
  const Spool& spool_;
  Assignment assignment_;
  DispatchOptions options_;
  DispatchEvents events_;
  std::optional<Limits> limits_;            // read before the first submission
  std::map<std::size_t, InFlight> chunks_;  // unfinished ones, by number
  std::deque<std::size_t> to_submit_;
  std::map<std::size_t, std::vector<std::size_t>> arrays_;  // all, with their chunks
  std::optional<std::size_t> doubtful_;  // an array that the scheduler has not confirmed
  std::string doubt_;
  int refusals_ = 0, refusals_alone_ = 0;  // in a row; of single tasks when nothing else runs
  std::size_t room_ = 0;                   // tasks allowed after a refusal; 0 for most_tasks
  Time may_submit_{}, poll_next_{}, room_grows_{};
  std::set<std::string> reported_away_;  // nodes
  // Excluded nodes, each with the first array that excludes it. One map for tasks that measure
  // (true), one for the others.
  std::map<bool, std::map<std::string, std::size_t>> excluded_;
  std::map<std::string, int> strikes_;  // per node: tasks in a row that failed without a result
  std::set<std::string> seen_;          // parts that wait for their chunk to finish
  std::optional<Time> waits_since_;
  bool reported_waiting_ = false;
  std::size_t next_chunk_ = 1, next_array_ = 1, cancelled_by_others_ = 0;
  std::optional<Time> silent_since_;
  bool reported_silence_ = false;
  Queue queue_;
  Totals totals_;
};

}  // namespace histolab::cluster
