// Reading archives, including invalid and hostile ones. tree_test.cpp tests archives of a class.
#include <doctest/doctest.h>
#include <locale.h>

#include <tuple>

#include "grader/batch/testing/archives.h"
#include "grader/batch/testing/trees.h"
#include "grader/batch/tree.h"
#include "grader/files/read_file.h"
#include "grader/testing/files.h"

using namespace histolab::batch;
using namespace histolab::batch::testing;
using histolab::grader::max_source_bytes;
using histolab::grader::testing::put;
using histolab::grader::testing::TemporaryFolder;

namespace {

constexpr const char* name_left_out = "has an entry whose name cannot be read; it was left out";

std::string broken_in(std::string bytes, std::string_view word) {
  const std::size_t at = bytes.find(word);
  REQUIRE(at != std::string::npos);
  bytes[at] = '!';
  return bytes;
}

// A sparse file with only one written byte.
Entry sparse(const std::string& path, std::size_t size, std::size_t only_byte) {
  Entry entry{path, std::string(size, '\0')};
  entry.bytes[only_byte] = 'A';
  entry.only_byte = static_cast<std::int64_t>(only_byte);
  return entry;
}

}  // namespace

TEST_CASE("names of students may have any letters, in every locale of the process") {
  const std::string bytes =
      zip({{"J\u00fcrgen M\u00fc\u00dfig/01-race.cu", "J"}, {"\u6797/01-race.cu", "L"}});
  for (const std::uint16_t flags : {std::uint16_t{0}, names_are_utf8}) {
    CAPTURE(flags);
    const Tree tree = tree_of_archive("class.zip", with_flags(bytes, flags));
    CHECK(tree.problems.empty());
    CHECK(tree.files.at("class.zip/J\u00fcrgen M\u00fc\u00dfig/01-race.cu").bytes == "J");
    CHECK(tree.files.at("class.zip/\u6797/01-race.cu").bytes == "L");
  }
}

TEST_CASE(
    "a name may have any encoding; one that is not in its declared encoding is left out and "
    "reported") {
  CHECK(tree_of_archive("ada.tar", tar({{"\xff/01-race.cu", "A"}}))
            .files.at("ada.tar/\xff/01-race.cu")
            .bytes == "A");
  const std::string bytes = zip({{"\xff/01-race.cu", "A"}, {"02-atomic-add.cu", "fine"}});
  CHECK(tree_of_archive("ada.zip", bytes).files.at("ada.zip/\xff/01-race.cu").bytes == "A");
  const Tree tree = tree_of_archive("ada.zip", with_flags(bytes, names_are_utf8));
  CHECK(tree.problems.at("ada.zip/") == name_left_out);
  CHECK(tree.unread.contains("ada.zip/"));
  CHECK(tree.files.size() == 1);
  CHECK(tree.files.at("ada.zip/02-atomic-add.cu").bytes == "fine");
}

TEST_CASE("after a damaged header of a tar the next one is found") {
  std::string bytes =
      tar({{"01-race.cu", "A"}, {"02-atomic-add.cu", "B"}, {"03-interleaved.cu", "C"}});
  const Tree tree = tree_of_archive("ada.tar", broken_in(std::move(bytes), "02-atomic"));
  CHECK(tree.problems.at("ada.tar/") == name_left_out);
  CHECK(tree.files.size() == 2);
  CHECK(tree.files.at("ada.tar/01-race.cu").bytes == "A");
  CHECK(tree.files.at("ada.tar/03-interleaved.cu").bytes == "C");
}

TEST_CASE("reading an archive restores the locale") {
  const locale_t before = uselocale(nullptr);
  static_cast<void>(tree_of_archive("ada.zip", zip({{"01-race.cu", "A"}})));
  CHECK(uselocale(nullptr) == before);
}

