#include "viewer/feed/save_watch.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "reference/testing/wait_until.h"

namespace histolab::viewer {
namespace {

using reference::testing::wait_until;

struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "saves-XXXXXX").string();
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string save(const std::string& name, const std::string& text) const {
    std::ofstream{path + "/" + name} << text;
    return path + "/" + name;
  }
};

void settle() { std::this_thread::sleep_for(std::chrono::milliseconds{200}); }

TEST_CASE("save watch: a file is changed, removed and made again") {
  const Folder folder;
  const std::string a = folder.save("a.cu", "1"), b = folder.save("b.h", "1");
  SaveWatch watch;
  watch.set_files({a, b, folder.path + "/none.h"});
  settle();
  CHECK_FALSE(watch.take());
  folder.save("b.h", "22");
  CHECK(wait_until([&] { return watch.take(); }));
  std::filesystem::remove(a);
  CHECK(wait_until([&] { return watch.take(); }));
  folder.save("a.cu", "1");
  CHECK(wait_until([&] { return watch.take(); }));
  folder.save("none.h", "1");
  CHECK(wait_until([&] { return watch.take(); }));
  settle();
  CHECK_FALSE(watch.take());
}

TEST_CASE("save watch: another list of files keeps what is known, and forgets the others") {
  const Folder folder;
  const std::string a = folder.save("a.cu", "1"), b = folder.save("b.h", "1");
  SaveWatch watch;
  watch.set_files({a});
  watch.set_files({a, b});
  settle();
  CHECK_FALSE(watch.take());
  folder.save("b.h", "22");
  CHECK(wait_until([&] { return watch.take(); }));
  watch.set_files({b});
  folder.save("a.cu", "22");
  settle();
  CHECK_FALSE(watch.take());
}

}  // namespace
}  // namespace histolab::viewer
