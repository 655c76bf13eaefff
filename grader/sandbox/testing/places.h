// What the tests' sandboxes find: this build's programs, and a folder of CUDA's libraries that need not be there.
#pragma once

#include "grader/sandbox/sandbox.h"

namespace histolab::sandbox::testing {

inline Places places() { return {HISTOLAB_BIN "/histolab-confine", HISTOLAB_BIN "/histolab-worker", HISTOLAB_SOURCE_DIR "/kernels/emulator/include", {"/opt/cuda"}}; }

}  // namespace histolab::sandbox::testing
