// Dispatch: sees to it that every item of a number of chunks gets its result from some task,
// whatever happens to tasks and nodes.
//
// Theory of operation. A chunk waits until there is room, is one task of an array, and is settled
// when each of its items has been found by anybody. Results are the only proof that a task did its
// work: what the scheduler says is asked only to learn that a task is *not* coming any more. A task
// may run twice, on two nodes, before and after its array was given up; parts are keyed by grading,
// so that whichever comes first counts, and later ones are handed on to be compared.
//
// Where a task is gone and its chunk is not settled, what is left of it becomes new chunks, each
// after a longer pause: in pieces where the task had found nothing, at last of one item, so that an
// item that kills its task does not take others with it. After `most_tries` such failures without
// one result the items are given up. A node that says it cannot grade, or fails again and again
// while others do not, is left out from then on.
//
// A shared directory may show a file late: a task that is gone counts as such only after `grace`.
// One that did not find the directory, on a node that has graded, costs no try: it is submitted
// again after the longest pause. A scheduler that does not answer is waited for; tasks go on
// without it. Nothing here is lost by a kill at any moment: chunks and arrays are on the disk
// before they are submitted, under names from which adopt() finds their tasks again.
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
  std::string why;    // "node2: its time ran out", with the task's last words
  std::string node;   // empty: nobody knows
  Node told;          // what the node itself said, where it did
  int exit_code = 0;  // of the task, where it ended by itself
};

struct Queue {
  std::size_t running = 0, waiting = 0;  // tasks
  std::size_t stuck = 0;                 // of those that wait
  std::string
      reason;  // why the first of those waits, if possible one that is stuck; empty: nobody says
};

