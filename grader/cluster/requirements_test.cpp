#include "grader/cluster/requirements.h"

#include <doctest/doctest.h>

using namespace histolab;
using namespace histolab::cluster;

namespace {

ArrayRequest request_for(unsigned cpus, std::vector<std::string> more = {}) {
  ArrayRequest request;
  request.cpus = cpus, request.mebibytes = 3072 * cpus + 512, request.more = std::move(more);
  return request;
}

const std::vector<NodeSize> small_cluster = {
    {.partition = "cpu", .is_default = true, .cpus = 2, .mebibytes = 4000, .nodes = 3},
    {.partition = "large", .is_default = false, .cpus = 64, .mebibytes = 250'000, .nodes = 1}};

}  // namespace

TEST_CASE("too much memory: the message has the request, the nodes and the options") {
  CHECK(
      explain_no_fit(request_for(2), small_cluster) ==
      "no node has what a task asks for\n"
      "  - a task asks for 2 processors (--jobs 2), 6656 MiB of memory (the batch's default)\n"
      "  - partition cpu has 3 nodes with 2 processors and 4000 MiB\n"
      "  - partition large has 1 node with 64 processors and 250000 MiB\n"
      "  - use --sbatch-args --mem=4000M (a task needs 2048 MiB at least), or fewer --jobs, which "
      "need less memory, or --partition NAME for other nodes");
}

TEST_CASE("the partition that a request names decides the advice") {
  ArrayRequest request = request_for(65, {"--mem=1G"});
  request.partition = "large";
  const std::string text = explain_no_fit(request, small_cluster);
  CHECK(text.find("use at most --jobs 64, or --partition") != std::string::npos);
  CHECK(text.find("1024 MiB of memory, --sbatch-args \"--mem=1G\"\n") != std::string::npos);
  request.more = {"--partition", "cpu"};
  CHECK(explain_no_fit(request, small_cluster).find("at most --jobs 2,") != std::string::npos);
}

TEST_CASE("no advice to use less memory than a compiler needs") {
  const std::vector<NodeSize> tiny = {
      {.partition = "cpu", .is_default = true, .cpus = 8, .mebibytes = 3000, .nodes = 1}};
  const std::string text = explain_no_fit(request_for(4), tiny);
  CHECK(text.find("--mem=") == std::string::npos);
  CHECK(text.find("use fewer --jobs") != std::string::npos);
}

TEST_CASE("nodes that are large enough, or unknown") {
  ArrayRequest request = request_for(1, {"--constraint=h200"});
  request.gres = "gpu:1", request.excluded = {"node1", "node2"};
  const std::string text = explain_no_fit(request, small_cluster);
  CHECK(text.find("--gres gpu:1, --sbatch-args \"--constraint=h200\", without node1,node2") !=
        std::string::npos);
  CHECK(text.find("use another --gres or --sbatch-args") != std::string::npos);
  CHECK(explain_no_fit(request, {}).find("`sinfo ") != std::string::npos);
}

TEST_CASE("the memory of a task, as Slurm reads sizes") {
  CHECK(requested_mebibytes(request_for(2)) == 6656);
  CHECK(requested_mebibytes(request_for(2, {"--mem=5000"})) == 5000);
  CHECK(requested_mebibytes(request_for(2, {"--mem", "2g"})) == 2048);
  CHECK(requested_mebibytes(request_for(2, {"--mem=1T", "--mem=2048K"})) == 2);
  CHECK(requested_mebibytes(request_for(3, {"--mem-per-cpu=2G"})) == 6144);
  for (const char* wrong : {"--mem=lots", "--mem=5X", "--mem=99999999999999999999"})
    CHECK_FALSE(requested_mebibytes(request_for(1, {wrong})));
  CHECK_FALSE(requested_mebibytes(ArrayRequest{}));
}
