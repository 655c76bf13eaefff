// Saves in the way editors make them, detected with notifications and by polling.
#include "grader/watch/file_watch.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "grader/testing/files.h"
#include "reference/testing/wait_until.h"

using namespace histolab;
using namespace histolab::grader;
using grader::testing::put;
using grader::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// Waits like the program: for a notification, or until the interval has passed.
bool notices(FileWatch& watch, std::chrono::milliseconds patience = reference::testing::patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    pollfd notification{watch.descriptor(), POLLIN, 0};
    poll(&notification, 1, static_cast<int>(std::min(patience, watch.interval()).count()));
    if (watch.changed()) return true;
  }
  return false;
}

constexpr auto a_moment = std::chrono::milliseconds(400);

}  // namespace

TEST_CASE("detects a save, however the editor makes it") {
  for (const bool polling : {false, true}) {
    CAPTURE(polling);
    TemporaryFolder folder;
    const std::string file = folder.at("work/a.cu");
    put(file, "one");
    FileWatch watch(file, polling);
    CHECK((watch.descriptor() < 0) == polling);
    CHECK_FALSE(notices(watch, a_moment));

    SUBCASE("written in place") { put(file, "two, longer"); }
    SUBCASE("written in place, with as many bytes") { put(file, "two"); }
    SUBCASE("a temporary file is renamed to it") {
      put(folder.at("work/.a.cu.swp"), "two");
      fs::rename(folder.at("work/.a.cu.swp"), file);
    }
    SUBCASE("the old file becomes a backup, and a new one is written") {
      fs::rename(file, file + "~");
      put(file, "two");
    }
    SUBCASE("removed") { fs::remove(file); }
    SUBCASE("the folder is replaced") {
      fs::rename(folder.at("work"), folder.at("old"));
      put(file, "two");
    }
    CHECK(notices(watch));
    CHECK_FALSE(notices(watch, a_moment));
  }
}

TEST_CASE("changes next to the file are not a save") {
  TemporaryFolder folder;
  const std::string file = folder.at("work/a.cu");
  put(file, "one");
  FileWatch watch(file);
  put(folder.at("work/b.cu"), "another");
  CHECK_FALSE(notices(watch, a_moment));
}

TEST_CASE("a file that is created later, and one that is removed and recreated") {
  TemporaryFolder folder;
  const std::string file = folder.at("work/a.cu");
  FileWatch watch(file);  // not even the folder exists
  put(file, "one");
  CHECK(notices(watch));
  fs::remove(file);
  CHECK(notices(watch));
  put(file, "two");
  CHECK(notices(watch));
}
