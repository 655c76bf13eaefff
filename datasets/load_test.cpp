#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/datasets.h"
#include "datasets/testing/test_data.h"
#include "datasets/testing/test_files.h"

namespace histolab::datasets {
namespace {

std::string error_of(const std::string& path, std::optional<std::uint64_t> length = std::nullopt) {
  const auto data = load(path, length, 1);
  REQUIRE_FALSE(data.ok());
  return data.error().message;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Returns the number of open file descriptors of this process.
std::size_t descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

TEST_CASE("a file is taken byte for byte, all of it or its beginning") {
  const TemporaryFolder folder;
  std::vector<std::uint8_t> bytes(100'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
  const std::string path = folder.file("raw.bin", bytes);
  CHECK(*load(path, std::nullopt, 1) == bytes);
  CHECK(*load(path, 100'000, 2) == bytes);
  bytes.resize(33);
  CHECK(*load(path, 33, 1) == bytes);
  CHECK(load(path, 0, 1)->empty());
  CHECK(*load(folder.file("one", "x"), std::nullopt, 1) == bytes_of("x"));
}

TEST_CASE("a file that is named like a dataset is reached by its path") {
  const TemporaryFolder folder;
  const std::string path = folder.file("constant", "not m");
  CHECK(*load(path, std::nullopt, 1) == bytes_of("not m"));
  CHECK(*load("constant", 3, 1) == data_of("constant", 3, 1));
}

TEST_CASE("odd paths work: blanks, UTF-8, a symbolic link") {
  const TemporaryFolder folder;
  CHECK(load(folder.file("two words \xc3\xa9.txt", "ab"), std::nullopt, 1).ok());
  std::filesystem::create_symlink(folder.file("target", "ab"), folder.path("link"));
  CHECK(*load(folder.path("link"), std::nullopt, 1) == bytes_of("ab"));
}

TEST_CASE("the error for a missing file also lists the datasets") {
  const std::string message = error_of("/nonexistent/sortde");
  CHECK(message ==
        "There is no file \"/nonexistent/sortde\" and no dataset of that name. Give the path of a "
        "file or one of: "
        "uniform-letters, english, constant, runs, sorted, bytes, values, zipf, two-bins, mixed, "
        "image, sensor, book, hot:P, text:WORDS.");
  CHECK(contains(error_of(""), "There is no file \"\""));
}

TEST_CASE(
    "a directory, an empty file, a device, a pipe and a path below a file have an error each") {
  const TemporaryFolder folder;
  CHECK(contains(error_of(folder.path("")), "is a directory. Give the path of a file in it."));
  CHECK(contains(error_of(folder.file("empty", "")),
                 "is empty. Give a file with at least one byte."));
  CHECK(contains(error_of("/dev/zero"), "is no regular file."));
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  CHECK(contains(error_of(folder.path("pipe")), "is no regular file."));
  CHECK(contains(error_of(folder.file("plain", "x") + "/below"),
                 "cannot be opened: Not a directory."));
}

TEST_CASE("an unreadable file says so" * doctest::skip(::geteuid() == 0)) {
  const TemporaryFolder folder;
  const std::string path = folder.file("secret", "x");
  REQUIRE(::chmod(path.c_str(), 0) == 0);
  CHECK(error_of(path) == "\"" + path +
                              "\" cannot be opened: Permission denied. Make it readable for you "
                              "(chmod u+r), or give another file.");
}

TEST_CASE("a length beyond the end of the file is an error that gives the file's length") {
  const TemporaryFolder folder;
  const std::string path = folder.file("short", "hello");
  CHECK(error_of(path, 6) == "\"" + path +
                                 "\" has 5 bytes, but a length of 6 was asked for. Ask for at most "
                                 "5, or leave the length out "
                                 "to take all.");
  CHECK(contains(error_of(path, std::uint64_t{1} << 40), "a kernel takes an unsigned int"));
}

TEST_CASE("a file beyond 4 GiB - 1 needs a length") {
  const TemporaryFolder folder;
  const std::string path = folder.file("sparse", "begin");
  if (::truncate(path.c_str(), off_t{1} << 32) != 0) {
    MESSAGE("skipped: this file system has no sparse files of 4 GiB");
    return;
  }
  CHECK(contains(
      error_of(path),
      "has 4294967296 bytes, and a kernel takes at most 4294967295. Ask for a length up to that."));
  CHECK(*load(path, 5, 1) == bytes_of("begin"));
}

TEST_CASE("samples of 16 bits are read in file order, and an odd number of bytes is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.file("even", "abcdef");
  CHECK(*load_samples(path, std::nullopt, 1, 2) == bytes_of("abcdef"));
  CHECK(*load_samples(path, 2, 1, 2) == bytes_of("abcd"));
  CHECK(load_samples(path, 0, 1, 2)->empty());
  CHECK(load_samples(path, 4, 1, 2).error().message ==
        "\"" + path +
            "\" has 3 samples of 16 bits, but a length of 4 was asked for. Ask for at most 3, or "
            "leave the length out to take "
            "all.");
  const std::string odd = folder.file("odd", "abcde");
  for (const auto length : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{2}})
    CHECK(load_samples(odd, length, 1, 2).error().message ==
          "\"" + odd +
              "\" has 5 bytes, an odd number: it cannot be samples of 16 bits. Give a file with an "
              "even number of bytes, or "
              "an image.");
}

TEST_CASE("load closes its descriptor on success and on failure") {
  const TemporaryFolder folder;
  const std::string good = folder.file("good", "abc"), bad = folder.file("bad.pgm", "P5 9 9 255\n"),
                    empty = folder.file("empty", "");
  const std::size_t before = descriptors();
  for (int i = 0; i < 10; ++i)
    for (const auto& path : {good, bad, empty, folder.path(""), folder.path("missing")})
      static_cast<void>(load(path, std::nullopt, 1).ok());
  CHECK(descriptors() == before);
}

}  // namespace
}  // namespace histolab::datasets
