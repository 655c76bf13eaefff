#include "grader/batch/tree_message.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

using namespace histolab::batch;

namespace {

Tree sample() {
  Tree tree;
  tree.files["eve.zip/a\n"] = {"\0bytes", true, {}, -7};
  tree.files["eve.zip/b"] = {{}, false, "is a link", {}};
  tree.folders = {"eve.zip", "eve.zip/in.zip"};
  tree.archives = {"eve.zip/in.zip"};
  tree.archive_times = {{"eve.zip/in.zip", -9}};
  tree.problems = {{"eve.zip/", "leads out"}, {"eve.zip", "is broken"}};
  tree.unread = {"eve.zip"};
  return tree;
}

}  // namespace

TEST_CASE("a tree is restored from its message unchanged") {
  const auto read = tree_from_message(to_message(sample()), "eve.zip");
  REQUIRE(read);
  CHECK(to_message(*read) == to_message(sample()));
  CHECK(read->files.at("eve.zip/a\n").modified == -7);
  CHECK(read->archive_times == sample().archive_times);
  CHECK_FALSE(read->files.at("eve.zip/b").modified);
}

TEST_CASE("a message that is cut, too long, or has paths of another archive is invalid") {
  const std::string message = to_message(sample());
  for (std::size_t size = 0; size < message.size(); ++size)
    CHECK_FALSE(tree_from_message(message.substr(0, size), "eve.zip"));
  CHECK_FALSE(tree_from_message(message + "a", "eve.zip"));
  CHECK_FALSE(tree_from_message(std::string(64, '\xff'), "eve.zip"));
  for (const char* other : {"eve", "eve.zi", "eve.zip/in.zip", "ada"})
    CHECK_FALSE(tree_from_message(message, other));
}

TEST_CASE("nothing is read beyond the end of a cut message") {
  const std::string message = to_message(sample());
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  REQUIRE(message.size() < page);
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  char* const end = static_cast<char*>(pages) + page;
  REQUIRE(mprotect(end, page, PROT_NONE) == 0);  // a read beyond the end crashes the test
  for (std::size_t size = 0; size < message.size(); ++size) {
    char* const begin = end - size;
    std::copy_n(message.data(), size, begin);
    CHECK_FALSE(tree_from_message({begin, size}, "eve.zip"));
  }
  munmap(pages, 2 * page);
}
