#include "viewer/feed/file_watch.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "grader/testing/sample.h"
#include "reference/testing/wait_until.h"

namespace histolab::viewer {
namespace {

namespace fs = std::filesystem;
using grader::testing::put;
using grader::testing::TemporaryFolder;
using reference::testing::wait_until;

void append(const std::string& path, const std::string& text) {
  std::ofstream{path, std::ios::app} << text;
}

// Polls `times` times. Only the last poll may return a version.
std::optional<FileVersion> look(WatchedFile& file, int times) {
  for (; times > 1; --times) CHECK_FALSE(file.look());
  return file.look();
}

struct Watched {
  TemporaryFolder folder;
  std::string path = folder.at("k.cu");
  WatchedFile file{path};
  explicit Watched(const std::string& text) {
    put(path, text);
    const auto version = file.look();
    REQUIRE(version);
    CHECK(version->first);
    REQUIRE(version->text);
    CHECK(*version->text == text);
    CHECK_FALSE(file.look());
  }
};

TEST_CASE("file watch: a change is reported once it is stable for one poll") {
  Watched watched{"one"};
  put(watched.path, "three");
  const auto version = look(watched.file, 2);
  REQUIRE(version);
  CHECK_FALSE(version->first);
  CHECK(*version->text == "three");
  CHECK_FALSE(look(watched.file, 20));
}

TEST_CASE("file watch: an attempt stored as a patch is watched like a whole one") {
  const TemporaryFolder lab;
  const std::string patch = lab.at("attempts/wrong/solution.patch");
  put(lab.at("solution.cu"), "int a;\n");
  put(patch, "@@ -1 +1 @@\n-int a;\n+int b;\n");
  WatchedFile file{lab.at("attempts/wrong/kernel.cu")};
  const auto first = file.look();
  REQUIRE(first);
  CHECK(*first->text == "int b;\n");
  CHECK_FALSE(look(file, 20));
  put(patch, "@@ -1 +1,2 @@\n int a;\n+int c;\n");
  const auto version = look(file, 2);
  REQUIRE(version);
  CHECK(*version->text == "int a;\nint c;\n");
}

TEST_CASE("file watch: a file written in pieces is reported after the last piece") {
  Watched watched{"one"};
  put(watched.path, "tw");
  CHECK_FALSE(watched.file.look());
  append(watched.path, "o, th");
  CHECK_FALSE(watched.file.look());
  append(watched.path, "ree");
  const auto version = look(watched.file, 2);
  REQUIRE(version);
  CHECK(*version->text == "two, three");
}

TEST_CASE("file watch: a replacement of the same size and date is a change") {
  Watched watched{"one"};
  const std::string other = watched.folder.at("other");
  put(other, "two");
  fs::last_write_time(other, fs::last_write_time(watched.path));
  fs::rename(other, watched.path);
  const auto version = look(watched.file, 2);
  REQUIRE(version);
  CHECK(*version->text == "two");
}

TEST_CASE("file watch: a file missing or empty for a moment is ignored, for longer is reported") {
  Watched watched{"one"};
  fs::remove(watched.path);
  CHECK_FALSE(look(watched.file, WatchedFile::patience));
  put(watched.path, "");
  CHECK_FALSE(look(watched.file, WatchedFile::patience));
  put(watched.path, "three");
  const auto back = look(watched.file, 2);
  REQUIRE(back);
  CHECK(*back->text == "three");

  fs::remove(watched.path);
  const auto gone = look(watched.file, WatchedFile::patience + 1);
  REQUIRE(gone);
  REQUIRE_FALSE(gone->text);
  CHECK(gone->text.error().message.find("no such file") != std::string::npos);
  CHECK_FALSE(look(watched.file, 20));

  put(watched.path, "");
  const auto empty = look(watched.file, WatchedFile::patience + 1);
  REQUIRE(empty);
  REQUIRE_FALSE(empty->text);
  CHECK(empty->text.error().message.find("empty") != std::string::npos);
}

TEST_CASE("file watch: a save without a change is not a new version") {
  Watched watched{"one"};
  fs::last_write_time(watched.path, fs::last_write_time(watched.path) + std::chrono::seconds{5});
  CHECK_FALSE(look(watched.file, 20));
}

TEST_CASE("file watch: a missing file, and a folder") {
  TemporaryFolder folder;
  WatchedFile missing{folder.at("missing.cu")};
  const auto version = missing.look();
  REQUIRE(version);
  CHECK(version->first);
  CHECK_FALSE(version->text);
  CHECK_FALSE(look(missing, 20));
  WatchedFile not_a_file{folder.path()};
  const auto directory = not_a_file.look();
  REQUIRE(directory);
  CHECK_FALSE(directory->text);
}

TEST_CASE("file watch: the time of saving is between the previous poll and the version") {
  Watched watched{"one"};
  const auto before = std::chrono::steady_clock::now();
  put(watched.path, "three");
  const auto version = look(watched.file, 2);
  REQUIRE(version);
  CHECK(version->saved_at >
        before - std::chrono::seconds{1});  // a file's date is coarser than the clock
  CHECK(version->saved_at <= std::chrono::steady_clock::now());
}

TEST_CASE("file watch: a thread polls, and the newest version is returned once") {
  TemporaryFolder folder;
  const std::string path = folder.at("k.cu");
  put(path, "one");
  {
    FileWatch watch{path};
    const auto next = [&] {
      std::optional<FileVersion> version;
      REQUIRE(wait_until([&] { return (version = watch.take()).has_value(); }));
      return *version;
    };
    CHECK(*next().text == "one");
    CHECK_FALSE(watch.reading());
    CHECK_FALSE(watch.take());
    put(path, "three");
    const FileVersion changed = next();
    CHECK(*changed.text == "three");
    CHECK_FALSE(changed.first);
  }
  WorkerThread::wait_for_all();
}

}  // namespace
}  // namespace histolab::viewer