TEST_CASE("libarchive's message is reported completely") {
  CHECK(tree_of_archive("a.zip", "not a zip at all").problems.at("a.zip") ==
        "is not a readable archive: Unrecognized archive format");
  const TemporaryFolder folder;
  for (const std::string_view bytes : {"no zip at all",
                                       "\xfd"
                                       "7zXZ",
                                       ""}) {  // including one that ends inside the magic number
    put(folder.at("class.zip"), std::string{bytes});
    const auto read = read_tree(folder.at("class.zip"));
    REQUIRE_FALSE(read);
    CHECK(read.error().message == folder.at("class.zip") +
                                      ": is not a readable archive: Unrecognized archive "
                                      "format. Is the download incomplete? Download it again");
  }
  // A wrong size. Libarchive's message for it ends in a newline.
  std::string bytes = stored_zip({{"01-race.cu", std::string(100, 'a')}});
  bytes[bytes.find("PK\3\4") + 22] = bytes[bytes.find("PK\1\2") + 24] = 99;
  const Tree tree = tree_of_archive("a.zip", bytes);
  CHECK(tree.files.at("a.zip/01-race.cu").problem ==
        "cannot be unpacked: ZIP uncompressed data is wrong size (read 100, expected 99)");
}

TEST_CASE("a zip with a wrong file size only in its directory is read") {
  for (const char size : {char{0}, char{99}, char{101}}) {
    std::string bytes = stored_zip({{"01-race.cu", std::string(100, 'a')}});
    bytes[bytes.find("PK\1\2") + 24] = size;
    CHECK(tree_of_archive("a.zip", bytes).files.at("a.zip/01-race.cu").bytes ==
          std::string(100, 'a'));
  }
}

TEST_CASE("extra files of macOS are ignored") {
  const Tree tree = tree_of_archive("ada.zip", zip({{"__MACOSX/01-race.cu", "x"},
                                                    {"a/__MACOSX/01-race.cu", "x"},
                                                    {"a/._01-race.cu", "x"},
                                                    {"._01-race.cu", "x"},
                                                    {"a/.DS_Store", "x"},
                                                    {".DS_Store", "x"},
                                                    {"my__MACOSX/01-race.cu", "A"},
                                                    {"__MACOSX.cu", "A"},
                                                    {"a/x._y.cu", "A"}}));
  CHECK(tree.problems.empty());
  CHECK(tree.files.size() == 3);
  for (const char* name : {"my__MACOSX/01-race.cu", "__MACOSX.cu", "a/x._y.cu"})
    CHECK(tree.files.at(std::string("ada.zip/") + name).bytes == "A");
}

TEST_CASE("a folder in an archive is a folder, even if empty") {
  for (const std::string& bytes :
       {tar({{"work/", "", AE_IFDIR}, {"work/none/", "", AE_IFDIR}, {"work/01-race.cu", "A"}}),
        zip({{"work/", "", AE_IFDIR}, {"work/none/", "", AE_IFDIR}, {"work/01-race.cu", "A"}})}) {
    const Tree tree = tree_of_archive("ada.zip", bytes);
    CHECK(tree.folders == std::set<std::string>{"ada.zip/work", "ada.zip/work/none"});
    CHECK(tree.files.size() == 1);
    CHECK(tree.archives.empty());
    CHECK(tree.problems.empty());
  }
}

TEST_CASE("without a time in the archive a file has no time") {
  Entry timeless{"01-race.cu", "A"};
  timeless.modified = std::nullopt;
  const Tree tree = tree_of_archive("ada.7z", stored_7z({timeless, {"02-atomic-add.cu", "B"}}));
  CHECK_FALSE(tree.files.at("ada.7z/01-race.cu").modified);
  CHECK(tree.files.at("ada.7z/01-race.cu").read);
  CHECK(tree.files.at("ada.7z/02-atomic-add.cu").modified == 77);
}

TEST_CASE(
    "a file is read up to its limit, to the byte; descriptions and archives have the limit of "
    "archives") {
  constexpr std::size_t most_of_archive = 2 << 20;
  TreeLimits limits;
  limits.archive_bytes = most_of_archive;
  for (const auto& [name, most, expected] :
       {std::tuple{"01-race.cu", std::size_t{max_source_bytes}, "1 048 576"},
        {"01-race.quiz.json", std::size_t{max_source_bytes}, "1 048 576"},
        {"submission_metadata.yml", most_of_archive, "2 097 152"}}) {
    CAPTURE(name);
    for (const auto& [kind, packed_as] : {std::pair{"7z", &stored_7z}, {"zip", &zip}}) {
      CAPTURE(kind);
      const std::string at = "ada.zip/" + std::string(name);
      const std::string bytes(most, 'a');
      const Tree whole = tree_of_archive("ada.zip", packed_as({{name, bytes}}), limits);
      CHECK(whole.files.at(at).read);
      CHECK(whole.files.at(at).bytes == bytes);
      const Tree tree = tree_of_archive(
          "ada.zip", packed_as({{name, bytes + "a"}, {"02-atomic-add.cu", "fine"}}), limits);
      CHECK_FALSE(tree.files.at(at).read);
      CHECK(tree.files.at(at).problem == "is longer than " + std::string(expected) + " bytes");
      CHECK(tree.files.at(at).bytes.empty());
      CHECK(tree.files.at("ada.zip/02-atomic-add.cu").bytes == "fine");
    }
  }
  const std::string inner =
      stored_7z({{"01-race.cu", "I"}, {"x", std::string(most_of_archive - 1000, 'a')}});
  REQUIRE(inner.size() > max_source_bytes);
  REQUIRE(inner.size() < most_of_archive);
  CHECK(tree_of_archive("ada.zip", zip({{"in.7z", inner}}), limits)
            .files.at("ada.zip/in.7z/01-race.cu")
            .bytes == "I");
}

