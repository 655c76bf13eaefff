// The limits of a class, and the messages about files beyond them.
#include <doctest/doctest.h>

#include <filesystem>

#include "grader/batch/testing/archives.h"
#include "grader/batch/testing/trees.h"
#include "grader/batch/tree.h"
#include "grader/files/read_file.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;
using histolab::grader::testing::put;
using histolab::grader::testing::TemporaryFolder;

TEST_CASE("a class that exceeds its limits is not graded in part") {
  const TemporaryFolder folder;
  put(folder.at("class/ada/01-race.cu"), "A");
  put(folder.at("class/zoe/01-race.cu"), "Z");
  std::vector<Entry> many;
  for (int i = 0; i < 40; ++i) many.push_back({"f" + std::to_string(i) + ".cu", "0123456789"});
  put(folder.at("class/eve.zip"), zip(many));
  TreeLimits limits;
  CHECK(read_tree(folder.at("class"), limits));
  limits.entries = 30;
  const auto files = read_tree(folder.at("class"), limits);
  REQUIRE_FALSE(files);
  CHECK(files.error().message.find("Most of it is in eve.zip (") != std::string::npos);
  limits.entries = 1000, limits.kept_bytes = 300;
  const auto bytes = read_tree(folder.at("class"), limits);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().message.find("Most of it is in eve.zip (40 files, 300 bytes): move that "
                                   "away, and grade it separately") != std::string::npos);
  limits.apart = false;
  CHECK_FALSE(read_tree(folder.at("class"), limits));
}

TEST_CASE("a class in an archive that cannot be read to its end is not graded") {
  const TemporaryFolder folder;
  const std::string bytes =
      tar({{"ada/01-race.cu", "A"}, {"bob/01-race.cu", std::string(3000, 'B')}});
  put(folder.at("class.tar"), bytes);
  TreeLimits limits;
  limits.entries = 2, limits.class_archive_bytes = 3001;
  CHECK(tree_at(folder.at("class.tar"), limits).files.size() == 2);
  limits.entries = 1;
  CHECK(error_of(folder.at("class.tar"), limits) ==
        folder.at("class.tar") + ": has more than 1 entries; the rest was ignored");
  limits.entries = 2, limits.class_archive_bytes = 3000;
  CHECK(error_of(folder.at("class.tar"), limits) ==
        folder.at("class.tar") + ": unpacks to more than 3 000 bytes; the rest was ignored");
  put(folder.at("class.tar"), bytes.substr(0, 4 * 512));
  CHECK(error_of(folder.at("class.tar"))
            .starts_with(folder.at("class.tar") + ": is a broken archive: "));
}

