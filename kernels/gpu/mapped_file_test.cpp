#include "kernels/gpu/mapped_file.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace histolab::kernels::gpu {

TEST_CASE("a writable mapping changes the file; a descriptor that cannot be mapped throws") {
  const int file = memfd_create("mapped", MFD_CLOEXEC);
  REQUIRE(write(file, "seven b", 7) == 7);
  {
    const MappedFile mapped(file, 7, MappedFile::Access::write);
    CHECK(std::string(mapped.bytes().begin(), mapped.bytes().end()) == "seven b");
    mapped.bytes()[0] = 'S';
  }
  const MappedFile again(file, 7);
  CHECK(again.bytes()[0] == 'S');
  CHECK(MappedFile(-1, 0).bytes().empty());
  CHECK_THROWS_WITH_AS(MappedFile(-1, 7), "cannot map a file of the launch: Bad file descriptor",
                       std::runtime_error);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_THROWS_AS(MappedFile(ends[0], 7), std::runtime_error);
  for (const int each : {file, ends[0], ends[1]}) close(each);
}

}  // namespace histolab::kernels::gpu
