#include "grader/sandbox/apart.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "kernels/worker/processes/descriptor.h"

using namespace histolab::sandbox;

TEST_CASE("apart: returns an answer of any content and length") {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += static_cast<char>(i);
  const auto answer = done_apart([&] { return text; });
  REQUIRE(answer);
  CHECK(*answer == text);
  CHECK(*done_apart([] { return std::string{}; }) == "");
}

TEST_CASE("apart: work that exceeds a limit or dies is an error and harms nothing") {
  CHECK_FALSE(done_apart([] { return std::string(300, 'a'); }, {.answer_bytes = 200}));
  CHECK_FALSE(done_apart([]() -> std::string { _exit(0x100 | 3); }));
#ifndef HISTOLAB_SANITIZED
  CHECK_FALSE(done_apart(
      [] { return std::string(std::vector<char>(1u << 30, 'a').size() > 0 ? "a" : "b"); },
      {.memory_bytes = 64 << 20}));
#endif
  CHECK_FALSE(done_apart(
      []() -> std::string {
        volatile bool going = true;
        while (going) {
        }
        return {};
      },
      {.cpu_seconds = 1}));
}

TEST_CASE(
    "apart: returns only the answer, whichever standard descriptors the caller has "
    "closed") {
  for (unsigned closed = 0; closed < 8; ++closed) {
    CAPTURE(closed);
    const pid_t child = fork();
    if (child == 0) {
      for (int standard = 0; standard < 3; ++standard)
        if ((closed >> standard & 1) != 0) close(standard);
      const auto answer = done_apart([] {
        for (int standard = 0; standard < 3; ++standard)
          if (write(standard, "not for the answer", 18) != 18) return std::string{};
        return std::string{"answer"};
      });
      _exit(answer && *answer == "answer" ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
}

TEST_CASE("apart: no files, no network, no process, no signal") {
  const histolab::kernels::worker::Descriptor null(open("/dev/null", O_WRONLY | O_CLOEXEC)),
      mine(fcntl(null.get(), F_DUPFD_CLOEXEC, 100));  // not a descriptor of the child
  const auto answer = done_apart([&] {
    std::string got;
    got += open("/etc/passwd", O_RDONLY) < 0 ? '-' : 'f';
    got += open("new", O_WRONLY | O_CREAT, 0600) < 0 ? '-' : 'n';
    got += write(mine.get(), "a", 1) < 0 ? '-' : 'd';
    got += socket(AF_INET, SOCK_STREAM, 0) < 0 ? '-' : 's';
    got += fork() < 0 ? '-' : 'p';
    got += kill(getppid(), 0) < 0 ? '-' : 'k';
    return got;
  });
  REQUIRE(answer);
  CHECK(*answer == "------");
}