TEST_CASE("irrelevant files are not kept") {
  for (const std::string& bytes : {tar({{"notes.pdf", "N"}, {"01-race.cu", "A"}}),
                                   zip({{"notes.pdf", "N"}, {"01-race.cu", "A"}}),
                                   stored_7z({{"notes.pdf", "N"}, {"01-race.cu", "A"}})}) {
    const Tree tree = tree_of_archive("ada.zip", bytes);
    const File& notes = tree.files.at("ada.zip/notes.pdf");
    CHECK_FALSE(notes.read);
    CHECK(notes.bytes.empty());
    CHECK(notes.problem.empty());
    CHECK(notes.modified == 77);
    CHECK(tree.files.at("ada.zip/01-race.cu").read);
  }
}

TEST_CASE("irrelevant entries of a zip are skipped, even if broken or large") {
  const Tree broken = tree_of_archive(
      "ada.zip",
      broken_in(stored_zip({{"notes.pdf", "as it was written"}, {"01-race.cu", "A"}}), "written"));
  CHECK(broken.files.at("ada.zip/notes.pdf").problem.empty());
  CHECK(broken.files.at("ada.zip/01-race.cu").bytes == "A");
  TreeLimits limits;
  limits.unpacked_bytes = 1 << 20;
  const Tree large = tree_of_archive(
      "ada.zip", zip({{"notes.pdf", std::string(2 << 20, 'a')}, {"01-race.cu", "A"}}), limits);
  CHECK(large.problems.empty());
  CHECK(large.files.at("ada.zip/01-race.cu").bytes == "A");
}

TEST_CASE(
    "after a broken file the next one is read; after the end of a broken archive nothing is") {
  for (const char* name : {"notes.pdf", "02-atomic-add.cu"}) {
    CAPTURE(name);
    const std::string at = "ada.zip/" + std::string(name);
    const Tree broken = tree_of_archive(
        "ada.zip",
        broken_in(stored_7z({{name, "as it was written"}, {"01-race.cu", "A"}}), "written"));
    CHECK(broken.problems.empty());
    CHECK(broken.files.at(at).problem.starts_with("cannot be unpacked: "));
    CHECK_FALSE(broken.files.at(at).read);
    CHECK(broken.files.at("ada.zip/01-race.cu").bytes == "A");
  }
  std::string half = tar({{"01-race.cu", "A"}, {"02-atomic-add.cu", std::string(3000, 'a')}});
  half.resize(512 + 512 + 512 + 1024);
  const Tree wanted = tree_of_archive("ada.tar", half);
  CHECK(wanted.problems.at("ada.tar").starts_with("is a broken archive: "));
  CHECK(wanted.unread.contains("ada.tar"));
  CHECK(wanted.files.at("ada.tar/01-race.cu").read);
  CHECK(wanted.files.at("ada.tar/02-atomic-add.cu").problem.starts_with("cannot be unpacked: "));
  half = tar({{"01-race.cu", "A"}, {"notes.pdf", std::string(3000, 'a')}});
  half.resize(512 + 512 + 512 + 1024);
  const Tree unwanted = tree_of_archive("ada.tar", half);
  CHECK(unwanted.problems.at("ada.tar").starts_with("is a broken archive: "));
  CHECK(unwanted.files.size() == 1);
}

