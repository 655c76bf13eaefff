#include "reference/work_sharing.h"

#include <doctest/doctest.h>

using namespace histolab::reference;

TEST_CASE("a thousand elements on 256 threads") {
  const Sharing blocks{1000, 256, Partition::blocks},
      interleaved{1000, 256, Partition::interleaved};
  CHECK(elements_of(blocks, 3) == std::vector<std::uint64_t>{12, 13, 14, 15});
  CHECK(elements_of(blocks, 249) == std::vector<std::uint64_t>{996, 997, 998, 999});
  CHECK(elements_of(blocks, 250).empty());
  CHECK(threads_without_work(blocks) == 6);
  CHECK(elements_of(interleaved, 3) == std::vector<std::uint64_t>{3, 259, 515, 771});
  CHECK(elements_of(interleaved, 255) == std::vector<std::uint64_t>{255, 511, 767});
  CHECK(threads_without_work(interleaved) == 0);
}

TEST_CASE("each element has exactly one thread, whatever the sizes") {
  for (const Partition partition : {Partition::blocks, Partition::interleaved})
    for (const std::uint64_t length : {0u, 1u, 7u, 32u, 33u, 100u, 1000u})
      for (const std::uint64_t threads : {1u, 2u, 4u, 32u, 100u, 256u}) {
        const Sharing sharing{length, threads, partition};
        std::vector<int> taken(length);
        std::uint64_t idle = 0;
        for (std::uint64_t thread = 0; thread < threads; ++thread) {
          const auto elements = elements_of(sharing, thread);
          if (elements.empty()) ++idle;
          for (const std::uint64_t element : elements) {
            ++taken[element];
            CHECK(thread_of(sharing, element) == thread);
          }
        }
        CHECK(taken == std::vector<int>(length, 1));
        CHECK(threads_without_work(sharing) == idle);
      }
}

TEST_CASE("shares of a coarsened thread: lab 05's picture") {
  CHECK(elements_of_share(21, 8, 1) == std::vector<std::uint64_t>{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(elements_of_share(21, 8, 2) == std::vector<std::uint64_t>{16, 17, 18, 19, 20});
  CHECK(elements_of_share(21, 8, 3).empty());
}

TEST_CASE("atomic operations of a grid") {
  CHECK(blocks_needed(100003, 256, 1) == 391);  // as in labs 04 and 05, english-256
  CHECK(blocks_needed(100003, 256, 8) == 49);
  CHECK(blocks_needed(0, 256, 8) == 1);
  CHECK(atomics_issued({.counted = 16387, .blocks = 65, .bins = 7}).global == 455);
  CHECK(atomics_issued({.counted = 16387, .blocks = 65, .bins = 7}).shared == 16387);
  CHECK(atomics_issued({.counted = 16387, .blocks = 65, .bins = 7, .privatized = false}).global ==
        16387);
  CHECK(atomics_issued({.counted = 16387, .blocks = 65, .bins = 7, .privatized = false}).shared ==
        0);
}

TEST_CASE("runs of equal bins") {
  CHECK(flushes("mnmpabzzz", {}) == 3);  // the figure of lab 06
  CHECK(flushes("", {}) == 0);
  CHECK(last_run("mnmpabzzz", {}) == 3);
  CHECK(last_run("zza b!", {}) == 2);
  CHECK(last_run("!", {}) == 0);
  CHECK(flushes("a b! d", {}) == 1);  // bytes without a bin do not end a run
  CHECK(flushes("aeae", {}) == 4);
  CHECK(flushes("mnmpabzzz", {Domain::letters, 26, 1}) == 7);
}
