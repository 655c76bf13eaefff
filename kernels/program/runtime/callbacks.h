// Callbacks of streams: cudaLaunchHostFunc and cudaStreamAddCallback.
#pragma once

#include <functional>

namespace histolab::kernels::program {

// Starts the callback on its own thread, as CUDA does, and returns at once. A callback's
// own callback runs here.
void run_callback(std::function<void()> callback);

// Waits for the last callback: later work of its stream comes after it. Returns at once in a
// callback. Each request does this first, so there is at most one callback at a time.
void wait_for_callback();

}  // namespace histolab::kernels::program