TEST_CASE("an encrypted file is reported as such") {
  const Tree tree =
      tree_of_archive("ada.zip", with_flags(stored_zip({{"01-race.cu", "as it was written"}}), 1));
  CHECK(tree.files.at("ada.zip/01-race.cu").problem == "is encrypted");
  CHECK_FALSE(tree.files.at("ada.zip/01-race.cu").read);
}

TEST_CASE("holes of a sparse file are zeros, before and after the written bytes") {
  for (const auto& [size, only_byte] : {std::pair{8193, 8192}, {8192, 0}, {3 << 12, 1 << 12}}) {
    CAPTURE(size);
    const Entry entry =
        sparse("01-race.cu", static_cast<std::size_t>(size), static_cast<std::size_t>(only_byte));
    const std::string bytes = tar({entry});
    CHECK(bytes.size() < entry.bytes.size());
    const Tree tree = tree_of_archive("ada.tar", bytes);
    CHECK(tree.files.at("ada.tar/01-race.cu").read);
    CHECK((tree.files.at("ada.tar/01-race.cu").bytes == entry.bytes));
  }
}

TEST_CASE("the pieces of a sparse file are placed at their offsets, and must not overlap") {
  CHECK(tree_of_archive("ada.tar", tar_with_map("01-race.cu", "2,2,6,4", "AABBBB", 10))
            .files.at("ada.tar/01-race.cu")
            .bytes == std::string("\0\0AA\0\0BBBB", 10));
  std::string eightfold = "0,1048576";
  for (int i = 1; i < 8; ++i) eightfold += ",0,1048576";
  for (const auto& [map, bytes, length] :
       {std::tuple{std::string{"4,4,0,4"}, std::string{"BBBBAAAA"}, std::size_t{8}},
        {"0,4,3,4", "AAAABBBB", 7},
        {eightfold, std::string(8 << 20, 'A'), 1 << 20}}) {
    CAPTURE(map);
    const Tree tree = tree_of_archive("eve.tar", tar_with_map("01-race.cu", map, bytes, length));
    const File& file = tree.files.at("eve.tar/01-race.cu");
    CHECK_FALSE(file.read);
    CHECK(file.problem == "has overlapping parts");
    CHECK(file.bytes.empty());
  }
}

TEST_CASE("holes count for a file's limit, and filled holes for the archive's unpacked size") {
  const std::size_t mega = 1 << 20;
  for (const std::size_t only_byte : {std::size_t{0}, mega}) {
    const Tree tree = tree_of_archive(
        "eve.tar", tar({sparse("01-race.cu", mega + 1, only_byte), {"02-atomic-add.cu", "fine"}}));
    CHECK(tree.files.at("eve.tar/01-race.cu").problem == "is longer than 1 048 576 bytes");
    CHECK(tree.files.at("eve.tar/01-race.cu").bytes.empty());
    CHECK(tree.files.at("eve.tar/02-atomic-add.cu").bytes == "fine");
  }
  TreeLimits limits;
  limits.unpacked_bytes = 3 * mega;
  for (const std::size_t only_byte : {std::size_t{0}, mega - 1}) {
    const auto of = [&](const std::string& ending) {
      return std::vector<Entry>{sparse("1" + ending, mega, only_byte),
                                sparse("2" + ending, mega, only_byte),
                                sparse("3" + ending, mega, only_byte)};
    };
    auto entries = of(".cu");
    CHECK(tree_of_archive("eve.tar", tar(entries), limits).problems.empty());
    entries.push_back({"4.cu", "A"});
    const Tree tree = tree_of_archive("eve.tar", tar(entries), limits);
    CHECK(tree.problems.at("eve.tar") ==
          "unpacks to more than 3 145 728 bytes; the rest was ignored");
    CHECK(tree.files.size() == 3);
    entries = of(".pdf");
    entries.push_back({"4.cu", "A"});
    CHECK(tree_of_archive("eve.tar", tar(entries), limits).problems.empty());
  }
}

TEST_CASE("a file with a wrong checksum is not read") {
  std::string bytes = stored_zip({{"01-race.cu", "as it was written"}});
  bytes[bytes.find("written")] = 'W';
  const Tree tree = tree_of_archive("ada.zip", bytes);
  const File& file = tree.files.at("ada.zip/01-race.cu");
  CHECK_FALSE(file.read);
  CHECK(file.problem.find("CRC") != std::string::npos);
}

