#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include "kernels/cuda/facts/facts.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::facts {
namespace {

using gpu::check;

struct Words {
  unsigned int lock, guarded, arrived;
};

// Each lane acquires the lock and releases it before it continues.
template <bool MeetsInside>
__global__ void take_in_turns(Words* words) {
  while (atomicCAS(&words->lock, 0u, 1u) != 0u) {
  }
  __threadfence();
  if (MeetsInside) __syncwarp();
  volatile unsigned int& guarded = words->guarded;
  guarded = guarded + 1;
  __threadfence();
  atomicExch(&words->lock, 0u);
}

// All blocks of the grid wait for each other.
__global__ void meet(Words* words) {
  if (threadIdx.x == 0) {
    atomicAdd(&words->arrived, 1u);
    while (atomicAdd(&words->arrived, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
}

using Kernel = void (*)(Words*);
constexpr unsigned int most_launches = 100;
constexpr double patience_s = 3;
constexpr unsigned int threads_at_the_barrier = 256;

bool ends(Kernel kernel, unsigned int blocks, unsigned int threads, Words* words) {
  check(cudaMemset(words, 0, sizeof *words), "zero the words");
  gpu::Event end;
  kernel<<<blocks, threads>>>(words);
  check(cudaGetLastError(), "launch a kernel that waits");
  end.record();
  const auto last = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  while (std::chrono::steady_clock::now() < last) {
    const cudaError_t status = cudaEventQuery(end.handle());
    if (status == cudaSuccess) return true;
    if (status != cudaErrorNotReady) check(status, "wait for the kernel");
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return false;
}

// Runs `question` in a child process and returns the answer that it passes to its argument. The
// child then ends with _exit: a regular exit would wait for the GPU, and thus forever for a kernel
// that does not end.
template <class Question>
unsigned int asked_apart(const std::string& failure, Question&& question) {
  int ends_of_pipe[2];
  if (pipe(ends_of_pipe) != 0)
    throw std::runtime_error(failure + ": there is no pipe to a process");
  const pid_t child = fork();
  if (child == 0) {
    try {
      question([&](unsigned int answer) {
        _exit(write(ends_of_pipe[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
      });
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(1);
  }
  close(ends_of_pipe[1]);
  unsigned int answer = 0;
  const bool told = read(ends_of_pipe[0], &answer, sizeof answer) == sizeof answer;
  close(ends_of_pipe[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || !told)
    throw std::runtime_error(failure);
  return answer;
}

Wait tried(int device, const char* name, Kernel kernel, unsigned int blocks, unsigned int threads) {
  const unsigned int ended =
      asked_apart(std::string("the kernel ") + name + " could not be tried", [&](auto&& tell) {
        (void)gpu::use_gpu(device);
        const gpu::DeviceMemory words(sizeof(Words));
        unsigned int launches = 0;
        while (launches < most_launches && ends(kernel, blocks, threads, words.as<Words>())) {
          ++launches;
          Words after{};
          check(cudaMemcpy(&after, words.as(), sizeof after, cudaMemcpyDeviceToHost),
                "copy the words from the GPU");
          if (after.arrived != blocks && after.guarded != threads)
            throw std::runtime_error("the lock let two threads in");
        }
        tell(launches);
      });
  return {name, blocks, threads, most_launches, ended, patience_s};
}

// Returns the number of blocks of the barrier's kernel that fit on the GPU at once.
unsigned int room_for_blocks(int device) {
  return asked_apart("the GPU does not say how many blocks it has room for", [&](auto&& tell) {
    const gpu::GpuFacts facts = gpu::use_gpu(device);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, threads_at_the_barrier, 0),
          "ask for the occupancy");
    tell(static_cast<unsigned int>(blocks * facts.multiprocessors));
  });
}

}  // namespace

std::vector<Wait> waits(int device) {
  const unsigned int room = room_for_blocks(device);
  return {tried(device, "lock", take_in_turns<false>, 1, 32),
          tried(device, "lock-with-syncwarp", take_in_turns<true>, 1, 32),
          tried(device, "grid-barrier", meet, room, threads_at_the_barrier),
          tried(device, "grid-barrier", meet, room + 1, threads_at_the_barrier)};
}

}  // namespace histolab::kernels::cuda::facts
