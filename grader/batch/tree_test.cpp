#include "grader/batch/tree.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "grader/batch/testing/archives.h"
#include "grader/batch/tree_message.h"
#include "grader/testing/files.h"

using namespace histolab::batch;
using namespace histolab::batch::testing;
using histolab::grader::testing::put;
using histolab::grader::testing::TemporaryFolder;

TEST_CASE("names of students may have any letters, whatever this process's own locale can say") {
  const std::string bytes = zip({{"J\u00fcrgen M\u00fc\u00dfig/01-race.cu", "J"}, {"\u6797/01-race.cu", "L"}});
  for (const std::uint16_t flags : {std::uint16_t{0}, names_are_utf8}) {
    CAPTURE(flags);
    const Tree tree = tree_of_archive("class.zip", with_flags(bytes, flags));
    CHECK(tree.problems.empty());
    CHECK(tree.files.at("class.zip/J\u00fcrgen M\u00fc\u00dfig/01-race.cu").bytes == "J");
    CHECK(tree.files.at("class.zip/\u6797/01-race.cu").bytes == "L");
  }
}

TEST_CASE("what an archive's checksum contradicts was not handed in") {
  std::string bytes = stored_zip({{"01-race.cu", "as it was written"}});
  bytes[bytes.find("written")] = 'W';
  const Tree tree = tree_of_archive("ada.zip", bytes);
  const File& file = tree.files.at("ada.zip/01-race.cu");
  CHECK_FALSE(file.read);
  CHECK(file.problem.find("CRC") != std::string::npos);
}

TEST_CASE("a folder: what may matter is read, links and pipes are named and not followed") {
  const TemporaryFolder folder;
  put(folder.at("secret"), "secret");
  put(folder.at("class/ada/01-race.cu"), "A");
  put(folder.at("class/ada/notes.txt"), "not read");
  put(folder.at("class/ada/._01-race.cu"), "litter");
  put(folder.at("class/ada/" + std::string(250, 'n')), "");
  std::filesystem::create_directories(folder.at("class/empty"));
  REQUIRE(symlink("../../secret", folder.at("class/ada/02-atomic-add.cu").c_str()) == 0);
  REQUIRE(symlink("../..", folder.at("class/up").c_str()) == 0);
  REQUIRE(mkfifo(folder.at("class/ada/03-interleaved.cu").c_str(), 0600) == 0);
  const auto tree = read_tree(folder.at("class"));
  REQUIRE(tree);
  CHECK(tree->files.at("ada/01-race.cu").bytes == "A");
  CHECK(tree->files.at("ada/01-race.cu").modified);
  CHECK_FALSE(tree->files.at("ada/notes.txt").read);
  CHECK_FALSE(tree->files.contains("ada/._01-race.cu"));
  CHECK(tree->files.at("ada/02-atomic-add.cu").problem == "is a symbolic link, which is not followed");
  CHECK(tree->files.at("ada/02-atomic-add.cu").bytes.empty());
  CHECK(tree->files.at("ada/03-interleaved.cu").problem == "is a pipe or a device");
  CHECK(tree->files.at("up").problem == "is a symbolic link, which is not followed");
  CHECK(tree->folders.contains("empty"));
  CHECK_FALSE(read_tree(folder.at("nothing")));
  CHECK_FALSE(read_tree(folder.at("secret")));
}

TEST_CASE("archives are folders of their own, in an archive too") {
  const std::string inner = zip({{"01-race.cu", "I"}});
  const std::vector<std::string> kinds = {zip({{"w/01-race.cu", "A"}, {"in.zip", inner}}), tar({{"w/01-race.cu", "A"}, {"in.zip", inner}}), tar({{"./w/01-race.cu", "A"}, {"in.zip", inner}}, true)};
  for (const std::string& bytes : kinds) {
    const Tree tree = tree_of_archive("ada.zip", bytes);
    CHECK(tree.problems.empty());
    CHECK(tree.files.at("ada.zip/w/01-race.cu").bytes == "A");
    CHECK(tree.files.at("ada.zip/w/01-race.cu").modified == 77);
    CHECK(tree.files.at("ada.zip/in.zip/01-race.cu").bytes == "I");
    CHECK(tree.archives.contains("ada.zip/in.zip"));
    CHECK(tree.folders.contains("ada.zip/w"));
  }
}

