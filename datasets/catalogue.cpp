#include "datasets/datasets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/generators.h"
#include "datasets/limits.h"

namespace histolab::datasets {
namespace {

constexpr std::string_view hot = "hot:", typed = "text:";

struct Generator {
  std::string name, description;
  void (*fill)(Bytes out, std::uint64_t seed);
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      {"uniform-letters", "a-z, each letter equally often", fill_uniform_letters},
      {"english", "words and sentences with the letter frequencies of English", fill_english},
      {"constant", "the letter m only: all threads want one bin", fill_constant},
      {"runs", "runs of one letter, 2048 long on average", fill_runs},
      {"sorted", "uniform-letters in ascending order", fill_sorted},
      {"bytes", "all 256 byte values, each equally often", fill_bytes},
      {"zipf", "256 byte values, the k-th most frequent in proportion to k^-1.2", fill_zipf},
      {"two-bins", "m and M at random: two bins of 256 that share a memory bank", fill_two_bins},
      {"mixed", "letters among capitals, digits, `, {, and bytes of 128 and more", fill_mixed},
      {"book", "\"programming massively parallel processors\", repeated", fill_book},
  };
  return all;
}

using Fill = std::function<void(Bytes out, std::uint64_t seed)>;

Result<Fill> fill_of(std::string_view name) {
  if (is_hot(name)) {
    const std::optional<Percent> percent = percent_from(name.substr(hot.size()));
    if (!percent)
      return Error{fmt::format("\"{}\" is no dataset: write a percentage from 0 to 100 after hot:, with at most six "
                               "decimals, such as hot:50 or hot:99.9.",
                               name)};
    return Fill{[share = *percent](Bytes out, std::uint64_t seed) { fill_hot(out, seed, share); }};
  }
  if (const std::optional<std::string_view> text = typed_text(name)) {
    if (text->empty()) return Error{"There is nothing after text: to be counted. Write for example text:hello."};
    return Fill{[words = std::string{*text}](Bytes out, std::uint64_t) { fill_text(out, words); }};
  }
  for (const auto& generator : generators())
    if (generator.name == name) return Fill{generator.fill};
  return Error{fmt::format("There is no dataset \"{}\". Choose one of: {}.", name, names_of_catalogue())};
}

}  // namespace

const std::vector<Dataset>& catalogue() {
  static const std::vector<Dataset> all = [] {
    std::vector<Dataset> datasets;
    for (const auto& [name, description, fill] : generators()) datasets.push_back({name, description, name});
    datasets.push_back({"hot:P", "m for P percent of the elements, any letter otherwise", "hot:90"});
    datasets.push_back({"text:WORDS", "what stands after the colon, repeated", "text:to be or not to be"});
    return datasets;
  }();
  return all;
}

bool is_generator(std::string_view name) { return fill_of(name).ok(); }

bool is_hot(std::string_view name) { return name.starts_with(hot); }

std::optional<std::string_view> typed_text(std::string_view name) {
  if (!name.starts_with(typed)) return {};
  return name.substr(typed.size());
}

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
  const Result<Fill> fill = fill_of(name);
  if (!fill) return fill.error();
  if (length > max_length) return Error{too_long(length)};
  try {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length));
    (*fill)(bytes, seed);
    return bytes;
  } catch (const std::bad_alloc&) {
    return Error{out_of_memory(length)};
  }
}

}  // namespace histolab::datasets
