// Generators: one function per dataset of the catalogue, filling the bytes it is given.
//
// Bytes depend on (seed, position) alone, so a shorter output is the beginning of a longer one; `sorted` is the
// exception. Letters are a-z. Only the letters count in the letter labs; the others see all 256 values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace histolab::datasets {

using Bytes = std::span<std::uint8_t>;

// A percentage as the number that was written: 99.9 is 99'900'000 millionths.
struct Percent {
  std::uint32_t millionths = 0;  // up to 100'000'000
};
// 0 to 100, with up to six decimals after a point and nothing else around it: "0", "50", "99.9".
[[nodiscard]] std::optional<Percent> percent_from(std::string_view text);

// Each letter with equal chance.
void fill_uniform_letters(Bytes out, std::uint64_t seed);

// Lines of words, sentences and paragraphs: the letter frequencies and word lengths of English books, a capital after
// each full stop, lines of about 72 characters. 81 % of the bytes are a-z; the letters of a word are independent.
void fill_english(Bytes out, std::uint64_t seed);

// `m` and nothing else, whatever the seed.
void fill_constant(Bytes out, std::uint64_t seed);

// Runs of one letter, each followed by a run of another letter; run lengths are geometric with mean 2048.
void fill_runs(Bytes out, std::uint64_t seed);

// The bytes of fill_uniform_letters for the same length and seed, in ascending order.
void fill_sorted(Bytes out, std::uint64_t seed);

// Each of the 256 values with equal chance.
void fill_bytes(Bytes out, std::uint64_t seed);

// Rank k = 1..256 with a chance proportional to k^-1.2. Rank k is the byte 'e' + 5 (k - 1) modulo 256: the five most
// frequent values are e, j, o, t and y, more than half of all bytes are letters, and any 32 neighbouring ranks lie in
// 32 different banks of a 256-bin histogram, so that what slows a kernel down is contention and not a bank conflict.
void fill_zipf(Bytes out, std::uint64_t seed);

// `m` or `M`, each with equal chance. 'm' - 'M' is 32, so their two bins of 256 are different words of one bank. (Two
// lowercase letters cannot be 32 apart; the letter labs count the m.)
void fill_two_bins(Bytes out, std::uint64_t seed);

// `m` with a chance of percent, otherwise any letter or (no dataset of the catalogue) any of the 256 values, m again among
// them. An element that is hot at one percentage is hot at all higher ones of the same seed.
enum class Others { letters, bytes };
void fill_hot(Bytes out, std::uint64_t seed, Percent percent, Others others = Others::letters);

// Everything that a bounds test can get wrong. Every 31 bytes hold, at random places: y, z, `, {, a capital, a digit, a
// letter with its top bit set, any byte of 128 or more, one other byte that is no letter, and letters. The first byte
// of every 31 is a letter, so that a length of 1 counts something.
void fill_mixed(Bytes out, std::uint64_t seed);

// The book's example, again and again without a gap, whatever the seed.
inline constexpr std::string_view book_text = "programming massively parallel processors";
void fill_book(Bytes out, std::uint64_t seed);

// The text again and again without a gap; `text` is not empty where `out` is not.
void fill_text(Bytes out, std::string_view text);

}  // namespace histolab::datasets
