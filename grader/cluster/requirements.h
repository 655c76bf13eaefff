// Requirements: explains why no node can run a task. Slurm says only "BadConstraints".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/cluster/scheduler.h"

namespace histolab::cluster {

// The memory limit of one task in MiB: the user's --mem or --mem-per-cpu, else the batch's own
// choice. Returns nullopt if neither sets one, or if the user's text is not a size.
[[nodiscard]] std::optional<std::size_t> requested_mebibytes(const ArrayRequest& request);

// One message: what a task asks for, what the nodes have, and which options change the request.
// `nodes` may be empty if they are unknown.
[[nodiscard]] std::string explain_no_fit(const ArrayRequest& request,
                                         const std::vector<NodeSize>& nodes);

}  // namespace histolab::cluster
