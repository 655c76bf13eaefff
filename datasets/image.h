// Images as data. stb_image decodes PNG, JPEG and BMP. Binary PGM and PPM are decoded here: stb
// does not scale them and does not detect truncated files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// The number of bytes of a file that suffice to detect its format.
inline constexpr std::size_t image_header_bytes = 4096;

// Returns "PNG", "JPEG", "BMP", "PGM" or "PPM" by the first bytes of a file; the name has no
// influence. Returns nullopt for other formats, such as GIF, WebP and TIFF: the caller then uses
// the file byte for byte.
[[nodiscard]] std::optional<std::string_view> image_format(std::span<const std::uint8_t> head);

// Returns one element per pixel, row by row from the top. An element has `element_bytes` bytes, 1
// or 2 (little-endian). Gray values are unchanged; colour becomes (77 R + 150 G + 29 B) / 256.
// Transparency is ignored. Samples of another depth are scaled (8 bits to 16 by 257). `file` is a
// whole file with a format that image_format() knows. The Error is only the reason, such as "the
// file is cut short"; the caller adds the path.
[[nodiscard]] Result<std::vector<std::uint8_t>> luminance(std::span<const std::uint8_t> file,
                                                          std::uint32_t element_bytes = 1);

}  // namespace histolab::datasets