TEST_CASE("archives are folders, even inside an archive") {
  const std::string inner = zip({{"01-race.cu", "I"}});
  const std::vector<std::string> kinds = {zip({{"w/01-race.cu", "A"}, {"in.zip", inner}}),
                                          tar({{"w/01-race.cu", "A"}, {"in.zip", inner}}),
                                          tar({{"./w/01-race.cu", "A"}, {"in.zip", inner}}, true)};
  for (const std::string& bytes : kinds) {
    const Tree tree = tree_of_archive("ada.zip", bytes);
    CHECK(tree.problems.empty());
    CHECK(tree.files.at("ada.zip/w/01-race.cu").bytes == "A");
    CHECK(tree.files.at("ada.zip/w/01-race.cu").modified == 77);
    CHECK(tree.files.at("ada.zip/in.zip/01-race.cu").bytes == "I");
    CHECK(tree.archives.contains("ada.zip/in.zip"));
    CHECK(tree.archive_times.at("ada.zip/in.zip") == 77);
    CHECK(tree.folders.contains("ada.zip/w"));
  }
}

TEST_CASE("times in an archive are clamped to a valid range") {
  for (const auto& [claimed, believed] : {std::pair{INT64_MIN + 1, std::int64_t{0}},
                                          {std::int64_t{-1}, std::int64_t{0}},
                                          {INT64_MAX, std::int64_t{253402300799}},
                                          {std::int64_t{77}, std::int64_t{77}}}) {
    Entry entry{"01-race.cu", "A"};
    entry.modified = claimed;
    CHECK(tree_of_archive("ada.tar", tar({entry})).files.at("ada.tar/01-race.cu").modified ==
          believed);
  }
}

TEST_CASE("zip slip: names that lead out of the archive are left out and reported") {
  for (const char* name : {"../01-race.cu", "/etc/01-race.cu", "a/../../01-race.cu", "a/..",
                           "C:\\01-race.cu", "\\\\host\\01-race.cu"}) {
    CAPTURE(name);
    const Tree tree = tree_of_archive("eve.tar", tar({{name, "E"}, {"02-atomic-add.cu", "fine"}}));
    CHECK(tree.problems.at("eve.tar/") ==
          "has an entry whose name leads out of it; it was left out");
    CHECK(tree.unread.empty());
    CHECK(tree.files.size() == 1);
    CHECK(tree.files.at("eve.tar/02-atomic-add.cu").bytes == "fine");
  }
}

// Found by fuzzing: entering single folders took twice as long with each level.
TEST_CASE("nested folders in an archive are limited in depth and in name length") {
  std::string deep;
  for (int i = 0; i < 16; ++i) deep += "a/";
  const Tree at_the_limit = tree_of_archive("eve.tar", tar({{deep + "01-race.cu", "E"}}));
  CHECK(at_the_limit.problems.empty());
  CHECK(at_the_limit.files.at("eve.tar/" + deep + "01-race.cu").bytes == "E");
  for (const auto& [name, expected] :
       {std::pair{"a/" + deep + "01-race.cu", "17 folders deep with a name of 44 bytes"},
        {std::string(1015, 'n') + "01-race.cu", "0 folders deep with a name of 1 025 bytes"}}) {
    const Tree tree = tree_of_archive("eve.tar", tar({{name, "E"}, {"02-atomic-add.cu", "fine"}}));
    CHECK(tree.problems.at("eve.tar/") ==
          std::string("has an entry ") + expected + "; it was left out");
    CHECK(tree.unread.contains("eve.tar/"));
    CHECK(tree.files.size() == 1);
    CHECK(tree.folders.size() <= 1);
  }
}

TEST_CASE("links and devices in an archive have no contents") {
  const Tree tree =
      tree_of_archive("eve.tar", tar({{"01-race.cu", "", AE_IFLNK, "/etc/passwd"},
                                      {"02-atomic-add.cu", "", AE_IFREG, "/etc/passwd"},
                                      {"03-interleaved.cu", "", AE_IFCHR},
                                      {"04-privatization.cu", "", AE_IFIFO}}));
  REQUIRE(tree.files.size() == 4);
  for (const auto& [path, file] : tree.files) {
    CAPTURE(path);
    CHECK_FALSE(file.read);
    CHECK_FALSE(file.problem.empty());
  }
}