TEST_CASE(
    "a file in a folder is read up to its limit, to the byte; descriptions and archives have the "
    "limit of archives") {
  const TemporaryFolder folder;
  const auto most = static_cast<std::size_t>(histolab::grader::max_source_bytes);
  TreeLimits limits;
  limits.archive_bytes = most + 70'000;
  put(folder.at("01-race.cu"), std::string(most, 'a'));
  put(folder.at("02-atomic-add.cu"), std::string(most + 1, 'a'));
  put(folder.at("submission_metadata.yml"), std::string(most + 70'000, 'a'));
  put(folder.at("x/submission_metadata.yml"), std::string(most + 70'001, 'a'));
  const std::string bytes =
      stored_zip({{"01-race.cu", "A"}, {"x", std::string(most + 69'000, 'a')}});
  REQUIRE(bytes.size() <= limits.archive_bytes);
  put(folder.at("ada.zip"), bytes);
  put(folder.at("eve.zip"), std::string(most + 70'001, 'a'));
  const Tree tree = tree_at(folder.path(), limits);
  CHECK((tree.files.at("01-race.cu").bytes == std::string(most, 'a')));
  CHECK(tree.files.at("01-race.cu").read);
  CHECK(tree.files.at("01-race.cu").problem.empty());
  CHECK(tree.files.at("02-atomic-add.cu").problem ==
        "is 1 048 577 bytes long; at most 1 048 576 are read");
  CHECK(tree.files.at("02-atomic-add.cu").bytes.empty());
  CHECK((tree.files.at("submission_metadata.yml").bytes == std::string(most + 70'000, 'a')));
  CHECK(tree.files.at("x/submission_metadata.yml").problem ==
        "is 1 118 577 bytes long; at most 1 118 576 are read");
  CHECK(tree.files.at("ada.zip/01-race.cu").bytes == "A");
  CHECK(tree.files.at("eve.zip").problem == "is 1 118 577 bytes long; at most 1 118 576 are read");
}

TEST_CASE("nested folders are read down to the limit of depth") {
  const TemporaryFolder folder;
  TreeLimits limits;
  limits.depth = 2;
  put(folder.at("a/b/01-race.cu"), "A");
  put(folder.at("a/b/c/d/02-atomic-add.cu"), "B");
  const Tree tree = tree_at(folder.path(), limits);
  CHECK(tree.files.size() == 1);
  CHECK(tree.files.at("a/b/01-race.cu").bytes == "A");
  CHECK(tree.folders == std::set<std::string>{"a", "a/b", "a/b/c"});
  CHECK(tree.problems ==
        std::map<std::string, std::string>{{"a/b/c", "is 2 folders deep; it was ignored"}});
  CHECK(tree.unread == std::set<std::string>{"a/b/c"});
}

TEST_CASE("nested archives are opened down to the limit, in a separate process or not") {
  const TemporaryFolder folder;
  std::string bytes = zip({{"01-race.cu", "4"}});
  for (int deep = 3; deep > 0; --deep)
    bytes = zip({{"in.zip", bytes}, {"01-race.cu", std::to_string(deep)}});
  put(folder.at("class/ada.zip"), bytes);
  put(folder.at("class.zip"), zip({{"ada.zip", bytes}}));
  TreeLimits limits;
  for (limits.apart = true;; limits.apart = false) {
    const Tree tree = tree_at(folder.at("class"), limits);
    CHECK(tree.files.size() == 3);
    CHECK(tree.files.at("ada.zip/in.zip/in.zip/01-race.cu").bytes == "3");
    CHECK(tree.archives == std::set<std::string>{"ada.zip", "ada.zip/in.zip",
                                                 "ada.zip/in.zip/in.zip",
                                                 "ada.zip/in.zip/in.zip/in.zip"});
    CHECK(tree.folders == tree.archives);
    CHECK(tree.problems == std::map<std::string, std::string>{
                               {"ada.zip/in.zip/in.zip/in.zip",
                                "is an archive in an archive, 3 deep; it was not opened"}});
    CHECK(tree.unread == std::set<std::string>{"ada.zip/in.zip/in.zip/in.zip"});
    const Tree as_class =
        tree_at(folder.at("class.zip"), limits);  // itself an archive that contains the others
    CHECK(as_class.files.size() == 2);
    CHECK(as_class.problems ==
          std::map<std::string, std::string>{
              {"ada.zip/in.zip/in.zip", "is an archive in an archive, 3 deep; it was not opened"}});
    if (!limits.apart) break;
  }
}

TEST_CASE("a class and an archive may reach their limits exactly") {
  const TemporaryFolder folder;
  put(folder.at("class/ada/01-race.cu"), "12345");
  put(folder.at("class/bob.zip"), zip({{"w/01-race.cu", "123"}, {"02-atomic-add.cu", "45"}}));
  put(folder.at("class/cy.zip"), zip({{"01-race.cu", "1"}}));
  for (const bool apart : {true, false}) {
    CAPTURE(apart);
    TreeLimits limits;
    limits.apart = apart;
    // A folder without its own entry in the archive counts only if a separate process reads it.
    limits.entries = 8 - (apart ? 0 : 1);
    limits.kept_bytes = 11;
    limits.kept_bytes_of_archive = 5;
    CHECK(tree_at(folder.at("class"), limits).problems.empty());
    CHECK(tree_at(folder.at("class"), limits).files.at("bob.zip/02-atomic-add.cu").read);
    --limits.entries;
    CHECK(error_of(folder.at("class"), limits).find("exceeds the limits of a class") !=
          std::string::npos);
    ++limits.entries, --limits.kept_bytes;
    CHECK(error_of(folder.at("class"), limits).find("exceeds the limits of a class") !=
          std::string::npos);
    ++limits.kept_bytes, --limits.kept_bytes_of_archive;
    const Tree tree = tree_at(folder.at("class"), limits);
    CHECK(tree.files.at("bob.zip/w/01-race.cu").read);
    CHECK(tree.files.at("bob.zip/02-atomic-add.cu").problem ==
          "was not read: the files read from the archive have more than 4 bytes");
    CHECK(tree.files.at("cy.zip/01-race.cu").read);
  }
}

TEST_CASE("an archive that uses up the class's limits is reported along with its own problem") {
  TreeLimits limits;
  limits.entries = 3;
  const std::vector<Entry> same(5, Entry{"01-race.cu", "A"});
  const Tree again = tree_of_archive("eve.tar", tar(same), limits);
  CHECK(again.problems.at("eve.tar/") ==
        "has more than 3 files, folders and links; the rest was ignored");
  CHECK(again.unread.contains("eve.tar/"));
  const Tree few = tree_of_archive(
      "eve.tar", tar({{"1.cu", ""}, {"2.cu", ""}, {"3.cu", ""}, {"4.cu", ""}}), limits);
  CHECK(few.files.size() == 3);
  limits.entries = 30, limits.kept_bytes = 2;
  const Tree bytes = tree_of_archive("eve.tar", tar({{"1.cu", "AB"}, {"2.cu", "C"}}), limits);
  CHECK(bytes.files.at("eve.tar/1.cu").read);
  CHECK(bytes.files.at("eve.tar/2.cu").problem == "was not read: the class has more than 2 bytes");
}

TEST_CASE(
    "the largest part of a class is reported, below single folders around everything, by bytes or "
    "else by files") {
  const TemporaryFolder folder;
  put(folder.at("in/class/ada/01-race.cu"), "1");
  put(folder.at("in/class/bob/01-race.cu"), "12345");
  put(folder.at("in/class/bob/x/02-atomic-add.cu"), "12345");
  put(folder.at("in/class/cy/01-race.cu"), "123456789");
  put(folder.at("in/class/zoe/01-race.cu"), "123456789");
  put(folder.at("in/class/zoe/notes"), "");
  TreeLimits limits;
  limits.kept_bytes = 28;
  const std::string message =
      ": exceeds the limits of a class (2 000 000 files, folders and links, 28 bytes of files that "
      "are read). Most of it is in ";
  CHECK(error_of(folder.at("in"), limits) ==
        folder.at("in") + message +
            "class/bob (2 files, 10 bytes): move that away, and grade it separately");
  CHECK(error_of(folder.path(), limits) ==
        folder.path() + message +
            "in/class/bob (2 files, 10 bytes): move that away, and grade it separately");
  for (const char* away : {"in/class/cy", "in/class/zoe"})
    std::filesystem::remove_all(folder.at(away));
  limits.kept_bytes = 10;
  CHECK(error_of(folder.at("in"), limits).find("Most of it is in class/bob (2 files, 5 bytes)") !=
        std::string::npos);  // including files that are not read
  std::filesystem::remove_all(folder.at("in"));
  for (const char* name : {"ada/a", "bob/a", "bob/b", "cy/a", "cy/b", "zoe/a"})
    put(folder.at(name), "");
  limits.entries = 9;
  CHECK(error_of(folder.path(), limits).find("Most of it is in bob (2 files, 0 bytes)") !=
        std::string::npos);
  std::filesystem::remove_all(folder.path());
  put(folder.at("a\033"), ""), put(folder.at("b\033"), "");
  limits.entries = 1;
  CHECK(error_of(folder.path(), limits).find("\033") == std::string::npos);
  limits.entries = 0;
  CHECK(error_of(folder.path(), limits).find("Most of it is in  (0 files, 0 bytes)") !=
        std::string::npos);
}

TEST_CASE("the counts for a class that is too large do not depend on its file system") {
  const TemporaryFolder folder;
  for (const char c : std::string_view{"qwertzuiopasdfghjklyxcvbnm"})
    put(folder.at(std::string(1, c) + "/01-race.cu"),
        std::string(static_cast<std::size_t>(c - 'a' + 1), 'a'));
  TreeLimits limits;
  limits.entries = 10;
  CHECK(error_of(folder.path(), limits).find("Most of it is in e (1 files, 5 bytes)") !=
        std::string::npos);
}
