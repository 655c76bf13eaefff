// Images as data: PNG, JPEG and BMP through stb_image, binary PGM and PPM here (stb neither scales them nor notices
// when one is cut short).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// This many bytes of a file tell what it is.
inline constexpr std::size_t image_header_bytes = 4096;

// "PNG", "JPEG", "BMP", "PGM" or "PPM", by the first bytes of a file and never by its name. nullopt: no image that we
// can read, so the file is taken byte for byte (GIF, WebP and TIFF too).
[[nodiscard]] std::optional<std::string_view> image_format(std::span<const std::uint8_t> head);

// One element per pixel, of `element_bytes` (1, or 2: little-endian), row by row from the top: gray as it is, colour as
// (77 R + 150 G + 29 B) / 256, transparency ignored, samples of another depth scaled (8 bits to 16 by 257). `file` is the
// whole file and image_format knows it. Error: only the reason, such as "the file is cut short"; the caller knows the path.
[[nodiscard]] Result<std::vector<std::uint8_t>> luminance(std::span<const std::uint8_t> file,
                                                          std::uint32_t element_bytes = 1);

}  // namespace histolab::datasets
