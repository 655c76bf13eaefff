#include "datasets/stb.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "datasets/generators.h"

// Static, so that another part of a program can have its own stb. Without SIMD, a JPEG has the same
// pixels on every machine.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
// A JPEG may use a Huffman table that it does not define. stb_image 2.27 (in Debian 12) then
// follows uninitialized memory; later versions zero it. calloc avoids that.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#include <stb_image.h>

namespace histolab::datasets {
namespace {

// Returns false if stb could find a Huffman table with more than 256 codes. stb_image 2.27 trusts
// the table's 16 code counts and would write beyond the table; later versions reject it. This
// function finds markers like stb: it skips segments by their length up to the first scan, and then
// accepts any marker.
bool sound_huffman_tables(std::span<const std::uint8_t> file) {
  constexpr std::uint8_t tables = 0xc4, scan = 0xda;
  const auto byte = [&](std::size_t at) { return at < file.size() ? file[at] : std::uint8_t{0}; };
  const auto sound = [&](std::size_t first, std::size_t end) {
    for (std::size_t at = first; at < end;) {  // stb also reads a table that overruns the segment
      std::size_t codes = 0;
      for (std::size_t i = 1; i <= 16; ++i) codes += byte(at + i);
      if (codes > 256) return false;
      at += 17 + codes;
    }
    return true;
  };
  bool scanning = false;
  for (std::size_t at = 2; at + 4 <= file.size();) {
    if (file[at] != 0xff || file[at + 1] == 0xff) {
      ++at;
      continue;
    }
    const std::uint8_t marker = file[at + 1];
    const std::size_t length = std::size_t{file[at + 2]} << 8 | file[at + 3];
    if (marker == tables && !sound(at + 4, at + 2 + length)) return false;
    scanning = scanning || marker == scan;
    at += scanning ? 2 : 2 + std::max<std::size_t>(length, 2);
  }
  return true;
}

// Returns false if a pixel chunk of a PNG claims more bytes than the file has. stb_image would
// allocate twice the claimed size before it checks.
bool holds_its_pixel_chunks(std::span<const std::uint8_t> file) {
  constexpr std::uint32_t pixels = 'I' << 24 | 'D' << 16 | 'A' << 8 | 'T';
  constexpr std::size_t signature = 8, head = 8, checksum = 4;
  const auto word = [&](std::size_t at) {
    return std::uint32_t{file[at]} << 24 | std::uint32_t{file[at + 1]} << 16 |
           std::uint32_t{file[at + 2]} << 8 | file[at + 3];
  };
  for (std::size_t at = signature; at + head <= file.size();) {
    const std::size_t length = word(at);
    if (word(at + 4) == pixels && length > file.size() - at - head) return false;
    at += head + length + checksum;
  }
  return true;
}

// Returns false if a JPEG claims more pixels than its bytes can encode: each block of 64 pixels
// needs at least one bit, for its mean. stb_image would make up the missing pixels, however many
// there are.
bool may_hold_its_pixels(std::span<const std::uint8_t> jpeg) {
  int width = 0, height = 0, channels = 0;
  // If stb cannot read the header, decoding fails later with stb's reason.
  if (stbi_info_from_memory(jpeg.data(), static_cast<int>(jpeg.size()), &width, &height,
                            &channels) == 0)
    return true;
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) <=
         64 * 8 * jpeg.size();
}

struct Freed {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};
template <class Sample>
using Pixels = std::unique_ptr<Sample[], Freed>;

}  // namespace

Result<std::vector<std::uint8_t>> decode_with_stb(std::span<const std::uint8_t> file,
                                                  std::uint32_t element_bytes) {
  if (file.size() > std::numeric_limits<int>::max())
    return Error{"a file of this format may have 2 GiB at most"};
  const bool is_jpeg = file.size() >= 2 && file[0] == 0xff,
             is_png = file.size() >= 2 && file[0] == 0x89;
  if (is_jpeg && !sound_huffman_tables(file)) return Error{"bad Huffman table"};
  if ((is_png && !holds_its_pixel_chunks(file)) || (is_jpeg && !may_hold_its_pixels(file)))
    return Error{"the file is cut short"};
  const int size = static_cast<int>(file.size());
  int width = 0, height = 0, channels = 0;
  const auto count = [&] {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  };
  if (element_bytes == 1) {
    const Pixels<stbi_uc> pixels(
        stbi_load_from_memory(file.data(), size, &width, &height, &channels, 1));
    if (!pixels) return Error{stbi_failure_reason()};
    return std::vector<std::uint8_t>(pixels.get(), pixels.get() + count());
  }
  const Pixels<stbi_us> pixels(
      stbi_load_16_from_memory(file.data(), size, &width, &height, &channels, 1));
  if (!pixels) return Error{stbi_failure_reason()};
  std::vector<std::uint8_t> bytes(2 * count());
  const Samples samples{bytes};
  for (std::size_t i = 0; i < samples.size(); ++i) samples.set(i, pixels[i]);
  return bytes;
}

}  // namespace histolab::datasets
