// Probe: the first task of a batch. It grades the labs' own solutions on a node, which proves that
// a node can, measures what a work takes there, and gives what reports compare with. All that a
// node lacks is told in one message, before thousands of tasks fail.
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
  Node node;  // that judged; with the GPU of the one that took times
  std::map<std::string, std::string> reports;  // of the solutions, by lab: JSON
  std::map<std::string, double> seconds;       // of one work: the longest of its phases
};

// Sends the solutions to a node and waits for them; `items` are those, `phase` the first one. Where
// the spool has the answer of an earlier process, that is it; else the spool is new. Error: what
// the cluster lacks.
[[nodiscard]] Result<Probed> probe(Scheduler& scheduler, const Spool& spool,
                                   const Assignment& assignment, DispatchOptions options,
                                   DispatchEvents events, Phase phase,
                                   const std::vector<Item>& items);

// Why the probe failed, as one message. Exposed for its tests.
[[nodiscard]] std::string told(const Failure& failure, const Spool& spool,
                               const Assignment& assignment);

// How far a node's clock is from this machine's, in seconds; 0: no further than can be told, since
// it wrote its time at some moment between `before` and `after` here.
[[nodiscard]] std::int64_t clock_skew(std::int64_t node, std::int64_t before, std::int64_t after);
inline constexpr std::int64_t most_skew =
    60;  // munge, by which Slurm proves who asks, refuses at 300

}  // namespace histolab::cluster
