#include "grader/batch/memory.h"

#include <doctest/doctest.h>

#include "grader/testing/files.h"

using namespace histolab::batch;
namespace testing = histolab::grader::testing;

TEST_CASE("the smallest limit of all groups around a process applies") {
  const testing::TemporaryFolder folder;
  testing::put(folder.at("slurm/memory.max"), "8589934592\n");
  testing::put(folder.at("slurm/job_7/memory.max"), "2147483648\n");
  testing::put(folder.at("slurm/job_7/step_batch/memory.max"), "max\n");
  CHECK(memory_limit("0::/slurm/job_7/step_batch\n", folder.path()) == 2147483648u);
  CHECK(memory_limit("0::/slurm\n", folder.path()) == 8589934592u);
  CHECK(memory_limit("0::/\n", folder.path()) == std::nullopt);

  testing::put(folder.at("memory/slurm/memory.limit_in_bytes"), "1073741824\n");
  testing::put(folder.at("memory/slurm/uid_0/memory.limit_in_bytes"), "9223372036854771712\n");
  CHECK(memory_limit("5:devices:/\n4:cpu,memory:/slurm/uid_0\n0::/\n", folder.path()) ==
        1073741824u);
  CHECK(memory_limit("4:memory:/elsewhere\n", folder.path()) == std::nullopt);
  for (const char* nothing : {"", "\n", "4\n", "4:memory\n", "4:memory:\n", "4:memory:x\n"})
    CHECK(memory_limit(nothing, folder.path()) == std::nullopt);
}

TEST_CASE("the number of processes ended by the OOM killer never decreases") {
  const auto before = processes_ended_for_memory();
  CHECK(processes_ended_for_memory() >= before);
}