TEST_CASE("however an archive is compressed, it is read, as the class and as a student's") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::function<void(archive*)>>> kinds = {
      {"a.tar", [](archive* out) { archive_write_set_format_ustar(out); }},
      {"a.tgz", [](archive* out) { archive_write_set_format_ustar(out), archive_write_add_filter_gzip(out); }},
      {"a.tar.bz2", [](archive* out) { archive_write_set_format_ustar(out), archive_write_add_filter_bzip2(out); }},
      {"a.tar.xz", [](archive* out) { archive_write_set_format_ustar(out), archive_write_add_filter_xz(out); }},
      {"a.tar.zst", [](archive* out) { archive_write_set_format_ustar(out), archive_write_add_filter_zstd(out); }},
      {"a.7z", [](archive* out) { archive_write_set_format_7zip(out); }},
      {"a.zip", [](archive* out) { archive_write_set_format_zip(out); }}};
  for (const auto& [name, format] : kinds) {
    CAPTURE(name);
    put(folder.at("class/" + name), packed({{"ada/01-race.cu", "A"}}, format));
    const auto as_class = read_tree(folder.at("class/" + name));
    REQUIRE(as_class);
    CHECK(as_class->files.at("ada/01-race.cu").bytes == "A");
  }
  const auto as_students = read_tree(folder.at("class"));
  REQUIRE(as_students);
  CHECK(as_students->problems.empty());
  for (const auto& [name, format] : kinds) CHECK(as_students->files.at(name + "/ada/01-race.cu").bytes == "A");
}

TEST_CASE("with the times that an archive claims one can reckon") {
  for (const auto& [claimed, believed] : {std::pair{INT64_MIN + 1, std::int64_t{0}}, {std::int64_t{-1}, std::int64_t{0}}, {INT64_MAX, std::int64_t{253402300799}}, {std::int64_t{77}, std::int64_t{77}}}) {
    Entry entry{"01-race.cu", "A"};
    entry.modified = claimed;
    CHECK(tree_of_archive("ada.tar", tar({entry})).files.at("ada.tar/01-race.cu").modified == believed);
  }
}

TEST_CASE("zip slip: names that lead out are left out and told, whatever is in them") {
  for (const char* name : {"../01-race.cu", "/etc/01-race.cu", "a/../../01-race.cu", "a/..", "C:\\01-race.cu", "\\\\host\\01-race.cu"}) {
    CAPTURE(name);
    const Tree tree = tree_of_archive("eve.tar", tar({{name, "E"}, {"02-atomic-add.cu", "fine"}}));
    CHECK(tree.problems.at("eve.tar/") == "has an entry whose name leads out of it; that was left out");
    CHECK(tree.unread.empty());
    CHECK(tree.files.size() == 1);
    CHECK(tree.files.at("eve.tar/02-atomic-add.cu").bytes == "fine");
  }
}

// Found by fuzzing: what looks through a single folder around everything asked twice at each.
TEST_CASE("an archive of folders in folders ends at the limit of depth, and of a name's length") {
  std::string deep;
  for (int i = 0; i < 16; ++i) deep += "a/";
  const Tree at_the_limit = tree_of_archive("eve.tar", tar({{deep + "01-race.cu", "E"}}));
  CHECK(at_the_limit.problems.empty());
  CHECK(at_the_limit.files.at("eve.tar/" + deep + "01-race.cu").bytes == "E");
  for (const auto& [name, told] : {std::pair{"a/" + deep + "01-race.cu", "17 folders deep with a name of 44 bytes"}, {std::string(1015, 'n') + "01-race.cu", "0 folders deep with a name of 1 025 bytes"}}) {
    const Tree tree = tree_of_archive("eve.tar", tar({{name, "E"}, {"02-atomic-add.cu", "fine"}}));
    CHECK(tree.problems.at("eve.tar/") == std::string("has an entry ") + told + "; that was left out");
    CHECK(tree.unread.contains("eve.tar/"));
    CHECK(tree.files.size() == 1);
    CHECK(tree.folders.size() <= 1);
  }
}

