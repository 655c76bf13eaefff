// Tests of Buffer: another process can map it by its descriptor; it is freed with its owner.
#include "kernels/buffer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>
#include <vector>

namespace histolab::kernels {
namespace {

static_assert(!std::is_copy_constructible_v<Buffer> &&
              std::is_nothrow_move_constructible_v<Buffer>);

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST_CASE("a new buffer has the requested size and is zeroed") {
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{4095}, std::size_t{4097}, std::size_t{1} << 20}) {
    auto buffer = Buffer::zeroed(bytes);
    REQUIRE(buffer.ok());
    CHECK(buffer->size() == bytes);
    CHECK(std::ranges::all_of(buffer->bytes(), [](std::uint8_t byte) { return byte == 0; }));
  }
}

TEST_CASE("a buffer of no bytes has a descriptor and an empty view") {
  for (auto& buffer : {Buffer::zeroed(0), Buffer::copy_of({})}) {
    REQUIRE(buffer.ok());
    CHECK(buffer->bytes().empty());
    CHECK(is_open(buffer->fd()));
  }
}

TEST_CASE("a copy holds the bytes, not the memory they came from") {
  std::vector<std::uint8_t> bytes(10'000);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  auto buffer = Buffer::copy_of(bytes);
  REQUIRE(buffer.ok());
  CHECK(std::ranges::equal(buffer->bytes(), bytes));
  bytes[0] = 99;
  CHECK(buffer->bytes()[0] == 0);
}

TEST_CASE("a mapping of the descriptor and the owner's view share the same bytes") {
  auto buffer = Buffer::copy_of(std::array<std::uint8_t, 3>{1, 2, 3});
  REQUIRE(buffer.ok());
  void* mapped = mmap(nullptr, buffer->size(), PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd(), 0);
  REQUIRE(mapped != MAP_FAILED);
  auto* other = static_cast<std::uint8_t*>(mapped);
  CHECK(other[2] == 3);
  other[1] = 77;
  CHECK(buffer->bytes()[1] == 77);
  munmap(mapped, buffer->size());
}

TEST_CASE("the descriptor is close-on-exec and is closed with its owner") {
  int fd = -1;
  {
    auto buffer = Buffer::zeroed(16);
    REQUIRE(buffer.ok());
    fd = buffer->fd();
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK_FALSE(is_open(fd));
}

TEST_CASE("moving a buffer transfers its bytes and closes the descriptor once") {
  auto made = Buffer::copy_of(std::array<std::uint8_t, 2>{5, 6});
  REQUIRE(made.ok());
  Buffer first = std::move(*made);
  const int fd = first.fd();
  Buffer second = std::move(first);
  CHECK(second.fd() == fd);
  CHECK(second.bytes()[1] == 6);
  CHECK(first.fd() == -1);
  CHECK(first.bytes().empty());
  auto other = Buffer::zeroed(1);
  REQUIRE(other.ok());
  second = std::move(*other);
  CHECK(second.size() == 1);
  CHECK(other->size() == 2);  // the old content lives as long as `other`
  CHECK(is_open(fd));
}

TEST_CASE("an impossible size is an error that gives the number of bytes") {
  const auto buffer = Buffer::zeroed(std::size_t{1} << 62);
  REQUIRE_FALSE(buffer.ok());
  CHECK(buffer.error().message.find("4611686018427387904 bytes") != std::string::npos);
}

}  // namespace
}  // namespace histolab::kernels
