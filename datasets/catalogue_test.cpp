#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "datasets/datasets.h"
#include "datasets/testing/test_files.h"

namespace histolab::datasets {
namespace {

TEST_CASE("the catalogue has the course's names, in order") {
  std::vector<std::string> names;
  for (const auto& dataset : catalogue()) {
    names.push_back(dataset.name);
    CHECK_FALSE(dataset.description.empty());
    CHECK(dataset.description.find('\n') == std::string::npos);
    CHECK(dataset.description.size() <= 58);  // fits 80 columns with name and widths
  }
  CHECK(names == std::vector<std::string>{"uniform-letters", "english", "constant", "runs",
                                          "sorted", "bytes", "values", "zipf", "two-bins", "mixed",
                                          "image", "sensor", "book", "hot:P", "text:WORDS"});
}

TEST_CASE("is_generator knows the catalogue and nothing else") {
  for (const auto& dataset : catalogue()) CHECK(is_generator(dataset.example));
  for (const char* other : {"", "English", "uniform", "book ", "./book", "two_bins", "hot", "hot:P",
                            "hot:101", "text:", "Text:a"})
    CHECK_FALSE(is_generator(other));
}

TEST_CASE("an unknown name is an error that lists the names") {
  const auto data = generate("englisch", 10, 1);
  REQUIRE_FALSE(data.ok());
  CHECK(data.error().message ==
        "There is no dataset \"englisch\". Choose one of: uniform-letters, english, constant, "
        "runs, sorted, bytes, values, zipf, "
        "two-bins, mixed, image, sensor, book, hot:P, text:WORDS.");
}

TEST_CASE("hot: an invalid percentage is an error that explains the syntax, also when loading") {
  const std::string message =
      "\"hot:fifty\" is no dataset: write a percentage from 0 to 100 after hot:, with at most six "
      "decimals, such as hot:50 "
      "or hot:99.9.";
  const auto data = generate("hot:fifty", 10, 1), loaded = load("hot:fifty", std::nullopt, 1);
  REQUIRE_FALSE(data.ok());
  CHECK(data.error().message == message);
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().message == message);
}

TEST_CASE("text: generates the text after the colon, repeated or cut to the requested length") {
  const auto text = [](const char* name, std::optional<std::uint64_t> length) {
    const auto data = load(name, length, 1);
    REQUIRE(data.ok());
    return std::string(data->begin(), data->end());
  };
  CHECK(text("text:a b:c", std::nullopt) == "a b:c");
  CHECK(text("text:abc", 7) == "abcabca");
  CHECK(text("text:abc", 2) == "ab");
  const auto nothing = load("text:", std::nullopt, 1);
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().message ==
        "There is nothing after text: to be counted. Write for example text:hello.");
}

TEST_CASE("a length beyond 32 bits is an error that gives the maximum, not a crash") {
  for (const std::uint64_t length : {std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    const auto data = generate("bytes", length, 1);
    REQUIRE_FALSE(data.ok());
    CHECK(data.error().message.find("Ask for at most 4294967295.") != std::string::npos);
  }
}

TEST_CASE("the default lengths: 1 Mi, and the whole of a text") {
  for (const auto& dataset : catalogue()) {
    if (!dataset.has_width(1)) continue;
    const auto data = load(dataset.example, std::nullopt, 1);
    REQUIRE(data.ok());
    const std::size_t typed = typed_text(dataset.example).value_or("").size();
    CHECK(data->size() == (dataset.name == "book" ? 41u : typed > 0 ? typed : 1u << 20));
    CHECK(*load(dataset.example, 100, 7) == *generate(dataset.example, 100, 7));
    CHECK(load(dataset.example, 0, 1)->empty());
  }
}

}  // namespace
}  // namespace histolab::datasets
