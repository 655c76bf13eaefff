#include "viewer/feed/feed.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "viewer/feed/child.h"
#include "viewer/feed/job.h"
#include "viewer/feed/line_splitter.h"

namespace histolab::viewer {
namespace {

std::vector<Event> all_of(Feed& feed) {
  std::vector<Event> all;
  while (!feed.ended()) {
    for (Event& event : feed.take()) all.push_back(std::move(event));
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return all;
}

Feed shell(const std::string& script) { return Feed::of_command({"/bin/sh", "-c", script}); }

TEST_CASE("feed: lines are complete, however the bytes arrive") {
  LineSplitter splitter;
  std::vector<std::string> lines;
  const auto keep = [&](std::string_view line) { lines.emplace_back(line); };
  for (const char* part : {"a", "b\nc", "\n", "\n\nd\nto", "rn"}) splitter.add(part, keep);
  CHECK(lines == std::vector<std::string>{"ab", "c", "d"});
}

TEST_CASE("feed: a command's lines become events, and its end is detected") {
  Feed feed = shell(
      R"(echo '{"event":"begin","run":1}'; echo nonsense; echo '{"event":"end","run":1}'; printf '{"event":"en')");
  const std::vector<Event> events = all_of(feed);
  REQUIRE(events.size() == 3);
  CHECK(std::holds_alternative<Begin>(events[0]));
  CHECK(std::holds_alternative<Stray>(events[1]));
  CHECK(std::holds_alternative<End>(events[2]));
}

TEST_CASE("feed: a command receives lines") {
  Feed feed = shell(R"(read word; echo "{\"event\":\"error\",\"message\":\"$word\"}")");
  feed.send("pause");
  const std::vector<Event> events = all_of(feed);
  REQUIRE(events.size() == 1);
  CHECK(std::get<Failure>(events[0]).message == "pause");
}

TEST_CASE("feed: a missing command is reported as a failure") {
  Feed feed = Feed::of_command({"/no/such/program"});
  const std::vector<Event> events = all_of(feed);
  REQUIRE(events.size() == 1);
  CHECK(std::get<Failure>(events[0]).message.find("/no/such/program") != std::string::npos);
}

TEST_CASE("feed: a command that fails without an event reports its own message once") {
  Feed feed = shell("echo 'histolab: no such option' >&2; exit 2");
  std::vector<Event> events = all_of(feed);
  REQUIRE(events.size() == 1);
  CHECK(std::get<Failure>(events[0]).message == "no such option");
  feed = shell(R"(echo '{"event":"error","message":"why"}'; echo 'histolab: why' >&2; exit 2)");
  CHECK(all_of(feed).size() == 1);
  feed = shell("exit 1");  // a launch whose histogram is wrong
  CHECK(all_of(feed).empty());
}

TEST_CASE("feed: destroying a feed ends its command without waiting for it") {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("histolab-feed-" + std::to_string(getpid())))
          .string();
  {
    // A child that never ends by itself, and writes a file on SIGTERM.
    Feed feed =
        shell("trap 'echo ended > " + file +
              "; exit' TERM; echo '{\"event\":\"end\",\"run\":1}'; while :; do sleep 0.01; done");
    while (feed.take().empty()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  WorkerThread::wait_for_all();
  CHECK(std::filesystem::exists(file));
  std::filesystem::remove(file);
}

TEST_CASE("feed: events that are not taken block the writer instead of filling the memory") {
  Feed feed =
      shell(R"(i=0; while [ $i -lt 2000 ]; do echo '{"event":"end","run":1}'; i=$((i+1)); done)");
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  CHECK(feed.take().size() <= 256);
  std::size_t more = all_of(feed).size();
  CHECK(more > 0);
}

TEST_CASE("feed: a pipe, and a recording that is cut off at its end") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const std::string text = "{\"event\":\"begin\",\"run\":4}\n{\"event\":\"prog";
  REQUIRE(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  close(ends[1]);
  Feed pipe_feed = Feed::of_descriptor(ends[0]);
  CHECK(all_of(pipe_feed).size() == 1);

  const std::string file =
      (std::filesystem::temp_directory_path() / ("histolab-recording-" + std::to_string(getpid())))
          .string();
  std::ofstream{file} << text;
  Result<Feed> recording = Feed::of_file(file, 0);
  REQUIRE(recording.ok());
  CHECK(all_of(*recording).size() == 1);
  std::filesystem::remove(file);
  CHECK(Feed::of_file("/no/such/file").error().message ==
        "cannot read the recorded stream /no/such/file: No such file or directory");
  CHECK(Feed::of_file("/", 0).error().message == "cannot read the recorded stream /: not a file");
}

TEST_CASE("job: the answer is one JSON value; other output is an error that names the command") {
  const auto answer = [](const std::vector<std::string>& command) {
    Job job{command};
    for (;;) {
      if (auto result = job.take()) {
        CHECK_FALSE(job.take().has_value());
        return std::move(*result);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  };
  const auto right = answer({"/bin/sh", "-c", "echo '{\"a\":1}'; exit 1"});
  REQUIRE(right.ok());
  CHECK((*right)["a"] == 1);
  const auto wrong = answer({"/bin/sh", "-c", "echo no; exit 2"});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message ==
        "`/bin/sh -c echo no; exit 2` ended with status 2 and printed nothing readable; try it in "
        "a terminal");
  CHECK_FALSE(answer({"/no/such/program"}).ok());
}

TEST_CASE("child: it is reaped with its exit status") {
  Result<Child> child = Child::start({"/bin/sh", "-c", "exit 3"});
  REQUIRE(child.ok());
  CHECK(child->wait() == 3);
}

}  // namespace
}  // namespace histolab::viewer
