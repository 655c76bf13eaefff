// parallel_for: a loop whose iterations run on a few threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace histolab::reference {

// Calls body(i) once for each i below `count`, on at most `jobs` threads including the caller's.
// Indices are started in order. Returns when all calls are done. The body must not throw.
template <class Body>
void parallel_for(std::size_t count, unsigned jobs, Body body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::jthread> threads;
  const std::size_t helpers = std::min<std::size_t>(std::max(1u, jobs), count);
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
}

}  // namespace histolab::reference
