// Datasets: what goes into a kernel, by name.
//
// A generator's bytes are a pure function of (name, length, seed, element_bytes): the same on every machine, compiler and
// run, because they come from integer arithmetic alone. Elements have 1 byte or 2, little-endian (`const unsigned short*`);
// catalogue() says which of them a dataset has. Names: uniform-letters, english, constant, runs, sorted, bytes, values, zipf,
// two-bins, mixed, image, sensor, book, hot:P with a percentage such as 90 or 99.9 for P, and text:WORDS;
// datasets/generators.h says what each holds. Anything else is a path (so ./book is a file): an image (by its content: PNG,
// JPEG, BMP, binary PGM or PPM; its luminance of 8 or 16 bits, row by row) or any other file, taken byte for byte. A length
// counts elements and is at most 2^32 - 1, what a kernel's unsigned int can say; more is an error, and so is too little
// memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// Raised whenever a seed gives other data or other cases than before. 1: SplitMix64; 2: ChaCha8,
// cases are drawn.
inline constexpr std::uint32_t data_version = 2;

struct Dataset {
  std::string name;         // of the catalogue; "hot:P" stands for all of that family
  std::string description;  // one line for `histolab data`, helps and docs
  std::string example;      // a name that can be generated: the name itself, of a family one of them
  std::vector<std::uint32_t> element_bytes;  // {1}, {2} or {1, 2}: the widths that it can be generated in

  [[nodiscard]] bool has_width(std::uint32_t bytes) const;
};

// In the order in which they are listed to a user.
[[nodiscard]] const std::vector<Dataset>& catalogue();
[[nodiscard]] bool is_generator(std::string_view name);
// Whether a name begins with "hot:", rightly written or not; it is never taken for a file's.
[[nodiscard]] bool is_hot(std::string_view name);
// The WORDS of "text:WORDS"; nullopt: it is another name.
[[nodiscard]] std::optional<std::string_view> typed_text(std::string_view name);

// `length` elements of a catalogue's dataset, length * element_bytes bytes. `book` and `text:` repeat their text when more
// is asked than they have. Error: no such name (the message lists the names), hot: with what is no percentage, text: with
// nothing (it says what to write), a width that the dataset does not have (it lists those that have it).
[[nodiscard]] Result<std::vector<std::uint8_t>> generate_samples(std::string_view name, std::uint64_t length,
                                                                 std::uint64_t seed, std::uint32_t element_bytes);
// The same with elements of 1 byte.
[[nodiscard]] Result<std::vector<std::uint8_t>> generate(std::string_view name, std::uint64_t length,
                                                         std::uint64_t seed);

// A generator by name or a file by path. Length defaults to the whole file, to the whole text of `book` and `text:`, and to
// 1 Mi for any other generator; a longer length than a file has is an error that says how long it is, and so is an odd
// number of bytes where 16-bit samples are asked for.
[[nodiscard]] Result<std::vector<std::uint8_t>> load_samples(const std::string& name_or_path,
                                                             std::optional<std::uint64_t> length, std::uint64_t seed,
                                                             std::uint32_t element_bytes);

}  // namespace histolab::datasets
