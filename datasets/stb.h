// The border to stb_image: the calls that decode PNG, JPEG and BMP. Its implementation is compiled without
// warnings, so it has a file of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// The luminance of each pixel, as datasets/image.h says. Error: stb's reason.
[[nodiscard]] Result<std::vector<std::uint8_t>> decode_with_stb(std::span<const std::uint8_t> file,
                                                                std::uint32_t element_bytes);

}  // namespace histolab::datasets