TEST_CASE("bombs stop at the limits, and earlier files are kept") {
  TreeLimits limits;
  limits.unpacked_bytes = 4 << 20, limits.entries_of_archive = 50;
  const std::string zeros(3 << 20, '\0');
  const Tree large = tree_of_archive(
      "b.tar.gz",
      tar({{"01-race.cu", "A"}, {"x", zeros}, {"y", zeros}, {"02-atomic-add.cu", "late"}}, true),
      limits);
  CHECK(large.files.at("b.tar.gz/01-race.cu").bytes == "A");
  CHECK_FALSE(large.files.contains("b.tar.gz/02-atomic-add.cu"));
  CHECK(large.problems.at("b.tar.gz") ==
        "unpacks to more than 4 194 304 bytes; the rest was ignored");
  const Tree one = tree_of_archive(
      "b.zip", zip({{"01-race.cu", std::string(2 << 20, 'a')}, {"02-atomic-add.cu", "A"}}));
  CHECK(one.files.at("b.zip/01-race.cu").problem == "is longer than 1 048 576 bytes");
  CHECK(one.files.at("b.zip/02-atomic-add.cu").bytes == "A");
  std::vector<Entry> many;
  for (int i = 0; i < 60; ++i) many.push_back({"f" + std::to_string(i), ""});
  CHECK(tree_of_archive("m.zip", zip(many), limits).problems.at("m.zip") ==
        "has more than 50 entries; the rest was ignored");
  std::string nested = zip({{"01-race.cu", "deep"}});
  for (int i = 0; i < 6; ++i) nested = zip({{"n.zip", nested}});
  const Tree deep = tree_of_archive("n.zip", nested);
  CHECK(deep.files.empty());
  CHECK(deep.problems.size() == 1);
}

TEST_CASE("archives in an archive share its limits") {
  TreeLimits limits;
  limits.unpacked_bytes = 4 << 20, limits.entries_of_archive = 50,
  limits.kept_bytes_of_archive = 1000;
  const std::string zeros(3 << 20, '\0');
  const std::string bomb = tar({{"x", zeros}}, true);
  const Tree large = tree_of_archive(
      "b.zip", zip({{"a.tar.gz", bomb}, {"b.tar.gz", bomb}, {"02-atomic-add.cu", "late"}}), limits);
  CHECK(large.problems.at("b.zip/b.tar.gz") ==
        "unpacks to more than 4 194 304 bytes; the rest was ignored");
  CHECK(large.problems.contains("b.zip"));
  std::vector<Entry> many;
  for (int i = 0; i < 30; ++i) many.push_back({"f" + std::to_string(i), ""});
  const Tree files =
      tree_of_archive("m.zip", zip({{"a.zip", zip(many)}, {"b.zip", zip(many)}}), limits);
  CHECK(files.problems.at("m.zip/b.zip") == "has more than 50 entries; the rest was ignored");
  CHECK(files.files.size() < 50);
  const std::string long_one(600, 'a');
  const Tree kept = tree_of_archive(
      "k.zip", zip({{"01-race.cu", long_one}, {"b.zip", zip({{"02-atomic-add.cu", long_one}})}}),
      limits);
  CHECK(kept.files.at("k.zip/01-race.cu").read);
  CHECK(kept.files.at("k.zip/b.zip/02-atomic-add.cu").problem ==
        "was not read: the files read from the archive have more than 1 000 bytes");
  CHECK(tree_of_archive("next.zip", zip({{"01-race.cu", long_one}}), limits)
            .files.at("next.zip/01-race.cu")
            .read);
}

TEST_CASE("an archive with several layers of compression is refused") {
  const auto gzipped = [](const std::string& bytes) {
    return packed({{"x", bytes}}, [](archive* out) {
      archive_write_set_format_raw(out);
      archive_write_add_filter_gzip(out);
    });
  };
  const std::string once = tar({{"01-race.cu", "A"}}, true);
  CHECK(tree_of_archive("a.tar.gz", once).files.at("a.tar.gz/01-race.cu").bytes == "A");
  CHECK(tree_of_archive("a.tar.gz", gzipped(once)).unread.contains("a.tar.gz"));
  std::string bomb = gzipped("");  // unpacks to 2 TB
  for (const int times : {50'000, 1000, 2000}) {
    std::string all;
    for (int i = 0; i < times; ++i) all += bomb;
    bomb = gzipped(all);
  }
  CHECK(bomb.size() < 200'000);
  CHECK(tree_of_archive("a.tar.gz", bomb).unread.contains("a.tar.gz"));
}
