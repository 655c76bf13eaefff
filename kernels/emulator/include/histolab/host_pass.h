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
#define __launch_bounds__(...) HISTOLAB_NOTHING

// A device function that the host calls reports the call and ends the program. Nothing defines the
// built-in variables, so an access to one is an access to address zero.
extern "C" long write(int, const void*, unsigned long);
extern "C" __attribute__((weak, cold, noreturn)) void histolab_on_host() {
  static const char message[] =
      "histolab: the host called a device function, such as __syncthreads or atomicAdd. Only "
      "kernels and device functions can call it\n";
  if (write(2, message, sizeof message - 1) < 0) __builtin_trap();
  __builtin_trap();
}
#define HISTOLAB_RUNTIME(name) __asm__("histolab_on_host")
