// Memory limits of processes, and the number of processes that the OOM killer has ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace histolab::batch {

// Number of processes that the OOM killer has ended since boot (/proc/vmstat: oom_kill, proc(5)),
// on the whole machine. If the number is unchanged, none of ours was killed. 0 if the system does
// not report it.
[[nodiscard]] std::uint64_t processes_ended_for_memory();

// Memory limit in bytes for this process and its children together, from cgroups (cgroups(7)): the
// smallest limit of its group and the groups around it. Returns nullopt without a limit.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();
// The same for the lines of a /proc/PID/cgroup file, with cgroups mounted at `root`. For tests.
[[nodiscard]] std::optional<std::uint64_t> memory_limit(std::string_view groups,
                                                        const std::string& root);

}  // namespace histolab::batch