TEST_CASE("links and devices in an archive hold nothing") {
  const Tree tree = tree_of_archive("eve.tar", tar({{"01-race.cu", "", AE_IFLNK, "/etc/passwd"}, {"02-atomic-add.cu", "", AE_IFREG, "/etc/passwd"}, {"03-interleaved.cu", "", AE_IFCHR}, {"04-privatization.cu", "", AE_IFIFO}}));
  REQUIRE(tree.files.size() == 4);
  for (const auto& [path, file] : tree.files) {
    CAPTURE(path);
    CHECK_FALSE(file.read);
    CHECK_FALSE(file.problem.empty());
  }
}

TEST_CASE("bombs end at the limits, and what came before them is kept") {
  TreeLimits limits;
  limits.unpacked_bytes = 4 << 20, limits.entries_of_archive = 50;
  const std::string zeros(3 << 20, '\0');
  const Tree large = tree_of_archive("b.tar.gz", tar({{"01-race.cu", "A"}, {"x", zeros}, {"y", zeros}, {"02-atomic-add.cu", "late"}}, true), limits);
  CHECK(large.files.at("b.tar.gz/01-race.cu").bytes == "A");
  CHECK_FALSE(large.files.contains("b.tar.gz/02-atomic-add.cu"));
  CHECK(large.problems.at("b.tar.gz") == "unpacks to more than 4 194 304 bytes; the rest was not looked at");
  const Tree one = tree_of_archive("b.zip", zip({{"01-race.cu", std::string(2 << 20, 'a')}, {"02-atomic-add.cu", "A"}}));
  CHECK(one.files.at("b.zip/01-race.cu").problem == "is longer than 1 048 576 bytes");
  CHECK(one.files.at("b.zip/02-atomic-add.cu").bytes == "A");
  std::vector<Entry> many;
  for (int i = 0; i < 60; ++i) many.push_back({"f" + std::to_string(i), ""});
  CHECK(tree_of_archive("m.zip", zip(many), limits).problems.at("m.zip") == "has more than 50 entries; the rest was not looked at");
  std::string nested = zip({{"01-race.cu", "deep"}});
  for (int i = 0; i < 6; ++i) nested = zip({{"n.zip", nested}});
  const Tree deep = tree_of_archive("n.zip", nested);
  CHECK(deep.files.empty());
  CHECK(deep.problems.size() == 1);
}

TEST_CASE("archives in an archive take of its allowance") {
  TreeLimits limits;
  limits.unpacked_bytes = 4 << 20, limits.entries_of_archive = 50, limits.kept_bytes_of_archive = 1000;
  const std::string zeros(3 << 20, '\0');
  const std::string bomb = tar({{"x", zeros}}, true);
  const Tree large = tree_of_archive("b.zip", zip({{"a.tar.gz", bomb}, {"b.tar.gz", bomb}, {"02-atomic-add.cu", "late"}}), limits);
  CHECK(large.problems.at("b.zip/b.tar.gz") == "unpacks to more than 4 194 304 bytes; the rest was not looked at");
  CHECK(large.problems.contains("b.zip"));
  std::vector<Entry> many;
  for (int i = 0; i < 30; ++i) many.push_back({"f" + std::to_string(i), ""});
  const Tree files = tree_of_archive("m.zip", zip({{"a.zip", zip(many)}, {"b.zip", zip(many)}}), limits);
  CHECK(files.problems.at("m.zip/b.zip") == "has more than 50 entries; the rest was not looked at");
  CHECK(files.files.size() < 50);
  const std::string long_one(600, 'a');
  const Tree kept = tree_of_archive("k.zip", zip({{"01-race.cu", long_one}, {"b.zip", zip({{"02-atomic-add.cu", long_one}})}}), limits);
  CHECK(kept.files.at("k.zip/01-race.cu").read);
  CHECK(kept.files.at("k.zip/b.zip/02-atomic-add.cu").problem == "was not read: the archive holds more than 1 000 bytes of files that are");
  CHECK(tree_of_archive("next.zip", zip({{"01-race.cu", long_one}}), limits).files.at("next.zip/01-race.cu").read);
}

