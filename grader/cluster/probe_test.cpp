#include "grader/cluster/probe.h"

#include <doctest/doctest.h>

#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::cluster;

TEST_CASE("a clock is wrong only if no delay explains it") {
  CHECK(clock_skew(100, 90, 110) == 0);
  CHECK(clock_skew(90, 90, 110) == 0);
  CHECK(clock_skew(80, 90, 110) == -10);
  CHECK(clock_skew(400, 90, 110) == 290);
}

TEST_CASE("one message lists everything that a node lacks, with the remedies") {
  const Spool spool{"/shared/out/slurm"};
  Assignment assignment;
  assignment.program = "/opt/histolab";
  Failure failure{.why = "node3: it ended with exit code 91",
                  .node = "node3",
                  .reported = {},
                  .exit_code = no_spool};
  CHECK(explain(failure, spool, assignment)
            .find("node3 has no folder /shared/out/slurm. --out must be on a file system that "
                  "the nodes share") != std::string::npos);
  failure.exit_code = no_program;
  CHECK(explain(failure, spool, assignment).find("/opt/histolab") != std::string::npos);
  failure.exit_code = 137;
  CHECK(explain(failure, spool, assignment).find("node3: it ended with exit code 91") !=
        std::string::npos);
  failure.reported.obstacles = {"its clock stands still", "it has no compiler"};
  const std::string all = explain(failure, spool, assignment);
  CHECK(all.find("\n  - its clock stands still\n  - it has no compiler\n") != std::string::npos);
  CHECK(all.find("Nothing of the class was submitted") != std::string::npos);
}

TEST_CASE("if no node can run a task, the message has the explanation alone") {
  const Failure failure{.why = "no node has what a task asks for\n  - ...", .no_node_fits = true};
  const std::string text = explain(failure, Spool{"/shared/out/slurm"}, {});
  CHECK(text.find("the cluster cannot grade: no node has what a task asks for\n  - ...\nNothing") ==
        0);
}
