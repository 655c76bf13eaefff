// The interface to stb_image, which decodes PNG, JPEG and BMP. stb_image is compiled with warnings
// off, so it has its own file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// Returns the luminance of each pixel, like luminance() in datasets/image.h. The Error is stb's
// reason or the reason why a check before decoding failed.
[[nodiscard]] Result<std::vector<std::uint8_t>> decode_with_stb(std::span<const std::uint8_t> file,
                                                                std::uint32_t element_bytes);

}  // namespace histolab::datasets