TEST_CASE("what is compressed again and again is no archive") {
  const auto gzipped = [](const std::string& bytes) {
    return packed({{"x", bytes}}, [](archive* out) {
      archive_write_set_format_raw(out);
      archive_write_add_filter_gzip(out);
    });
  };
  const std::string once = tar({{"01-race.cu", "A"}}, true);
  CHECK(tree_of_archive("a.tar.gz", once).files.at("a.tar.gz/01-race.cu").bytes == "A");
  CHECK(tree_of_archive("a.tar.gz", gzipped(once)).unread.contains("a.tar.gz"));
  std::string bomb = gzipped("");  // of nothing, and in the end 2 TB of it
  for (const int times : {50'000, 1000, 2000}) {
    std::string all;
    for (int i = 0; i < times; ++i) all += bomb;
    bomb = gzipped(all);
  }
  CHECK(bomb.size() < 200'000);
  CHECK(tree_of_archive("a.tar.gz", bomb).unread.contains("a.tar.gz"));
}

TEST_CASE("a class that holds more than it may is not graded without those who are left out") {
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
  CHECK(bytes.error().message.find("Most of it is in eve.zip (40 files, 300 bytes): take that away, and grade it by itself") != std::string::npos);
  limits.apart = false;
  CHECK_FALSE(read_tree(folder.at("class"), limits));
}

TEST_CASE("an archive is the same, read by a process of its own or not") {
  const TemporaryFolder folder;
  put(folder.at("class/jo.zip"), with_flags(zip({{"J\u00fcrgen/01-race.cu", "A"}, {"\u6797/01-race.cu", "L"}}), names_are_utf8));
  put(folder.at("class/ada.zip"), zip({{"J\u00fcrgen/01-race.cu", "A"}, {"in.zip", zip({{"01-race.cu", "I"}})}, {"../out", ""}, {"\xff\n", ""}, {"02-atomic-add.cu", std::string(2 << 20, 'a')}}));
  put(folder.at("class/eve.zip"), "no zip");
  put(folder.at("class/zoe.7z"), packed({{"w/01-race.cu", "A"}}, [](archive* out) { archive_write_set_format_7zip(out); }));
  TreeLimits limits;
  const auto apart = read_tree(folder.at("class"), limits);
  limits.apart = false;
  const auto here = read_tree(folder.at("class"), limits);
  REQUIRE(apart);
  REQUIRE(here);
  CHECK(to_message(*apart) == to_message(*here));
  CHECK(apart->files.at("ada.zip/in.zip/01-race.cu").bytes == "I");
  CHECK(apart->files.at("jo.zip/\u6797/01-race.cu").bytes == "L");
  CHECK(apart->files.at("zoe.7z/w/01-race.cu").bytes == "A");
  CHECK(apart->unread.contains("eve.zip"));
}

TEST_CASE("a zip's times are this machine's, in a process of its own too") {
  std::string bytes = zip({{"01-race.cu", "A"}});
  for (std::size_t at = 0; (at = bytes.find("UT", at)) != std::string::npos;) bytes.replace(at, 2, "XX");  // that told it in seconds since 1970
  const TemporaryFolder folder;
  put(folder.at("class/ada.zip"), bytes);
  const char* const before = std::getenv("TZ");
  const std::string kept = before == nullptr ? "" : before;
  std::vector<std::int64_t> times;
  for (const char* zone : {"UTC0", "XXX+5"})
    for (const bool apart : {false, true}) {
      setenv("TZ", zone, 1);
      TreeLimits limits;
      limits.apart = apart;
      const auto tree = read_tree(folder.at("class"), limits);
      REQUIRE(tree);
      times.push_back(tree->files.at("ada.zip/01-race.cu").modified.value_or(-1));
    }
  before == nullptr ? unsetenv("TZ") : setenv("TZ", kept.c_str(), 1);
  CHECK(times[0] == times[1]);
  CHECK(times[2] == times[3]);
  CHECK(times[2] == times[0] + 5 * 3600);
}

TEST_CASE("what is no archive, or half of one, says so") {
  CHECK(tree_of_archive("a.zip", "not a zip at all").problems.count("a.zip") == 1);
  CHECK(tree_of_archive("a.zip", "not a zip at all").unread.count("a.zip") == 1);
  CHECK(tree_of_archive("a.zip", "").problems.count("a.zip") == 1);
  std::string cut = tar({{"01-race.cu", std::string(100000, 'a')}}, true);
  cut.resize(cut.size() / 2);
  const Tree half = tree_of_archive("a.tar.gz", cut);
  CHECK((half.problems.count("a.tar.gz") == 1 || !half.files.at("a.tar.gz/01-race.cu").problem.empty()));
  const TemporaryFolder folder;
  put(folder.at("class.zip"), "no zip");
  CHECK_FALSE(read_tree(folder.at("class.zip")));
}
