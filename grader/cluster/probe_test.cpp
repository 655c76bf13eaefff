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

TEST_CASE("what a node lacks is told in one message, with what to do") {
  const Spool spool{"/shared/out/slurm"};
  Assignment assignment;
  assignment.program = "/opt/histolab";
  Failure failure{.why = "node3: it ended with exit code 91",
                  .node = "node3",
                  .told = {},
                  .exit_code = no_spool};
  CHECK(told(failure, spool, assignment)
            .find("node3 has no folder /shared/out/slurm. --out has to lie on a file system that "
                  "the nodes share") != std::string::npos);
  failure.exit_code = no_program;
  CHECK(told(failure, spool, assignment).find("/opt/histolab") != std::string::npos);
  failure.exit_code = 137;
  CHECK(told(failure, spool, assignment).find("node3: it ended with exit code 91") !=
        std::string::npos);
  failure.told.obstacles = {"its clock stands still", "it has no compiler"};
  const std::string all = told(failure, spool, assignment);
  CHECK(all.find("\n  - its clock stands still\n  - it has no compiler\n") != std::string::npos);
  CHECK(all.find("Nothing of the class was submitted") != std::string::npos);
}
