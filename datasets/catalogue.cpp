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

// The function is null if the dataset does not have the width.
struct Generator {
  std::string name, description;
  void (*fill)(Bytes out, std::uint64_t seed);
  void (*fill_16)(Samples out, std::uint64_t seed) = nullptr;
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      {"uniform-letters", "a-z, each letter equally often", fill_uniform_letters},
      {"english", "words and sentences with the letter frequencies of English", fill_english},
      {"constant", "one letter only: all threads update one bin", fill_constant, fill_constant},
      {"runs", "runs of one letter or value, 2048 long on average", fill_runs, fill_runs},
      {"sorted", "letters or values, each equally often, in ascending order", fill_sorted,
       fill_sorted},
      {"bytes", "all 256 byte values, each equally often", fill_bytes},
      {"values", "all values that an element can have, each equally often", fill_bytes,
       fill_values},
      {"zipf", "any value: a few very frequent, most rare (Zipf's law)", fill_zipf, fill_zipf},
      {"two-bins", "m and M at random: two bins of 256 that share a bank", fill_two_bins},
      {"mixed", "letters among capitals, digits, `, {, bytes from 128 up", fill_mixed},
      {"image", "a computed picture of 1024 x 1024 pixels", fill_image, fill_image},
      {"sensor", "12-bit detector samples: drifting baseline, noise, pulses", nullptr, fill_sensor},
      {"book", "\"programming massively parallel processors\", repeated", fill_book},
  };
  return all;
}

// The functions that make a dataset, by width; empty if the dataset does not have the width.
struct Fill {
  std::function<void(Bytes out, std::uint64_t seed)> bytes = nullptr;
  std::function<void(Samples out, std::uint64_t seed)> samples = nullptr;

  [[nodiscard]] std::vector<std::uint32_t> widths() const {
    std::vector<std::uint32_t> all;
    if (bytes) all.push_back(1);
    if (samples) all.push_back(2);
    return all;
  }
};

Result<Fill> fill_of(std::string_view name) {
  if (is_hot(name)) {
    const std::optional<Percent> percent = percent_from(name.substr(hot.size()));
    if (!percent)
      return Error{fmt::format(
          "\"{}\" is no dataset: write a percentage from 0 to 100 after hot:, with at most six "
          "decimals, such as hot:50 or hot:99.9.",
          name)};
    return Fill{
        [share = *percent](Bytes out, std::uint64_t seed) { fill_hot(out, seed, share); },
        [share = *percent](Samples out, std::uint64_t seed) { fill_hot(out, seed, share); }};
  }
  if (const std::optional<std::string_view> text = typed_text(name)) {
    if (text->empty())
      return Error{"There is nothing after text: to be counted. Write for example text:hello."};
    return Fill{[words = std::string{*text}](Bytes out, std::uint64_t) { fill_text(out, words); },
                nullptr};
  }
  for (const auto& generator : generators())
    if (generator.name == name) return Fill{generator.fill, generator.fill_16};
  return Error{
      fmt::format("There is no dataset \"{}\". Choose one of: {}.", name, names_of_catalogue())};
}

Error no_such_width(std::string_view name, std::uint32_t element_bytes) {
  std::string others;
  for (const Dataset& dataset : catalogue())
    if (dataset.has_width(element_bytes)) others += (others.empty() ? "" : ", ") + dataset.name;
  return {fmt::format("The dataset \"{}\" has no elements of {}. Choose one that has: {}.", name,
                      bytes_of(element_bytes), others)};
}

}  // namespace

bool Dataset::has_width(std::uint32_t bytes) const {
  return std::find(element_bytes.begin(), element_bytes.end(), bytes) != element_bytes.end();
}

const std::vector<Dataset>& catalogue() {
  static const std::vector<Dataset> all = [] {
    std::vector<Dataset> datasets;
    for (const auto& generator : generators())
      datasets.push_back({generator.name, generator.description, generator.name, {}});
    datasets.push_back(
        {"hot:P", "m for P percent of the elements, else any letter or value", "hot:90", {}});
    datasets.push_back(
        {"text:WORDS", "the text after the colon, repeated", "text:to be or not to be", {}});
    for (Dataset& dataset : datasets) dataset.element_bytes = fill_of(dataset.example)->widths();
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

std::string bytes_of(std::uint32_t element_bytes) {
  return fmt::format("{} byte{}", element_bytes, element_bytes == 1 ? "" : "s");
}

Status check_width(std::uint32_t element_bytes) {
  if (element_bytes == 1 || element_bytes == 2) return Done{};
  return Error{fmt::format("There are no elements of {} bytes. Ask for 1 or 2.", element_bytes)};
}

std::string too_long(std::uint64_t length) {
  return fmt::format(
      "A length of {} is too long: a kernel takes an unsigned int. Ask for at most {}.", length,
      max_length);
}

std::string out_of_memory(std::uint64_t bytes) {
  return fmt::format("This machine has no memory for {} bytes of data. Ask for a smaller length.",
                     bytes);
}

std::string names_of_catalogue() {
  std::string names;
  for (const auto& dataset : catalogue()) names += (names.empty() ? "" : ", ") + dataset.name;
  return names;
}

Result<std::vector<std::uint8_t>> generate_samples(std::string_view name, std::uint64_t length,
                                                   std::uint64_t seed,
                                                   std::uint32_t element_bytes) {
  TRY(check_width(element_bytes));
  const Fill fill = TRY(fill_of(name));
  if (element_bytes == 1 ? !fill.bytes : !fill.samples) return no_such_width(name, element_bytes);
  if (length > max_length) return Error{too_long(length)};
  try {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length * element_bytes));
    if (element_bytes == 1)
      fill.bytes(bytes, seed);
    else
      fill.samples(Samples{bytes}, seed);
    return bytes;
  } catch (const std::bad_alloc&) {
    return Error{out_of_memory(length * element_bytes)};
  }
}

Result<std::vector<std::uint8_t>> generate(std::string_view name, std::uint64_t length,
                                           std::uint64_t seed) {
  return generate_samples(name, length, seed, 1);
}

}  // namespace histolab::datasets
