// Checks of a kernel's text alone. Comments and strings are blanked first.
//
// These checks find mistakes; they are not a security boundary. They add lines to diagnostics that
// the object file has no line for, and refuse constructs that g++ accepts and CUDA does not.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// Returns errors for CUDA's rules that g++ does not know: a `__shared__` variable with an initial
// value, a kernel that returns a value, `thread_local`. Also for `__syncthreads;`, a mistake that
// every compiler accepts.
[[nodiscard]] std::vector<Diagnostic> refuse_source(const std::string& text);

// Sets the line of diagnostics and findings that have none: the line of the kernel or shared array.
void locate(std::vector<Diagnostic>& diagnostics, const std::string& text);
void locate(std::vector<Finding>& findings, const std::string& text);

// Judges notes about masks that name ended lanes. CUDA allows that if the lanes returned before the
// call ("exited threads are ignored"). It is wrong if they bypassed the call and then reached the
// kernel's end. Machine code does not show the difference, but only the first kind has a `return`.
// So without one the note becomes an error. A note is dropped if its line has a mask error as well.
void judge_ended_lanes(std::vector<Finding>& findings, const std::string& text,
                       const std::string& kernel);

}  // namespace histolab::kernels::worker
