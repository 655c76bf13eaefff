#include "datasets/image.h"

#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

#include "datasets/datasets.h"
#include "datasets/testing/test_files.h"

namespace histolab::datasets {
namespace {

using Data = std::vector<std::uint8_t>;

// 5 x 3 pixels, all different.
constexpr int width = 5, height = 3;
Data gray_pixels() {
  Data pixels;
  for (int i = 0; i < width * height; ++i) pixels.push_back(static_cast<std::uint8_t>(17 * i));
  return pixels;
}

Data colour_pixels() {
  Data pixels;
  for (int i = 0; i < width * height * 3; ++i)
    pixels.push_back(static_cast<std::uint8_t>(97 * i + 31));
  return pixels;
}

Data luminance_of(const Data& rgb) {
  Data gray;
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    gray.push_back(
        static_cast<std::uint8_t>((77 * rgb[i] + 150 * rgb[i + 1] + 29 * rgb[i + 2]) / 256));
  return gray;
}

void append(void* file, void* bytes, int size) {
  auto* begin = static_cast<std::uint8_t*>(bytes);
  static_cast<Data*>(file)->insert(static_cast<Data*>(file)->end(), begin, begin + size);
}

Data png(const Data& pixels, int channels) {
  Data file;
  REQUIRE(stbi_write_png_to_func(append, &file, width, height, channels, pixels.data(),
                                 width * channels) != 0);
  return file;
}

Data bmp(const Data& pixels, int channels) {
  Data file;
  REQUIRE(stbi_write_bmp_to_func(append, &file, width, height, channels, pixels.data()) != 0);
  return file;
}

Data jpeg(const Data& pixels, int channels) {
  Data file;
  REQUIRE(stbi_write_jpg_to_func(append, &file, width, height, channels, pixels.data(), 100) != 0);
  return file;
}

Data decoded(const Data& file) {
  auto pixels = luminance(file);
  REQUIRE_MESSAGE(pixels.ok(), (pixels.ok() ? "" : pixels.error().message));
  return std::move(pixels).value();
}

TEST_CASE("image_format detects the format from the content") {
  CHECK(image_format(png(gray_pixels(), 1)) == "PNG");
  CHECK(image_format(jpeg(colour_pixels(), 3)) == "JPEG");
  CHECK(image_format(bmp(colour_pixels(), 3)) == "BMP");
  CHECK(image_format(pnm("P5 5 3 255\n", gray_pixels())) == "PGM");
  CHECK(image_format(pnm("P6\n5 3\n255\n", colour_pixels())) == "PPM");
}

TEST_CASE("text that begins like an image header is not detected as an image") {
  for (const char* text : {"",
                           "B",
                           "BM",
                           "BMW builds cars, and this sentence is long enough for a header",
                           "P5",
                           "P5 ",
                           "P6\n",
                           "P5 is a label",
                           "P5 12 apples",
                           "P5 1 2",
                           "P5 1 2 255",
                           "P5 0 3 255\n",
                           "P5 5 3 65536\n",
                           "P5 5 3 255x",
                           "P555 3 255\n",
                           "P2 1 1 255\n7\n",
                           "P5 99999999999999999999 1 255\n",
                           "P5 # no end",
                           "\x89PNG",
                           "GIF89a",
                           "RIFF"}) {
    CAPTURE(text);
    CHECK_FALSE(image_format(bytes_of(text)).has_value());
  }
}

TEST_CASE("gray images keep their samples, row by row from the top") {
  CHECK(decoded(png(gray_pixels(), 1)) == gray_pixels());
  CHECK(decoded(pnm("P5 5 3 255\n", gray_pixels())) == gray_pixels());
  CHECK(decoded(pnm("P5 # a comment\n# and one more\n5\t3\r\n255 ", gray_pixels())) ==
        gray_pixels());
}

TEST_CASE("colour is converted to the same luminance in every format") {
  const Data expected = luminance_of(colour_pixels());
  CHECK(decoded(png(colour_pixels(), 3)) == expected);
  CHECK(decoded(bmp(colour_pixels(), 3)) == expected);
  CHECK(decoded(pnm("P6 5 3 255\n", colour_pixels())) == expected);
}

TEST_CASE("transparency is ignored") {
  Data rgba;
  const Data rgb = colour_pixels();
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    rgba.insert(rgba.end(), {rgb[i], rgb[i + 1], rgb[i + 2], static_cast<std::uint8_t>(i)});
  CHECK(decoded(png(rgba, 4)) == luminance_of(rgb));
}

TEST_CASE("JPEG samples are close to the encoded pixels") {
  const Data flat(width * height, 200);
  const Data got = decoded(jpeg(flat, 1));
  REQUIRE(got.size() == flat.size());
  for (const std::uint8_t pixel : got) CHECK(std::abs(pixel - 200) <= 2);
}

TEST_CASE("PGM with another maximum is scaled to 8 bits") {
  CHECK(decoded(pnm("P5 4 1 15\n", {0, 1, 14, 15})) == Data{0, 17, 238, 255});
  CHECK(decoded(pnm("P5 3 1 1\n", {0, 1, 9})) == Data{0, 255, 255});
  CHECK(decoded(pnm("P5 3 1 65535\n", {0, 0, 0x80, 0x80, 0xff, 0xff})) == Data{0, 128, 255});
  CHECK(decoded(pnm("P6 1 1 65535\n", {0xff, 0xff, 0, 0, 0, 0})) == Data{76});
}

TEST_CASE("bytes after the samples are ignored") {
  Data file = pnm("P5 5 3 255\n", gray_pixels());
  file.push_back(1);
  CHECK(decoded(file) == gray_pixels());
}

TEST_CASE("damaged images are errors") {
  Data short_pgm = pnm("P5 5 3 255\n", gray_pixels());
  short_pgm.pop_back();
  CHECK(luminance(short_pgm).error().message == "the file is cut short");
  CHECK_FALSE(luminance(pnm("P6 1073741824 1073741824 65535\n", colour_pixels())).ok());
  const Data whole = png(gray_pixels(), 1);
  for (std::size_t size = 8; size < whole.size() - 20; size += 5)
    CHECK_FALSE(luminance(std::span(whole).first(size)).ok());
  CHECK_FALSE(luminance(bytes_of("\xff\xd8\xff and no more")).ok());
}

// Found by mutating images: such a table made the decoder write beyond its own table.
TEST_CASE("a JPEG whose Huffman table has more codes than there are is an error") {
  Data file = jpeg(gray_pixels(), 1);
  bool broken = false;
  for (std::size_t i = 0; i + 8 < file.size() && !broken; ++i)
    if (file[i] == 0xff && file[i + 1] == 0xc4) {
      file[i + 5] = file[i + 6] = 255;
      broken = true;
    }
  REQUIRE(broken);
  CHECK(luminance(file).error().message == "bad Huffman table");
}

// Found by fuzzing: for such a scan, the decoder read its own uninitialized memory.
TEST_CASE("a JPEG with undefined Huffman tables decodes the same whatever was in memory before") {
  Data file = jpeg(colour_pixels(), 3);
  for (std::size_t i = 0; i + 4 < file.size(); ++i)
    if (file[i] == 0xff && file[i + 1] == 0xc4) file[i + 1] = 0xfe;  // now a comment
  std::vector<std::string> said;
  for (const int fill : {1, 0x5a, 0xff}) {
    mallopt(M_PERTURB, fill);  // fills new memory with the complement
    auto pixels = luminance(file);
    said.push_back(pixels.ok() ? std::string(pixels.value().begin(), pixels.value().end())
                               : pixels.error().message);
  }
  mallopt(M_PERTURB, 0);
  CHECK(said == std::vector(3, said[2]));
}

TEST_CASE("load reads an image by path, whatever its name, and cuts it to the requested length") {
  const TemporaryFolder folder;
  const std::string path = folder.file("picture.txt", png(gray_pixels(), 1));
  CHECK(*load(path, std::nullopt, 1) == gray_pixels());
  const auto some = load(path, 4, 1);
  CHECK(*some == Data{0, 17, 34, 51});
  CHECK(load(path, 16, 1).error().message ==
        "\"" + path +
            "\" has 15 pixels, but a length of 16 was asked for. Ask for at most "
            "15, or leave the length out to take all.");
}

TEST_CASE("load names the format of a damaged image and suggests saving it again") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.pgm", "P5 5 3 255\nonly this");
  CHECK(load(path, std::nullopt, 1).error().message ==
        "\"" + path +
            "\" begins like a PGM image but cannot be decoded: the file is cut "
            "short. Save it again as PNG or binary PGM.");
}

TEST_CASE("a BMP shorter than its pixel data is cut short, however many pixels its header claims") {
  const Data whole = bmp(colour_pixels(), 3);
  CHECK(luminance(whole).ok());
  for (std::size_t length = 18; length < whole.size(); ++length)
    CHECK_FALSE(luminance(std::span(whole).first(length)).ok());
  Data many = whole;
  many[20] = 0x8b;  // a byte of the width
  CHECK_FALSE(luminance(many).ok());
}

TEST_CASE(
    "a JPEG too short for its claimed pixels is cut short; a small file of one colour decodes") {
  const Data whole = jpeg(gray_pixels(), 1);
  Data many = whole;
  constexpr std::array<std::uint8_t, 2> of_frame = {0xff, 0xc0};
  const auto frame =
      std::search(many.begin(), many.end(), std::begin(of_frame), std::end(of_frame));
  REQUIRE(frame != many.end());
  frame[5] = 0x40;
  frame[7] = 0x40;  // 16 384 rows of 16 384 pixels
  CHECK(luminance(many).error().message == "the file is cut short");
  constexpr int side = 512;
  Data file;
  REQUIRE(stbi_write_jpg_to_func(append, &file, side, side, 1, Data(side * side, 128).data(), 1) !=
          0);
  CHECK(file.size() < side * side / 50);
  CHECK(luminance(file).value() == Data(side * side, 128));
}

TEST_CASE("a PNG that ends within its pixel data is an error, also if a chunk claims 889 MB") {
  Data file = png(gray_pixels(), 1);
  constexpr std::size_t of_first_chunk_of_pixels = 8 + 25;
  REQUIRE(std::string(file.begin() + of_first_chunk_of_pixels + 4,
                      file.begin() + of_first_chunk_of_pixels + 8) == "IDAT");
  file[of_first_chunk_of_pixels] = 0x35;  // 889 million bytes
  CHECK(luminance(file).error().message == "the file is cut short");
  for (std::size_t length = 40; length < file.size(); ++length)
    CHECK_FALSE(luminance(std::span(file).first(length)).ok());
}

}  // namespace
}  // namespace histolab::datasets
