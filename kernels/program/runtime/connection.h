// The connection to the parent process: requests, and reports of segmentation faults.
#pragma once

#include <cstdint>

#include "kernels/program/calls/messages.h"

namespace histolab::kernels::program {

// Sends a call and returns the reply. Connects first if this is the first request. Completes the
// operations that the reply names, guards its ranges, and writes the output of kernels.
//
// If the parent has closed the connection, the process ends.
Reply request(const Call& call);

// A copy of device memory to the host that is made when the operation is complete, as on a GPU.
void defer_copy(std::uint64_t operation, const calls::Copy& copy);
// Makes the deferred copies now: later work may read their destinations.
void make_deferred_copies();

// Reports that the program could not open a file for writing. Does nothing before the program has
// begun, or in a forked child.
void report_refused_write();
// Links the functions of files.cpp into the program.
void watch_writes();

// Copies rows between any addresses. A fault there is a mistake of the call that returns to
// `caller`.
void copy_rows(const calls::Copy& copy, std::uint64_t caller);

}  // namespace histolab::kernels::program
