// What can be said about a kernel from its text alone.
//
// Small, textual and forgiving: comments and strings are blanked first, and nothing here is a boundary of security. It
// gives a line to what the object file cannot name, and refuses what g++ would accept and CUDA would not.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// CUDA's rules that g++ does not know, as errors: a `__shared__` variable with an initial value, a kernel that returns one,
// `thread_local`. Also a statement that every compiler accepts by mistake: `__syncthreads;`.
[[nodiscard]] std::vector<Diagnostic> refuse_source(const std::string& text);

// Gives a line to diagnostics and findings that have none: the kernel's declaration, the shared array's.
void locate(std::vector<Diagnostic>& diagnostics, const std::string& text);
void locate(std::vector<Finding>& findings, const std::string& text);

// A mask that names lanes which have ended is right CUDA where they returned before the call ("exited threads are ignored")
// and wrong where they passed it by and then came to the kernel's end. To a machine the two are one; what tells them apart
// is whether the kernel has a `return` at all. Without one such a note becomes an error. A note about a mask in whose line there
// is an error, too, is dropped.
void judge_ended_lanes(std::vector<Finding>& findings, const std::string& text, const std::string& kernel);

}  // namespace histolab::kernels::worker
