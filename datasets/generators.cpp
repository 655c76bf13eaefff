#include "datasets/generators.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "datasets/random.h"

namespace histolab::datasets {
namespace {

constexpr std::uint32_t high(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

constexpr std::uint32_t low(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }

constexpr std::uint8_t letter(std::uint32_t bits) { return static_cast<std::uint8_t>('a' + below(26, bits)); }

// byte_of(32 random bits) for every byte.
template <class ByteOf>
void fill_each(Bytes out, Random random, const ByteOf& byte_of) {
  const std::size_t pairs = out.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t bits = random.next();
    out[2 * i] = byte_of(high(bits));
    out[2 * i + 1] = byte_of(low(bits));
  }
  if (out.size() % 2 != 0) out.back() = byte_of(high(random.next()));
}

Random letters_of(std::uint64_t seed) { return {"uniform-letters", seed}; }

// round-down(2^24 / k^1.2), as the largest w with w^5 k^6 <= 2^120: a power that no machine rounds differently.
std::uint64_t zipf_weight(std::uint64_t k) {
  __extension__ using Wide = unsigned __int128;
  const auto fits = [k](std::uint64_t w) {
    const Wide k6 = Wide{k * k * k} * (k * k * k), w5 = Wide{w * w} * (w * w) * w;
    return w5 <= (Wide{1} << 120) / k6;
  };
  std::uint64_t fitting = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 24; bit != 0; bit >>= 1)
    if (fitting + bit <= std::uint64_t{1} << 24 && fits(fitting + bit)) fitting += bit;
  return fitting;
}

}  // namespace

void fill_uniform_letters(Bytes out, std::uint64_t seed) { fill_each(out, letters_of(seed), letter); }

void fill_english(Bytes out, std::uint64_t seed) {
  // Per 10 000: letters a-z, and word lengths from 1. P. Norvig, "English Letter Frequency Counts: Mayzner Revisited"
  // (2013), from 743 billion words of Google Books.
  static constexpr std::array<std::uint64_t, 26> letter_weights = {804, 148, 334, 382, 1249, 240, 187, 505, 757,
                                                                   16,  54,  407, 251, 723,  764, 214, 12,  628,
                                                                   651, 928, 273, 105, 168,  23,  166, 9};
  static constexpr std::array<std::uint64_t, 16> length_weights = {0,   300, 1765, 2051, 1479, 1070, 839, 794,
                                                                   594, 444, 308,  176,  96,   52,   22,  10};
  constexpr std::size_t line = 72;
  static const Weighted letter_index(letter_weights), word_length(length_weights);
  Random random("english", seed);
  std::array<std::uint8_t, 24> last{};  // a word that may not fit
  bool capital = true;
  for (std::size_t at = 0, column = 0; at < out.size();) {
    const std::size_t room = out.size() - at;
    std::uint8_t* const word = room >= last.size() ? out.data() + at : last.data();
    const std::uint64_t shape = random.next();
    std::size_t length = word_length(high(shape));
    // Four letters a turn, wanted or not: a loop that ends after any letter is mispredicted once a word.
    for (std::size_t i = 0; i < length; i += 4) {
      const std::uint64_t a = random.next(), b = random.next();
      word[i] = static_cast<std::uint8_t>('a' + letter_index(high(a)));
      word[i + 1] = static_cast<std::uint8_t>('a' + letter_index(low(a)));
      word[i + 2] = static_cast<std::uint8_t>('a' + letter_index(high(b)));
      word[i + 3] = static_cast<std::uint8_t>('a' + letter_index(low(b)));
    }
    if (capital) word[0] = static_cast<std::uint8_t>(word[0] - 'a' + 'A');

    // Of 64 words 3 end a sentence, one of those a paragraph, and 2 are followed by a comma.
    const std::uint32_t end = low(shape) % 64;
    capital = end < 3;
    if (end < 5) word[length++] = capital ? '.' : ',';
    column += length + 1;
    const bool line_break = end == 0 || column >= line;
    word[length++] = line_break ? '\n' : ' ';
    if (line_break) column = 0;

    if (word == last.data()) std::memcpy(out.data() + at, word, std::min(length, room));
    at += length;
  }
}

void fill_constant(Bytes out, std::uint64_t) { std::fill(out.begin(), out.end(), std::uint8_t{'m'}); }

void fill_runs(Bytes out, std::uint64_t seed) {
  Random random("runs", seed);
  std::uint32_t current = below(26, high(random.next()));
  std::size_t i = 0;
  while (i < out.size()) {
    std::uint64_t bits = random.next();
    // A run ends after each byte with a chance of 32 / 65536; 16 bits decide, four bytes share a draw.
    for (std::size_t k = 0; k < 4 && i < out.size(); ++k, bits >>= 16) {
      out[i++] = static_cast<std::uint8_t>('a' + current);
      if ((bits & 0xffff) < 32) current = (current + 1 + below(25, high(random.next()))) % 26;
    }
  }
}

