// Datasets: the input of a kernel, by name. docs/datasets.md shows each dataset;
// datasets/generators.h defines its content. A generator's bytes are a pure function of (name,
// length, seed, element_bytes). They come from integer arithmetic alone, so they are the same on
// every machine. Elements have 1 byte or 2 (little-endian). A length counts elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// Increased whenever a seed gives different data or different cases than before. Version 1 used
// SplitMix64. Version 2 uses ChaCha8, and cases are drawn.
inline constexpr std::uint32_t data_version = 2;

struct Dataset {
  std::string name;         // in the catalogue; "hot:P" represents the whole family
  std::string description;  // one line for `histolab data`, help texts and docs
  std::string example;      // a name that can be generated: `name`, or a member of the family
  std::vector<std::uint32_t> element_bytes;  // possible widths: {1}, {2} or {1, 2}

  [[nodiscard]] bool has_width(std::uint32_t bytes) const;
};

// Returns all datasets in the order of listings.
[[nodiscard]] const std::vector<Dataset>& catalogue();
// Returns true if generate_samples() accepts the name.
[[nodiscard]] bool is_generator(std::string_view name);
// Returns true if the name begins with "hot:", with or without a valid percentage. Such a name is
// never used as a path.
[[nodiscard]] bool is_hot(std::string_view name);
// Returns the WORDS of "text:WORDS", or nullopt for any other name.
[[nodiscard]] std::optional<std::string_view> typed_text(std::string_view name);

// Returns `length` elements of a dataset, length * element_bytes bytes. `book` and `text:` repeat
// their text if necessary. Returns an Error in these cases:
//  - the name is unknown (the message lists the names);
//  - hot: without a valid percentage, text: without text (the message shows what to write);
//  - the dataset does not have this width (the message lists the datasets that do);
//  - length > 2^32 - 1, the largest unsigned int of a kernel, or not enough memory.
[[nodiscard]] Result<std::vector<std::uint8_t>> generate_samples(std::string_view name,
                                                                 std::uint64_t length,
                                                                 std::uint64_t seed,
                                                                 std::uint32_t element_bytes);
// The same with elements of 1 byte.
[[nodiscard]] Result<std::vector<std::uint8_t>> generate(std::string_view name,
                                                         std::uint64_t length, std::uint64_t seed);

// Loads a generator by name or a file by path. A name that is not a dataset is a path (so ./book is
// a file). An image file, detected by its content (PNG, JPEG, BMP, binary PGM or PPM), gives its
// luminance, 8 or 16 bits per pixel, row by row. Any other file is used byte for byte.
// The default length is the whole file, the whole text of `book` and `text:`, or 1 Mi elements of
// any other generator. Returns an Error in these cases and in those of generate_samples():
//  - the file cannot be read or decoded;
//  - the file is shorter than `length` (the message has its length);
//  - elements have 16 bits and the file has an odd number of bytes.
[[nodiscard]] Result<std::vector<std::uint8_t>> load_samples(const std::string& name_or_path,
                                                             std::optional<std::uint64_t> length,
                                                             std::uint64_t seed,
                                                             std::uint32_t element_bytes);

}  // namespace histolab::datasets
