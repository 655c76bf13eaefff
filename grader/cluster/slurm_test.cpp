#include "grader/cluster/slurm.h"

#include <doctest/doctest.h>

using namespace histolab::cluster;
using Kind = TaskState::Kind;

TEST_CASE("squeue's lines, as Slurm 22.05 writes them") {
  const auto waiting = queue_line("histolab-0123456789abcdef-12|4|PENDING|0||Resources|1|");
  REQUIRE(waiting);
  CHECK(waiting->state.array == "histolab-0123456789abcdef-12");
  CHECK(waiting->state.index == 4);
  CHECK(waiting->state.kind == Kind::waiting);
  CHECK(waiting->state.reason == "Resources");
  CHECK(waiting->state.node.empty());
  CHECK(waiting->job == "1");
  const auto failed = queue_line("a|0|FAILED|1792|node2|NonZeroExitCode|2|");
  REQUIRE(failed);
  CHECK(failed->state.kind == Kind::ended);
  CHECK(failed->state.exit_code == 7);
  CHECK(failed->state.node == "node2");
  for (const auto& [word, kind] : {std::pair{"RUNNING", Kind::running}, {"COMPLETING", Kind::running}, {"SUSPENDED", Kind::running}, {"CONFIGURING", Kind::running}, {"PENDING", Kind::waiting},
                                   {"REQUEUED", Kind::waiting}, {"COMPLETED", Kind::ended}, {"CANCELLED", Kind::ended}, {"TIMEOUT", Kind::ended}, {"NODE_FAIL", Kind::ended}, {"PREEMPTED", Kind::ended},
                                   {"OUT_OF_MEMORY", Kind::ended}, {"BOOT_FAIL", Kind::ended}, {"DEADLINE", Kind::ended}, {"WHO_KNOWS", Kind::ended}})
    CHECK_MESSAGE((queue_line(std::string{"a|0|"} + word + "|0|n|None|1|")->state.kind == kind), word);
  for (const auto& [reason, kind] : {std::pair{"Priority", Kind::waiting}, {"BeginTime", Kind::waiting}, {"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions", Kind::waiting},
                                     {"JobHeldUser", Kind::stuck}, {"PartitionTimeLimit", Kind::stuck}, {"PartitionConfig", Kind::stuck}, {"launch failed requeued held", Kind::ended}})
    CHECK_MESSAGE((queue_line(std::string{"a|0|PENDING|0||"} + reason + "|1|")->state.kind == kind), reason);
  CHECK(queue_line("a|0|RUNNING|0|node2|None|2|")->state.reason.empty());
  for (const char* none : {"", "a|b|c", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)", "a|N/A|RUNNING|0|node1|None|3|"}) CHECK_FALSE(queue_line(none));
}

TEST_CASE("the limits of a Slurm, or those it comes with") {
  const Limits read = limits_from("AccountingStorageHost   = localhost\nMaxArraySize            = 4001\nMaxDBDMsgs              = 0\nMaxJobCount             = 50000\nMaxJobId = 7\n");
  CHECK(read.tasks_of_array == 4001);
  CHECK(read.jobs == 50000);
  CHECK(limits_from("").tasks_of_array == 1001);
  CHECK(limits_from("MaxArraySize\nMaxJobCount = \n").jobs == 10'000);
}
