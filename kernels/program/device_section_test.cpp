#include "kernels/program/device_section.h"

#include <doctest/doctest.h>

namespace histolab::kernels::program {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_CASE("records of several units follow each other in a section") {
  std::string section;
  for (const char* object : {"first", "", "12345678"}) section += device_record(bytes_of(object));
  CHECK(section.size() % 8 == 0);
  const auto objects = device_objects(bytes_of(section));
  REQUIRE(objects);
  REQUIRE(objects->size() == 3);
  CHECK(text_of((*objects)[0]) == "first");
  CHECK((*objects)[1].empty());
  CHECK(text_of((*objects)[2]) == "12345678");
  CHECK(device_objects({})->empty());
}

TEST_CASE("a section that is not well-formed has no objects") {
  const std::string section = device_record(bytes_of("object"));
  for (std::size_t size = 1; size < section.size(); ++size)
    CHECK_FALSE(device_objects(bytes_of(section.substr(0, size))));
  CHECK_FALSE(device_objects(bytes_of("no magic" + section)));
  CHECK_FALSE(device_objects(bytes_of(section + "x")));
  for (const char* bytes :
       {"\xff\xff\xff\xff\xff\xff\xff\xff", "\xf9\xff\xff\xff\xff\xff\xff\xff"}) {
    std::string changed = section;
    changed.replace(8, 8, bytes, 8);
    CHECK_FALSE(device_objects(bytes_of(changed)));
  }
}

}  // namespace
}  // namespace histolab::kernels::program
