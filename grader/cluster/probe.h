// Probe: the first task of a batch. It grades the labs' own solutions on a node. That proves that
// the node can grade, measures the time per submission, and gives the reports that others are
// compared with. One message lists everything that a node lacks, before thousands of tasks fail.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/cluster/dispatch.h"
#include "grader/cluster/messages.h"
#include "grader/cluster/spool.h"
#include "reference/result.h"

namespace histolab::cluster {

struct Probed {
  Node node;  // that judged, with the GPU of the node that measured times
  std::map<std::string, std::string> reports;  // of the solutions, by lab: JSON
  std::map<std::string, double> seconds;       // per submission, in its longest phase
};

// Sends the solutions (`items`) to a node and waits for their results. `phase` is the first phase.
// If the spool has the result of an earlier process, returns that; else the spool has to be new.
// Returns an Error that explains what the cluster lacks.
[[nodiscard]] Result<Probed> probe(Scheduler& scheduler, const Spool& spool,
                                   const Assignment& assignment, DispatchOptions options,
                                   DispatchEvents events, Phase phase,
                                   const std::vector<Item>& items);

// Explains in one message why the probe failed. Exposed for tests.
[[nodiscard]] std::string explain(const Failure& failure, const Spool& spool,
                                  const Assignment& assignment);

// The difference between a node's clock and this machine's, in seconds. Returns 0 if a delay can
// explain it: the node wrote its time at some moment between `before` and `after` on this machine.
[[nodiscard]] std::int64_t clock_skew(std::int64_t node, std::int64_t before, std::int64_t after);
inline constexpr std::int64_t most_skew = 60;  // munge, Slurm's authentication, refuses at 300

}  // namespace histolab::cluster
