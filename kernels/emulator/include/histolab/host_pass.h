// CUDA's keywords in the host pass of a whole program: g++ compiles the host code of the file.
//
// Kernels have no body here (kernels/program/syntax/pass_text.h). A kernel's entry consists of nops
// that the program's library replaces at its start: a call keeps its arguments for the launch. The
// section __patchable_function_entries lists the kernels.
#pragma once

#define __global__ __attribute__((noipa, used, patchable_function_entry(32)))
// The host's own variable represents a variable on the device: its address names it.
#define __device__ HISTOLAB_NOTHING
#define __constant__ HISTOLAB_NOTHING
#define __host__ HISTOLAB_NOTHING
// The host uses this one, too. The program's library finds the section by its name.
#define __managed__ __attribute__((section("histolab_managed"), aligned(16)))
// Not an attribute of g++. It becomes `weak` if the declaration is extern: no unit defines it.
#define __shared__ __attribute__((histolab_shared))
// As many more nops as threads. The program's description counts them.
#define __launch_bounds__(threads, ...) __attribute__((patchable_function_entry(32 + (threads))))

// Defined in the program's library: a device function that the host calls ends the program with a
// message, and so does an access to a built-in variable (histolab_on_host_variable).
#define HISTOLAB_RUNTIME(name) __asm__("histolab_on_host")
