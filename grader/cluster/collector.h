// Collector: puts the parts of a cluster's tasks into a journal. Only it writes the journal.
//
// The first result of a submission counts. A task may run twice, so a second result can follow; it
// has to agree with the first (grader/batch/second_result.h). If it does not, the submission
// becomes needs_review, because the batch cannot decide which machine was right.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/batch/groups.h"
#include "grader/cluster/dispatch.h"
#include "grader/cluster/messages.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::cluster {

class Collector {
 public:
  // Keeps references to all arguments. A group's result is expected under its first grading.
  Collector(batch::Journal& journal, const std::vector<grader::LabSpec>& labs,
            const std::vector<std::vector<batch::Task>>& groups, batch::Tally& tally);

  // When it returns, the journal has all results of the part.
  [[nodiscard]] Status take(const Part& part);
  // Adds the results that an earlier run has for one group.
  [[nodiscard]] Status take_known(const std::vector<batch::Journal::Done>& results);
  // Gives up these submissions after the last try.
  [[nodiscard]] Status give_up(const std::vector<std::string>& gradings, int tries,
                               const Failure& failure);
  [[nodiscard]] bool has(const std::string& grading) const { return done_.contains(grading); }

  [[nodiscard]] double seconds() const { return seconds_; }  // spent on grading, in total
  // Names of the GPUs that measured times.
  [[nodiscard]] const std::set<std::string>& gpus() const { return gpus_; }
  [[nodiscard]] const std::set<std::string>& drivers() const { return drivers_; }
  [[nodiscard]] std::size_t found_twice() const { return found_twice_; }
  [[nodiscard]] std::size_t disputed() const { return disputed_.size(); }

 private:
  static void add_first(const std::vector<batch::Task>& group, const Found& found,
                        std::vector<batch::Journal::Done>& results);
  Status compare(const std::vector<batch::Task>& works, const Found& found,
                 std::vector<batch::Journal::Done>& results);
  [[nodiscard]] const grader::LabSpec& lab_of(const batch::Task& task) const;

  batch::Journal& journal_;
  const std::vector<grader::LabSpec>& labs_;
  const std::vector<std::vector<batch::Task>>& groups_;
  batch::Tally& tally_;
  std::unordered_map<std::string, std::size_t> by_grading_;
  std::set<std::string> done_, disputed_;  // gradings
  std::set<std::string> gpus_, drivers_;
  std::size_t found_twice_ = 0;
  double seconds_ = 0;
};

}  // namespace histolab::cluster
