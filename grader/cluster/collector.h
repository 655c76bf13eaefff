// Collector: what the parts of a cluster's tasks mean for a journal, which it alone writes.
//
// Per work the first result counts. A later one, of a task that ran twice, has to agree; where it
// does not, nobody can say which of the two machines was right, and the work is left to a person
// (needs_review). Where times were measured, two runs agree when they give the same points; else to
// the byte.
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
  // All borrowed. A work is expected under the grading of its group's first one.
  Collector(batch::Journal& journal, const std::vector<grader::LabSpec>& labs,
            const std::vector<std::vector<batch::Task>>& groups, batch::Tally& tally);

  // Everything of a part is in the journal when it returns.
  [[nodiscard]] Status take(const Part& part);
  // Results of an earlier run for works like those of one group.
  [[nodiscard]] Status take_known(const std::vector<batch::Journal::Done>& results);
  // No task could grade these.
  [[nodiscard]] Status give_up(const std::vector<std::string>& gradings, int tries,
                               const Failure& failure);
  [[nodiscard]] bool has(const std::string& grading) const { return done_.contains(grading); }

  [[nodiscard]] double seconds() const { return seconds_; }  // that works took, all together
  [[nodiscard]] const std::set<std::string>& gpus() const {
    return gpus_;
  }  // names of those that took times
  [[nodiscard]] const std::set<std::string>& drivers() const { return drivers_; }
  [[nodiscard]] std::size_t found_twice() const { return found_twice_; }
  [[nodiscard]] std::size_t disputed() const { return disputed_.size(); }

 private:
  static void add_first(const std::vector<batch::Task>& group, const Found& found,
                        std::vector<batch::Journal::Done>& results);
  Status compare(const std::vector<batch::Task>& works, const Found& found,
                 std::vector<batch::Journal::Done>& results);
  [[nodiscard]] batch::Outcome unjudged(const batch::Task& task, grader::Verdict status,
                                        const std::string& why) const;

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

// Whether two reports of one work (JSON of a lab) agree. Exposed for its tests.
[[nodiscard]] bool agree(const std::string& first, const std::string& second);

}  // namespace histolab::cluster
