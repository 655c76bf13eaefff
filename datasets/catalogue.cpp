#include "datasets/datasets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>

#include "datasets/generators.h"
#include "datasets/limits.h"

namespace histolab::datasets {
namespace {

struct Generator {
  Dataset dataset;
  void (*fill)(Bytes out, std::uint64_t seed);
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      {{"uniform-letters", "a-z, each letter equally often"}, fill_uniform_letters},
      {{"english", "words and sentences with the letter frequencies of English"}, fill_english},
      {{"constant", "the letter m only: all threads want one bin"}, fill_constant},
      {{"runs", "runs of one letter, 2048 long on average"}, fill_runs},
      {{"sorted", "uniform-letters in ascending order"}, fill_sorted},
      {{"bytes", "all 256 byte values, each equally often"}, fill_bytes},
      {{"zipf", "256 byte values, the k-th most frequent in proportion to k^-1.2"}, fill_zipf},
      {{"two-bins", "m and M at random: two bins of 256 that share a memory bank"}, fill_two_bins},
      {{"mixed", "letters among capitals, digits, `, {, and bytes of 128 and more"}, fill_mixed},
      {{"book", "\"programming massively parallel processors\", repeated"}, fill_book},
  };
  return all;
}

const Generator* find(std::string_view name) {
  for (const auto& generator : generators())
    if (generator.dataset.name == name) return &generator;
  return nullptr;
}

}  // namespace

const std::vector<Dataset>& catalogue() {
  static const std::vector<Dataset> all = [] {
    std::vector<Dataset> datasets;
    for (const auto& generator : generators()) datasets.push_back(generator.dataset);
    return datasets;
  }();
  return all;
}

bool is_generator(std::string_view name) { return find(name) != nullptr; }

std::string too_long(std::uint64_t length) {
  return fmt::format("A length of {} is too long: a kernel takes an unsigned int. Ask for at most {}.", length,
                     max_length);
}

std::string out_of_memory(std::uint64_t bytes) {
  return fmt::format("This machine has no memory for {} bytes of data. Ask for a smaller length.", bytes);
}

std::string names_of_catalogue() {
  std::string names;
  for (const auto& dataset : catalogue()) names += (names.empty() ? "" : ", ") + dataset.name;
  return names;
}

Result<std::vector<std::uint8_t>> generate(std::string_view name, std::uint64_t length, std::uint64_t seed) {
  const Generator* generator = find(name);
  if (generator == nullptr)
    return Error{fmt::format("There is no dataset \"{}\". Choose one of: {}.", name, names_of_catalogue())};
  if (length > max_length) return Error{too_long(length)};
  try {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length));
    generator->fill(bytes, seed);
    return bytes;
  } catch (const std::bad_alloc&) {
    return Error{out_of_memory(length)};
  }
}

}  // namespace histolab::datasets
