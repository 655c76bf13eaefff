// histolab-confine alone: if it cannot carry out an option, it ends with a reason before anything
// runs.
#include "grader/sandbox/confine.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "grader/sandbox/testing/places.h"
#include "grader/testing/files.h"
#include "kernels/worker/processes/process.h"
#include "reference/testing/wait_until.h"

namespace histolab::sandbox {
namespace {

using kernels::worker::ProcessResult;
using kernels::worker::ProcessSpec;

struct Ran {
  int code;
  std::string errors, output;
  friend bool operator==(const Ran&, const Ran&) = default;
};

// Runs it with these words.
Ran run(const std::vector<std::string>& words) {
  ProcessSpec spec;
  spec.command = {testing::places().confine};
  spec.command.insert(spec.command.end(), words.begin(), words.end());
  spec.limits.wall = reference::testing::patience;
  const Result<ProcessResult> ran = kernels::worker::run_process(spec);
  REQUIRE(ran);
  REQUIRE_EQ(ran->end, ProcessResult::End::exited);
  return {ran->code, ran->errors, ran->output};
}

TEST_CASE("runs the program after --, with all its arguments") {
  CHECK(run({"--", "/bin/echo", "one", "--", "two"}) == Ran{0, "", "one -- two\n"});
}

TEST_CASE("the program's argv[0] can be another name") {
  CHECK(run({"name", "./other", "--", "/bin/sh", "-c", "echo $0"}) == Ran{0, "", "./other\n"});
  CHECK_NE(run({"name", "/bin/true", "--", "/bin/missing"}).errors.find("/bin/missing"),
           std::string::npos);
}

TEST_CASE("a missing program has the shell's status, a forbidden one has another") {
  CHECK(run({"--", "/nonexistent/program"}) ==
        Ran{127, "histolab-confine: /nonexistent/program: No such file or directory\n", ""});
  CHECK(run({"--", "/etc/passwd"}) ==
        Ran{could_not_confine, "histolab-confine: /etc/passwd: Permission denied\n", ""});
  CHECK_EQ(could_not_confine, 125);
}

TEST_CASE("without arguments it explains itself") {
  const Ran by_hand{
      2, "histolab-confine is started by histolab, not by hand: try `histolab doctor`\n", ""};
  CHECK(run({}) == by_hand);
  CHECK(run({"--"}) == by_hand);
  CHECK(run({"--help"}) == by_hand);
  CHECK(run({"processes", "64"}) == by_hand);
  CHECK(run({"processes", "64", "/bin/echo", "ran"}) == by_hand);
  CHECK(run({"nonsense", "64", "--", "/bin/echo", "ran"}) == by_hand);
}

TEST_CASE("a right that cannot be dropped ends it before anything runs") {
  const auto failed = [](const std::string& reason) {
    return Ran{could_not_confine, "histolab-confine: " + reason + "\n", ""};
  };
  const std::vector<std::string> rest = {"--", "/bin/echo", "ran"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), rest.begin(), rest.end());
    return run(words);
  };
  CHECK(with({"processes", "many"}) == failed("many: Invalid argument"));
  CHECK(with({"processes", ""}) == failed(": Invalid argument"));
  CHECK(with({"processes", "64x"}) == failed("64x: Invalid argument"));
  CHECK(with({"directory", "/nonexistent"}) == failed("/nonexistent: No such file or directory"));
  CHECK(with({"filter", "60"}) ==
        failed("cannot read the filter of system calls: Bad file descriptor"));
  CHECK_EQ(with({"filter", "0"}).code, could_not_confine);  // open, but not a filter
  CHECK(with({"filter", "0"})
            .errors.starts_with("histolab-confine: cannot read the filter of system calls: "));
  if (geteuid() != 0)
    CHECK(with({"uid", "0"}) ==
          failed("cannot become an unprivileged user: Operation not permitted"));
}

TEST_CASE("starts in the requested folder, and as the user") {
  const grader::testing::TemporaryFolder folder;
  CHECK(run({"directory", folder.path(), "--", "/bin/pwd"}) == Ran{0, "", folder.path() + "\n"});
  if (geteuid() == 0) {
    CHECK(run({"uid", "60600", "--", "/usr/bin/id", "-u"}) == Ran{0, "", "60600\n"});
    CHECK(run({"uid", "60600", "--", "/usr/bin/id", "-G"}) == Ran{0, "", "60600\n"});
    // Checked as that user, not as root.
    CHECK(run({"uid", "60600", "directory", "/root", "--", "/bin/pwd"}).code == could_not_confine);
  }
  CHECK(run({"processes", "4321", "--", "/bin/bash", "-c", "ulimit -Su; ulimit -Hu"}) ==
        Ran{0, "", "4321\n4321\n"});
}

TEST_CASE("addresses are the same each time, on request") {
  const std::vector<std::string> where = {"--", "/bin/sh", "-c",
                                          "grep -m 1 stack /proc/self/maps | cut -d ' ' -f 1"};
  std::vector<std::string> fixed = {"addresses", "fixed"};
  fixed.insert(fixed.end(), where.begin(), where.end());
  CHECK_EQ(run(fixed).output, run(fixed).output);
  CHECK_FALSE(run(fixed).output.empty());
  CHECK_NE(run(where).output, run(where).output);
}

TEST_CASE(
    "files: only the named paths can be read or written, and only files can be created there") {
  if (run({"read", "/usr", "--", "/bin/true"}).code == could_not_confine) {
    MESSAGE("skipped: this system has no Landlock");
    return;
  }
  const grader::testing::TemporaryFolder own, other;
  grader::testing::put(other.at("file"), "kept");
  const auto line = [&](const std::string& script) {
    return run({"read", "/usr", "read", "/bin", "read", "/lib", "read", "/lib64", "write",
                "/dev/null", "write", own.path(), "read", other.path(), "--", "/bin/sh", "-c",
                "(" + script + ") 2>/dev/null; echo $?"})
        .output;
  };
  CHECK_EQ(line("ls /usr > /dev/null"), "0\n");
  CHECK_EQ(line("cat " + other.at("file")), "kept0\n");
  CHECK_EQ(line("echo x > " + other.at("file")), "2\n");
  CHECK_EQ(line("rm " + other.at("file")), "1\n");
  CHECK_EQ(line("cat /etc/passwd"), "1\n");
  CHECK_EQ(line("ls /etc"), "2\n");
  CHECK_EQ(line("cd " + own.path() + " && echo x > file && cat file && mv file moved && rm moved"),
           "x\n0\n");
  for (const std::string& made :
       {std::string("mkdir folder"), std::string("mkfifo pipe"),
        std::string("ln -s /etc/passwd link"), std::string("mknod zero c 1 5"),
        std::string("mknod disk b 8 0")}) {
    CAPTURE(made);
    CHECK_EQ(line("cd " + own.path() + " && " + made), "1\n");
  }
  CHECK_EQ(line("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('" +
                own.at("socket") + "')\""),
           "1\n");
}

TEST_CASE("a named pipe without a writer does not block") {
  const grader::testing::TemporaryFolder folder;
  REQUIRE_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
  const Ran ran = run({"read", "/usr", "read", "/bin", "read", "/lib", "read", "/lib64", "read",
                       folder.at("pipe"), "--", "/bin/echo", "ran"});
  if (ran.errors.find("Landlock") != std::string::npos)
    MESSAGE("this system has no Landlock");
  else
    CHECK(ran == Ran{0, "", "ran\n"});
}

}  // namespace
}  // namespace histolab::sandbox
