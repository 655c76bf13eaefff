#include "reference/addresses.h"

#include <doctest/doctest.h>

using namespace histolab::reference;

TEST_CASE("sectors of a request, by hand") {
  CHECK(sectors({.stride_bytes = 1}) == 1);                   // 32 neighbouring bytes
  CHECK(sectors({.first_byte = 4, .stride_bytes = 1}) == 2);  // not aligned
  CHECK(sectors({.stride_bytes = 4, .bytes = 4}) == 4);       // 32 words
  CHECK(sectors({.stride_bytes = 16, .bytes = 16}) == 16);
  CHECK(sectors({.stride_bytes = 36}) == 32);  // chunks of 36 bytes
  CHECK(sectors({.stride_bytes = 8}) == 8);
  CHECK(sectors({.stride_bytes = 0}) == 1);                                // one byte for all
  CHECK(sectors({.first_byte = 31, .stride_bytes = 0, .bytes = 2}) == 2);  // in two sectors
}

TEST_CASE("used_share is the requested fraction of the fetched sector bytes") {
  CHECK(used_share({.stride_bytes = 1}) == 1);
  CHECK(used_share({.first_byte = 4, .stride_bytes = 1}) == 0.5);
  CHECK(used_share({.stride_bytes = 36}) == doctest::Approx(1.0 / 32));
  CHECK(used_share({.stride_bytes = 0, .bytes = 4}) == doctest::Approx(4.0 / 32));
}

TEST_CASE("passes over the banks: the stride's greatest common divisor with 32") {
  CHECK(bank_passes(32, 1) == 1);
  CHECK(bank_passes(32, 2) == 2);
  CHECK(bank_passes(32, 7) == 1);
  CHECK(bank_passes(32, 8) == 8);
  CHECK(bank_passes(32, 32) == 32);
  CHECK(bank_passes(32, 33) == 1);
  CHECK(bank_passes(32, 0) == 1);  // all lanes read one word
  CHECK(bank_passes(16, 32) == 16);
}
