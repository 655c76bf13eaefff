#include "kernels/worker/processes/temporary_folder.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace histolab;
using namespace histolab::kernels::worker;
namespace fs = std::filesystem;

TEST_CASE("folders of a dead process with the same mark are removed, and nothing else") {
  const Result<TemporaryFolder> room = TemporaryFolder::make();
  REQUIRE(room);
  const char* before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "/tmp" : before;
  setenv("TMPDIR", room->path().c_str(), 1);
  const auto make_left = [&](const std::string& name) {
    fs::create_directories(room->path() + "/" + name + "/inner");
    std::ofstream(room->path() + "/" + name + "/inner/kernel.cu") << "text";
  };
  for (const char* name : {"histolab-1xa-AbCdEf", "histolab-1xa-123456", "histolab-1xab-AbCdEf",
                           "histolab-AbCdEf", "other-1xa-AbCdEf"})
    make_left(name);
  fs::create_directory_symlink(room->path() + "/histolab-AbCdEf",
                               room->path() + "/histolab-1xa-linked");
  std::ofstream(room->path() + "/histolab-1xa-a-file") << "text";
  mark_temporary_folders("1xa");
  {
    const Result<TemporaryFolder> mine = TemporaryFolder::with("kernel.cu", "text");
    REQUIRE(mine);
    CHECK(fs::path(mine->path()).filename().string().starts_with("histolab-1xa-"));
    CHECK(remove_left_folders("1xa") == 2);
    CHECK(fs::exists(mine->path() + "/kernel.cu"));
  }
  CHECK(remove_left_folders("1xa") == 0);
  mark_temporary_folders({});
  setenv("TMPDIR", restored.c_str(), 1);
  CHECK_FALSE(fs::exists(room->path() + "/histolab-1xa-AbCdEf"));
  CHECK_FALSE(fs::exists(room->path() + "/histolab-1xa-123456"));
  for (const char* name : {"histolab-1xab-AbCdEf", "histolab-AbCdEf", "other-1xa-AbCdEf"})
    CHECK(fs::exists(room->path() + "/" + name + "/inner/kernel.cu"));
  for (const char* name : {"histolab-1xa-linked", "histolab-1xa-a-file"})
    CHECK(fs::exists(room->path() + "/" + name));
}

TEST_CASE("a folder is removed, however deep a program nested folders in it or closed them") {
  rlimit before{};
  REQUIRE_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{60, before.rlim_max};
  std::string path;
  {
    const Result<TemporaryFolder> folder = TemporaryFolder::make();
    REQUIRE(folder);
    path = folder->path();
    const std::string outside = fs::current_path().string();
    fs::current_path(path);
    for (int i = 0; i < 200; ++i) {
      fs::create_directory("inner");
      std::ofstream("inner/file") << i;
      fs::current_path("inner");
    }
    fs::current_path(path);
    fs::create_directory_symlink(outside, "link");
    fs::create_directories("closed/inner");
    fs::permissions("closed/inner", fs::perms::none);
    fs::permissions("closed", fs::perms::none);
    fs::current_path(outside);
    CHECK(fs::exists(outside));
    REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);  // fewer descriptors than nested folders
  }
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  const std::string name = fs::path(path).filename().string();
  for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path()))
    CHECK_FALSE(entry.path().filename().string().starts_with(name));
}