struct DispatchOptions {
  std::string partition, timing_partition, account,
      gres;  // gres: of tasks that measure; of all where there is no timing_partition
  std::vector<std::string> sbatch;    // words for it, which hold against those above
  std::vector<std::string> excluded;  // nodes that somebody does not want
  std::size_t most_tasks =
      0;  // in the scheduler's hands at once; 0: half of what it takes from everybody
  unsigned minutes = 15;                // of a task, at most
  std::string tier, compiler;           // that a node must have; empty: any
  int most_tries = 3;                   // after the first one
  std::chrono::milliseconds beat{200};  // between two looks at the spool
  std::chrono::milliseconds ask{
      3'000};  // between two questions to the scheduler; more where it is slow
  std::chrono::milliseconds grace{15'000};
  std::vector<std::chrono::seconds> pauses{
      std::chrono::seconds{5}, std::chrono::seconds{30},
      std::chrono::seconds{120}};  // before the first, second, third new try
  std::function<void(std::chrono::milliseconds)> rest = {};         // empty: sleeps
  std::function<std::chrono::steady_clock::time_point()> now = {};  // empty: the clock
};

struct DispatchEvents {
  // What a task has found, to be kept: when it returns the spool forgets results (times only when
  // they were judged with). Some may have been found before, by another task.
  std::function<Status(const Part& part)> found;
  // The last try failed. Error: it ends run().
  std::function<Status(const std::vector<std::string>& gradings, int tries, const Failure& failure)>
      given_up;
  std::function<void(const Queue& queue)> progress = [](const Queue&) {};
  std::function<void(const std::string& text)> tell = [](const std::string&) {
  };  // a sentence for whoever watches
  std::function<bool()> stopped = [] { return false; };
};

// What tasks did, for the end of a batch.
struct Toll {
  std::size_t tasks = 0, submitted_again = 0;
  std::set<std::string> nodes;
  double seconds = 0, seconds_to_begin = 0;  // of all tasks together
};

class Dispatch {
 public:
  Dispatch(Scheduler& scheduler, const Spool& spool, Assignment assignment, DispatchOptions options,
           DispatchEvents events);

  // The arrays that an earlier process submitted; enough to cancel them. Error: the spool cannot be
  // read.
  [[nodiscard]] Status know_arrays();
  // Takes over their chunks that still have something to find of what is `wanted`: those whose
  // tasks are alive, or have taken times that nobody has judged with, or were never submitted. And
  // what their tasks have found meanwhile. Other tasks that are alive are cancelled. Error: the
  // spool cannot be read, or the scheduler does not answer.
  [[nodiscard]] Status adopt(const std::set<std::string>& wanted);
  // Gradings that are on their way.
  [[nodiscard]] std::set<std::string> expected() const;
  // One more chunk; its number is given here.
  [[nodiscard]] Status add(Chunk chunk);

  enum class Ending { settled, cancelled, stopped };
  // Until all is settled; until --cancel; or until `stopped`. Error: nothing can be submitted, the
  // spool cannot be written, or what an event said.
  [[nodiscard]] Result<Ending> run();

  // Items whose tasks somebody else cancelled; they are not submitted again.
  [[nodiscard]] std::size_t cancelled_by_others() const { return cancelled_by_others_; }
  [[nodiscard]] const Toll& toll() const { return toll_; }
  // Ends what is still in the scheduler's hands.
  [[nodiscard]] Status cancel();

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct InFlight {
    Phase phase = Phase::whole;
    int tries = 0;
    std::set<std::string> left;
    bool found_some = false;           // since it was submitted
    std::size_t array = 0, index = 0;  // 0: it waits to be submitted
    std::optional<Time> gone_since;
    bool failed = false;     // the task itself said so: nothing more is to come
    bool cancelled = false;  // by somebody who is not this batch
    bool seen = false;       // the scheduler has told of its task
    bool away = false;       // the task did not find the shared directory
    Time not_before{};       // of a new try
    Failure failure;
    std::map<std::string, std::string> measured;  // of Phase::measure
    std::vector<std::string> files;               // parts to be removed when it is settled
  };
  [[nodiscard]] Time now() const {
    return options_.now ? options_.now() : std::chrono::steady_clock::now();
  }
  [[nodiscard]] std::vector<std::string> names(bool all) const;
  static std::vector<std::vector<std::string>> in_lots(const std::vector<std::string>& names);

  // Results, and what to do where there are none.
  Status read_parts();
  Status take(const std::string& path, const Part& part);
  Status settle(std::size_t number, InFlight& chunk);
  Status give_back_gone();
  Status try_again(std::size_t number, InFlight& chunk);
  [[nodiscard]] std::chrono::seconds longest_wait() const;
  void leave_out(const std::string& node, bool measures, const std::string& why);
  void strike(const InFlight& chunk);

  // To the scheduler (dispatch_submitting.cpp).
  Status submit();
  Status submit_array(std::size_t count);
  void taken_back(std::size_t array, const std::string& why);

  // From it (dispatch_asking.cpp).
  [[nodiscard]] Result<std::vector<TaskState>> states_of(const std::vector<std::string>& arrays);
  Status ask();
  void note(const TaskState& state, InFlight& chunk);
  void tell_what_waits();

  // Of an earlier process (dispatch_adopting.cpp).
  Status adopt_chunk(std::size_t number, std::size_t array, std::size_t index,
                     std::set<std::string>& wanted);

  Scheduler& scheduler_;
  const Spool& spool_;
  Assignment assignment_;
  DispatchOptions options_;
  DispatchEvents events_;
  std::optional<Limits> limits_;            // asked for when it submits
  std::map<std::size_t, InFlight> chunks_;  // by number; those that are not settled
  std::deque<std::size_t> to_submit_;
  std::map<std::size_t, std::vector<std::size_t>> arrays_;  // all, with their chunks
  std::optional<std::size_t> doubtful_;  // an array that the scheduler has not confirmed
  std::string doubt_;
  int refusals_ = 0, refusals_alone_ = 0;  // in a row; of single tasks with nothing else under way
  std::size_t room_ = 0;                   // less than most_tasks after a refusal; 0: that
  Time may_submit_{}, ask_next_{}, room_grows_{};
  std::set<std::string> told_of_away_;  // nodes
  // Nodes, with the first array that they are left out of; for tasks that do not take times, and
  // for those that do.
  std::map<bool, std::map<std::string, std::size_t>> excluded_;
  std::map<std::string, int> strikes_;  // of a node: tasks in a row that failed without a result
  std::set<std::string> seen_;          // parts that wait for their chunk to settle
  std::optional<Time> waits_since_;
  bool told_of_waiting_ = false;
  std::size_t next_chunk_ = 1, next_array_ = 1, cancelled_by_others_ = 0;
  std::optional<Time> silent_since_;
  bool told_of_silence_ = false;
  Queue queue_;
  Toll toll_;
};

}  // namespace histolab::cluster
