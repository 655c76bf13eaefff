#include "datasets/image.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "datasets/generators.h"
#include "datasets/stb.h"

namespace histolab::datasets {
namespace {

using View = std::span<const std::uint8_t>;

bool begins_with(View head, std::string_view magic) {
  return head.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), head.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

// Many texts begin with "BM". So the reserved words must also be zero, and the second header must
// have a known size.
bool is_bmp(View head) {
  static constexpr std::array<std::uint8_t, 7> header_sizes = {12, 40, 52, 56, 64, 108, 124};
  return begins_with(head, "BM") && head.size() >= 18 &&
         std::all_of(head.begin() + 6, head.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
         std::find(header_sizes.begin(), header_sizes.end(), head[14]) != header_sizes.end() &&
         std::all_of(head.begin() + 15, head.begin() + 18, [](std::uint8_t b) { return b == 0; });
}

// stb replaces missing data at the end of a BMP by zeros. So a file of eighty bytes could claim a
// gigabyte of pixels.
bool is_cut_short_bmp(View file) {
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes && at + i < file.size(); ++i)
      value |= std::uint32_t{file[at + i]} << 8 * i;
    return std::uint64_t{value};
  };
  const bool old = file[14] == 12;
  const std::uint64_t width = number(18, old ? 2 : 4), height = old ? number(20, 2) : number(22, 4),
                      bits = number(old ? 24 : 28, 2);
  // A negative height means that the rows begin at the top.
  const std::uint64_t rows = height >> 31 != 0 ? (std::uint64_t{1} << 32) - height : height;
  const std::uint64_t begin = number(10, 4), of_row = (width * bits + 31) / 32 * 4;
  return begin > file.size() || (of_row != 0 && rows > (file.size() - begin) / of_row);
}

// Binary PGM (P5) and PPM (P6): "P5 width height maximum", separated by white space and comments,
// then one white-space character and the samples.
struct Pnm {
  std::size_t samples_per_pixel;
  std::uint64_t width, height;
  std::uint32_t maximum;
  std::size_t data;  // offset of the samples, in bytes
};

std::optional<Pnm> parse_pnm(View head) {
  if (!begins_with(head, "P5") && !begins_with(head, "P6")) return std::nullopt;
  std::size_t at = 2;
  const auto number = [&](std::uint64_t limit) -> std::optional<std::uint64_t> {
    const std::size_t before = at;
    for (; at < head.size() && (std::isspace(head[at]) != 0 || head[at] == '#'); ++at)
      if (head[at] == '#')
        while (at + 1 < head.size() && head[at] != '\n') ++at;
    if (at == before) return std::nullopt;
    std::uint64_t value = 0;
    const std::size_t digits = at;
    for (; at < head.size() && std::isdigit(head[at]) != 0; ++at) {
      value = 10 * value + (head[at] - std::uint64_t{'0'});
      if (value > limit) return std::nullopt;
    }
    if (at == digits || value == 0) return std::nullopt;
    return value;
  };
  constexpr std::uint64_t longest = 1u << 30;
  const auto width = number(longest), height = width ? number(longest) : std::nullopt;
  const auto maximum = height ? number(65535) : std::nullopt;
  if (!maximum || at >= head.size() || std::isspace(head[at]) == 0) return std::nullopt;
  return Pnm{head[1] == '6' ? std::size_t{3} : std::size_t{1}, *width, *height,
             static_cast<std::uint32_t>(*maximum), at + 1};
}

Result<std::vector<std::uint8_t>> decode_pnm(View file, const Pnm& image,
                                             std::uint32_t element_bytes) {
  const std::size_t sample_bytes = image.maximum > 255 ? 2 : 1;
  const std::uint64_t pixels = image.width * image.height;
  const View samples = file.subspan(image.data);
  if (pixels > samples.size() / (sample_bytes * image.samples_per_pixel))
    return Error{"the file is cut short"};

  const std::uint32_t white = element_bytes == 1 ? 255 : 65535;
  const auto sample = [&](std::uint64_t i) {
    const std::uint32_t value = sample_bytes == 2
                                    ? (std::uint32_t{samples[2 * i]} << 8) + samples[2 * i + 1]
                                    : std::uint32_t{samples[i]};
    return (std::min(value, image.maximum) * white + image.maximum / 2) / image.maximum;
  };
  const auto gray = [&](std::uint64_t i) {
    return image.samples_per_pixel == 1
               ? sample(i)
               : (77 * sample(3 * i) + 150 * sample(3 * i + 1) + 29 * sample(3 * i + 2)) >> 8;
  };
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(pixels * element_bytes));
  if (element_bytes == 1)
    for (std::uint64_t i = 0; i < pixels; ++i) bytes[i] = static_cast<std::uint8_t>(gray(i));
  else
    for (std::uint64_t i = 0; i < pixels; ++i) Samples{bytes}.set(i, gray(i));
  return bytes;
}

}  // namespace

std::optional<std::string_view> image_format(View head) {
  if (begins_with(head, "\x89PNG\r\n\x1a\n")) return "PNG";
  if (begins_with(head, "\xff\xd8\xff")) return "JPEG";
  if (is_bmp(head)) return "BMP";
  if (parse_pnm(head.first(std::min(head.size(), image_header_bytes))))
    return head[1] == '6' ? "PPM" : "PGM";
  return std::nullopt;
}

Result<std::vector<std::uint8_t>> luminance(View file, std::uint32_t element_bytes) {
  if (const auto pnm = parse_pnm(file.first(std::min(file.size(), image_header_bytes))))
    return decode_pnm(file, *pnm, element_bytes);
  if (is_bmp(file) && is_cut_short_bmp(file)) return Error{"the file is cut short"};
  return decode_with_stb(file, element_bytes);
}

}  // namespace histolab::datasets
