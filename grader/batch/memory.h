// Memory that the machine gives: how much a group of processes may take, and whether Linux has
// ended some for want of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace histolab::batch {

// So many processes since the machine's start (/proc/vmstat: oom_kill, proc(5)), whoever they
// belonged to: what has not changed proves that nothing of ours was among them. 0 where the system
// does not tell.
[[nodiscard]] std::uint64_t processes_ended_for_memory();

// Bytes that this process and all that it starts may take together, as cgroups say (cgroups(7)):
// the least of its group's and of those around it. nullopt: nothing holds it but the machine.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();
// The same for the lines of a /proc/PID/cgroup, where cgroups are at `root`. Exposed for its tests.
[[nodiscard]] std::optional<std::uint64_t> memory_limit(std::string_view groups,
                                                        const std::string& root);

}  // namespace histolab::batch