void fill_sorted(Bytes out, std::uint64_t seed) {
  std::array<std::size_t, 256> counts{};
  fill_uniform_letters(out, seed);
  for (const std::uint8_t byte : out) ++counts[byte];
  std::size_t at = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(at), counts[byte], static_cast<std::uint8_t>(byte));
    at += counts[byte];
  }
}

void fill_bytes(Bytes out, std::uint64_t seed) {
  Random random("bytes", seed);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random.next();
    out[i] = static_cast<std::uint8_t>(bits);
  }
}

void fill_zipf(Bytes out, std::uint64_t seed) {
  static const Weighted byte_of = [] {
    std::array<std::uint64_t, 256> weights{};
    for (std::uint64_t k = 1; k <= 256; ++k) weights[('e' + 5 * (k - 1)) % 256] = zipf_weight(k);
    return Weighted(weights);
  }();
  fill_each(out, {"zipf", seed}, byte_of);
}

void fill_two_bins(Bytes out, std::uint64_t seed) {
  Random random("two-bins", seed);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i, bits >>= 1) {
    if (i % 64 == 0) bits = random.next();
    out[i] = static_cast<std::uint8_t>('M' + 32 * (bits & 1));
  }
}

std::optional<Percent> percent_from(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view decimals = point == text.npos ? std::string_view("0") : text.substr(point + 1);
  if (whole.empty() || whole.size() > 3 || decimals.empty() || decimals.size() > 6) return std::nullopt;
  std::uint32_t millionths = 0;
  const auto append = [&millionths](char digit) { millionths = millionths * 10 + static_cast<std::uint32_t>(digit - '0'); };
  for (const std::string_view digits : {whole, decimals}) {
    if (digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
    for (const char digit : digits) append(digit);
  }
  for (std::size_t place = decimals.size(); place < 6; ++place) append('0');
  if (millionths > 100'000'000) return std::nullopt;
  return Percent{millionths};
}

void fill_hot(Bytes out, std::uint64_t seed, Percent percent, Others others) {
  Random random("hot", seed);
  const std::uint64_t hot = (std::uint64_t{percent.millionths} << 32) / 100'000'000;
  const auto other = [others](std::uint32_t bits) {
    return others == Others::letters ? letter(bits) : static_cast<std::uint8_t>(bits >> 24);
  };
  for (std::uint8_t& byte : out) {
    const std::uint64_t bits = random.next();
    byte = high(bits) < hot ? std::uint8_t{'m'} : other(low(bits));
  }
}

void fill_mixed(Bytes out, std::uint64_t seed) {
  static constexpr std::size_t group = 31;  // coprime to a warp, so no lane meets one class only
  static constexpr std::string_view others = " \n\t!'-./:;?@[\\]^_|}~\x7f";
  Random random("mixed", seed);
  std::array<std::uint8_t, group> bytes{};
  std::array<std::uint8_t, group - 1> places{};  // all but the first, in an order that each group changes
  std::iota(places.begin(), places.end(), std::uint8_t{1});
  for (std::size_t at = 0; at < out.size(); at += group) {
    fill_each(bytes, Random(random.next()), letter);
    const std::uint64_t a = random.next(), b = random.next(), c = random.next();
    const std::array<std::uint8_t, 9> special = {
        'y',
        'z',
        '`',
        '{',
        static_cast<std::uint8_t>('A' + below(26, high(a))),
        static_cast<std::uint8_t>('0' + below(10, low(a))),
        static_cast<std::uint8_t>(128 + letter(high(b))),
        static_cast<std::uint8_t>(128 + below(128, low(b))),
        static_cast<std::uint8_t>(others[below(static_cast<std::uint32_t>(others.size()), high(c))])};
    for (std::size_t i = 0; i < special.size(); ++i) {
      const auto rest = static_cast<std::uint32_t>(places.size() - i);
      std::swap(places[i], places[i + below(rest, high(random.next()))]);
      bytes[places[i]] = special[i];
    }
    std::copy_n(bytes.begin(), std::min(group, out.size() - at), out.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void fill_book(Bytes out, std::uint64_t) { fill_text(out, book_text); }

void fill_text(Bytes out, std::string_view text) {
  for (std::size_t i = 0; i < out.size(); i += text.size())
    std::memcpy(out.data() + i, text.data(), std::min(text.size(), out.size() - i));
}

}  // namespace histolab::datasets
