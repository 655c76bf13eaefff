// Images as samples of 16 bits.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/datasets.h"
#include "datasets/image.h"
#include "datasets/testing/test_data.h"
#include "datasets/testing/test_files.h"

namespace histolab::datasets {
namespace {

using Numbers = std::vector<std::uint16_t>;

void append_big_endian(Data& out, std::uint32_t value, int bytes) {
  for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t crc32(const Data& data, std::size_t first) {
  std::uint32_t crc = ~0u;
  for (std::size_t i = first; i < data.size(); ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

void append_chunk(Data& file, std::string_view type, const Data& content) {
  append_big_endian(file, static_cast<std::uint32_t>(content.size()), 4);
  const std::size_t first = file.size();
  file.insert(file.end(), type.begin(), type.end());
  file.insert(file.end(), content.begin(), content.end());
  append_big_endian(file, crc32(file, first), 4);
}

// An uncompressed PNG with samples of 8 or 16 bits and 1 (gray) or 3 channels. stb_image_write
// cannot write 16 bits.
Data png(int width, int bits, int channels, const Numbers& samples) {
  const std::size_t per_row = static_cast<std::size_t>(width * channels);
  Data rows;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % per_row == 0) rows.push_back(0);  // this row has no filter
    append_big_endian(rows, samples[i], bits / 8);
  }
  Data stream{0x78, 0x01, 0x01};  // zlib header; the last block, stored uncompressed
  const auto size = static_cast<std::uint32_t>(rows.size());
  for (const std::uint32_t word : {size, ~size}) {
    stream.push_back(static_cast<std::uint8_t>(word));
    stream.push_back(static_cast<std::uint8_t>(word >> 8));
  }
  stream.insert(stream.end(), rows.begin(), rows.end());
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : rows) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  append_big_endian(stream, b << 16 | a, 4);

  Data header;
  append_big_endian(header, static_cast<std::uint32_t>(width), 4);
  append_big_endian(header, static_cast<std::uint32_t>(samples.size() / per_row), 4);
  for (const int byte : {bits, channels == 1 ? 0 : 2, 0, 0, 0})
    header.push_back(static_cast<std::uint8_t>(byte));
  Data file = bytes_of("\x89PNG\r\n\x1a\n");
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", stream);
  append_chunk(file, "IEND", {});
  return file;
}

Numbers decoded(const Data& file) {
  const auto samples = luminance(file, 2);
  REQUIRE_MESSAGE(samples.ok(), (samples.ok() ? "" : samples.error().message));
  return numbers_of(*samples);
}

TEST_CASE("a gray PNG of 16 bits keeps its samples") {
  const Numbers samples = {0, 1, 255, 256, 257, 0x1234, 0x8000, 0xfffe, 0xffff, 4095, 4096, 7};
  CHECK(decoded(png(4, 16, 1, samples)) == samples);
  CHECK(decoded(png(3, 16, 1, samples)) == samples);
  CHECK(*luminance(png(4, 16, 1, samples)) ==
        Data{0, 0, 0, 1, 1, 0x12, 0x80, 0xff, 0xff, 15, 16, 0});
}

TEST_CASE("colour of 16 bits is converted to the same luminance in every format") {
  const Numbers rgb = {0xffff, 0, 0, 0, 0xffff, 0, 0, 0, 0xffff, 0x1111, 0x2222, 0x3333};
  Numbers gray;
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    gray.push_back(
        static_cast<std::uint16_t>((77u * rgb[i] + 150u * rgb[i + 1] + 29u * rgb[i + 2]) >> 8));
  CHECK(decoded(png(2, 16, 3, rgb)) == gray);
  Data big_endian;
  for (const std::uint16_t sample : rgb) append_big_endian(big_endian, sample, 2);
  CHECK(decoded(pnm("P6 2 2 65535\n", big_endian)) == gray);
}

TEST_CASE("images of 8 bits are scaled by 257") {
  const Numbers samples = {0, 1, 127, 128, 254, 255},
                scaled = {0, 257, 127 * 257, 128 * 257, 254 * 257, 65535};
  CHECK(decoded(png(3, 8, 1, samples)) == scaled);
  CHECK(decoded(pnm("P5 3 2 255\n", {0, 1, 127, 128, 254, 255})) == scaled);
}

TEST_CASE("PGM: samples of 16 bits have their upper byte first, and the maximum becomes white") {
  CHECK(decoded(pnm("P5 3 1 65535\n", {0, 1, 1, 0, 0xff, 0xfe})) == Numbers{1, 256, 65534});
  CHECK(decoded(pnm("P5 3 1 4095\n", {0, 0, 0x08, 0x00, 0x0f, 0xff})) == Numbers{0, 32776, 65535});
  CHECK(decoded(pnm("P5 2 1 4095\n", {0x10, 0x00, 0xff, 0xff})) == Numbers{65535, 65535});
  CHECK(decoded(pnm("P5 4 1 15\n", {0, 1, 14, 15})) == Numbers{0, 4369, 61166, 65535});
}

TEST_CASE("damaged 16-bit images are errors") {
  CHECK(luminance(pnm("P5 3 1 65535\n", {0, 1, 1, 0, 0xff}), 2).error().message ==
        "the file is cut short");
  const Data whole = png(4, 16, 1, {1, 2, 3, 4});
  for (std::size_t size = 8; size < whole.size() - 20; size += 3)
    CHECK_FALSE(luminance(std::span(whole).first(size), 2).ok());
}

TEST_CASE("load_samples reads an image by path and cuts it to the requested number of pixels") {
  const TemporaryFolder folder;
  Data file = png(3, 16, 1, {1, 2, 3, 4, 5, 6});
  if (file.size() % 2 == 0) file.push_back(0);
  const std::string path = folder.file("picture.raw", file);
  CHECK(numbers_of(*load_samples(path, std::nullopt, 1, 2)) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(numbers_of(*load_samples(path, 2, 1, 2)) == Numbers{1, 2});
  CHECK(load_samples(path, 7, 1, 2)
            .error()
            .message.starts_with(
                "\"" + path +
                "\" has 6 pixels, but a length of 7 was asked for. Ask for at most 6,"));
}

}  // namespace
}  // namespace histolab::datasets
