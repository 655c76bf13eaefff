#include "grader/cluster/slurm.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace histolab;
using namespace histolab::cluster;
using Kind = TaskState::Kind;

TEST_CASE("lines of squeue from Slurm 22.05") {
  const auto waiting = queue_line("histolab-0123456789abcdef-12|4|PENDING|0||Resources|1|");
  REQUIRE(waiting);
  CHECK(waiting->state.array == "histolab-0123456789abcdef-12");
  CHECK(waiting->state.index == 4);
  CHECK(waiting->state.kind == Kind::waiting);
  CHECK(waiting->state.reason == "Resources");
  CHECK(waiting->state.node.empty());
  CHECK(waiting->job == "1");
  CHECK(waiting->state.job == "1_4");
  const auto failed = queue_line("a|0|FAILED|1792|node2|NonZeroExitCode|2|");
  REQUIRE(failed);
  CHECK(failed->state.kind == Kind::ended);
  CHECK(failed->state.exit_code == 7);
  CHECK(failed->state.node == "node2");
  for (const auto& [word, kind] : {std::pair{"RUNNING", Kind::running},
                                   {"COMPLETING", Kind::running},
                                   {"SUSPENDED", Kind::running},
                                   {"CONFIGURING", Kind::running},
                                   {"PENDING", Kind::waiting},
                                   {"REQUEUED", Kind::waiting},
                                   {"COMPLETED", Kind::ended},
                                   {"CANCELLED", Kind::ended},
                                   {"TIMEOUT", Kind::ended},
                                   {"NODE_FAIL", Kind::ended},
                                   {"PREEMPTED", Kind::ended},
                                   {"OUT_OF_MEMORY", Kind::ended},
                                   {"BOOT_FAIL", Kind::ended},
                                   {"DEADLINE", Kind::ended},
                                   {"WHO_KNOWS", Kind::ended}})
    CHECK_MESSAGE((queue_line(std::string{"a|0|"} + word + "|0|n|None|1|")->state.kind == kind),
                  word);
  for (const auto& [reason, kind] : {std::pair{"Priority", Kind::waiting},
                                     {"BeginTime", Kind::waiting},
                                     {"Nodes required for job are DOWN, DRAINED or reserved for "
                                      "jobs in higher priority partitions",
                                      Kind::waiting},
                                     {"JobHeldUser", Kind::stuck},
                                     {"PartitionTimeLimit", Kind::stuck},
                                     {"PartitionConfig", Kind::stuck},
                                     {"launch failed requeued held", Kind::ended}})
    CHECK_MESSAGE((queue_line(std::string{"a|0|PENDING|0||"} + reason + "|1|")->state.kind == kind),
                  reason);
  CHECK(queue_line("a|0|RUNNING|0|node2|None|2|")->state.reason.empty());
  for (const char* none :
       {"", "a|b|c", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
        "a|N/A|RUNNING|0|node1|None|3|"})
    CHECK_FALSE(queue_line(none));
}

TEST_CASE("the configured limits, or Slurm's defaults") {
  const Limits read = limits_from(
      "AccountingStorageHost   = localhost\nMaxArraySize            = 4001\nMaxDBDMsgs             "
      " = 0\nMaxJobCount             = 50000\nMaxJobId = 7\n");
  CHECK(read.tasks_of_array == 4001);
  CHECK(read.jobs == 50000);
  CHECK(limits_from("").tasks_of_array == 1001);
  CHECK(limits_from("MaxArraySize\nMaxJobCount = \n").jobs == 10'000);
}

TEST_CASE("sbatch: the user's options override defaults, but not what the batch needs") {
  ArrayRequest request;
  request.name = "histolab-1-2";
  request.tasks = 7;
  request.script = "/spool/task.sh";
  request.arguments = {"2"};
  request.cpus = 2;
  request.minutes = 15;
  request.mebibytes = 7000;
  request.partition = "cpu";
  request.excluded = {"node2"};
  request.more = {"--time=60", "--partition=other"};
  const std::vector<std::string> words = sbatch_words(request);
  const auto position = [&](const std::string& word) {
    return std::ranges::find(words, word) - words.begin();
  };
  const auto appears_once = [&](const std::string& word) {
    return std::ranges::count(words, word) == 1;
  };
  for (const char* word :
       {"--time=15", "--time=60", "--partition=cpu", "--partition=other", "--mem=7000M",
        "--array=0-6", "--job-name=histolab-1-2", "--cpus-per-task=2", "--exclude=node2"})
    CHECK_MESSAGE(appears_once(word), word);
  CHECK(position("--time=15") < position("--time=60"));
  CHECK(position("--partition=cpu") < position("--partition=other"));
  CHECK(position("--partition=other") < position("--array=0-6"));
  CHECK(words.back() == "2");
  CHECK(words[words.size() - 2] == "/spool/task.sh");
  request.more = {"--mem-per-cpu=2G"};
  CHECK(std::ranges::none_of(sbatch_words(request),
                             [](const std::string& word) { return word.starts_with("--mem="); }));
}

TEST_CASE("sbatch: --exclude is taken out; options that the batch sets are refused") {
  for (std::vector<std::string> words : {std::vector<std::string>{"--qos=a", "--exclude=n1,n2"},
                                         {"--exclude", "n1,n2", "--qos=a"},
                                         {"-x", "n1,n2", "--qos=a"},
                                         {"-xn1,n2", "--qos=a"},
                                         {"--qos=a", "--exclud=n1,n2"}}) {
    const Result<std::vector<std::string>> excluded = take_excluded(words);
    REQUIRE(excluded);
    CHECK(*excluded == std::vector<std::string>{"n1,n2"});
    CHECK(words == std::vector<std::string>{"--qos=a"});
  }
  std::vector<std::string> none = {"--exclusive", "--time=60", "-p", "x"};
  CHECK(take_excluded(none)->empty());
  CHECK(none.size() == 4);
  for (const auto& [word, hint] : {std::pair{"--array=0-9%2", "--max-tasks"},
                                   {"-a1", "--max-tasks"},
                                   {"-J", "finds its tasks by their name"},
                                   {"--job-name=x", "finds its tasks by their name"},
                                   {"-c4", "--jobs"},
                                   {"--ntasks=3", "--jobs"}}) {
    std::vector<std::string> words = {word};
    const auto refused = take_excluded(words);
    REQUIRE_FALSE(refused);
    CHECK_MESSAGE(refused.error().message.find(hint) != std::string::npos, refused.error().message);
  }
}

TEST_CASE("sinfo: sizes of nodes; other lines are skipped") {
  const std::vector<NodeSize> sizes =
      node_sizes_from("cpu*|2|4000|3\nlarge|64|250000|1\nslurm_load_partitions: error\n|||\n");
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0].partition == "cpu");
  CHECK(sizes[0].is_default);
  CHECK(sizes[0].cpus == 2);
  CHECK(sizes[0].mebibytes == 4000);
  CHECK(sizes[0].nodes == 3);
  CHECK(sizes[1].partition == "large");
  CHECK_FALSE(sizes[1].is_default);
  CHECK(sizes[1].mebibytes == 250'000);
}
