#include "reference/task.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>

namespace histolab::reference {
namespace {

std::vector<std::uint8_t> bytes(std::string_view text) { return {text.begin(), text.end()}; }
const Binning letters{};
const auto data = bytes("programming massively parallel processors");

Values of(Task task, const Binning& binning = letters) { return expected(task, data, binning, 8); }

TEST_CASE("a plain task is the histogram") { CHECK(of({}) == Values{5, 5, 6, 10, 10, 1, 1}); }

TEST_CASE("weighted and saturated counts") {
  CHECK(of({Quantity::weighted, Word::u64, 5'000'000'029}) ==
        Values{25'000'000'145., 25'000'000'145., 30'000'000'174., 50'000'000'290., 50'000'000'290.,
               5'000'000'029., 5'000'000'029.});
  CHECK(of({Quantity::saturated, Word::u32, 6}) == Values{5, 5, 6, 6, 6, 1, 1});
}

TEST_CASE("shares of a thousand are rounded down, and 0 of nothing") {
  CHECK(of({Quantity::per_mille, Word::u32}) == Values{131, 131, 157, 263, 263, 26, 26});
  CHECK(expected({Quantity::per_mille, Word::u32}, {}, letters, 8) == Values(7));
}

TEST_CASE("the largest sample of each channel, or the lowest possible value without samples") {
  const std::vector<std::uint8_t> samples = {128, 0, 255, 130, 1};
  CHECK(expected({Quantity::largest, Word::f32}, samples, {Domain::bytes, 3, 1}, 8) ==
        Values{2, -127, 127});
  CHECK(expected({Quantity::largest, Word::f32}, {}, {Domain::bytes, 3, 1}, 8) == Values(3, -128));
  CHECK(Task{Quantity::largest, Word::f32}.initial() == -128);
}

TEST_CASE("as many tickets are handed out as samples are counted, each once") {
  const Values tickets = of({Quantity::tickets, Word::u32}, {Domain::letters, 64, 4});
  // 41 bytes, three of them blanks.
  for (std::size_t t = 0; t < tickets.size(); ++t) CHECK(tickets[t] == (t < 38 ? 1 : 0));
}

TEST_CASE("the busiest block is the first of those with the most counted samples") {
  // blocks of 8: "programm" 8, "ing mass" 7, "ively pa" 7, "rallel p" 7, "rocessor" 8, "s" 1
  CHECK(of({Quantity::busiest_block, Word::u32}, {Domain::letters, 3, 9}) == Values{8, 0, 6});
  CHECK(expected({Quantity::busiest_block, Word::u32}, {}, {Domain::letters, 3, 9}, 8) ==
        Values{0, 0, 1});
}

TEST_CASE("words of every type are read as they are written") {
  for (const auto& [word, value] : {std::pair{Word::u32, 4'294'967'295.},
                                    {Word::u64, 9'007'199'254'740'991.},
                                    {Word::f32, -127.}}) {
    std::vector<std::uint8_t> output(3 * bytes_of(word));
    fill(word, value, output);
    CHECK(values_of(word, output) == Values(3, value));
  }
  const std::vector<std::uint8_t> no_number = {0, 0, 0xc0, 0x7f};
  CHECK(std::isnan(values_of(Word::f32, no_number)[0]));
}

TEST_CASE("labels are the bins' where the output is by bin, else what an element is") {
  CHECK(Task{}.label(letters, 3) == "m-p");
  CHECK(Task{Quantity::tickets, Word::u32}.label(letters, 17) == "ticket 17");
  CHECK(Task{Quantity::largest, Word::f32}.label(letters, 2) == "channel 2");
}

}  // namespace
}  // namespace histolab::reference
