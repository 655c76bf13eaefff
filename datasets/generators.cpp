#include "datasets/generators.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "datasets/random.h"

namespace histolab::datasets {
namespace {

constexpr std::uint32_t high(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

constexpr std::uint32_t low(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }

constexpr std::uint8_t letter(std::uint32_t bits) {
  return static_cast<std::uint8_t>('a' + below(26, bits));
}

void put(Bytes out, std::size_t i, std::uint32_t value) {
  out[i] = static_cast<std::uint8_t>(value);
}
void put(Samples out, std::size_t i, std::uint32_t value) { out.set(i, value); }

// Sets every element to value_of(32 random bits).
template <class Out, class ValueOf>
void fill_each(Out out, Random& random, const ValueOf& value_of) {
  const std::size_t pairs = out.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::uint64_t bits = random.next();
    put(out, 2 * i, value_of(high(bits)));
    put(out, 2 * i + 1, value_of(low(bits)));
  }
  if (out.size() % 2 != 0) put(out, out.size() - 1, value_of(high(random.next())));
}

__extension__ using Wide = unsigned __int128;

// Returns the largest r with r^5 <= x, for x up to 2^120. Integer arithmetic gives the same result
// on every machine.
std::uint64_t fifth_root(Wide x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 24; bit != 0; bit >>= 1) {
    const std::uint64_t r = root + bit;
    if (Wide{r * r} * (r * r) * r <= x) root = r;
  }
  return root;
}

// k^6, for k up to 65 536.
Wide sixth_power(std::uint64_t k) { return Wide{k * k * k} * (k * k * k); }

// 2^24 / k^1.2, rounded down.
std::uint64_t zipf_weight(std::uint64_t k) { return fifth_root((Wide{1} << 120) / sixth_power(k)); }

// 2^40 / k^1.2, with a relative error of at most 2^-20 up to k = 65 536.
std::uint64_t fine_zipf_weight(std::uint64_t k) {
  Wide power = sixth_power(k);
  unsigned shift = 0;  // such that k^1.2 * 2^shift has 24 bits
  for (; power <= (Wide{1} << 115) - 1; power <<= 5) ++shift;
  return (std::uint64_t{1} << (40 + shift)) / fifth_root(power);
}

// Runs of equal values below `values`. Each new value is equally likely, except the previous one.
template <class Put>
void fill_with_runs(std::size_t length, std::uint32_t values, std::uint64_t seed,
                    const Put& put_value) {
  Random random("runs", seed);
  std::uint32_t current = below(values, high(random.next()));
  std::size_t i = 0;
  while (i < length) {
    std::uint64_t bits = random.next();
    // A run ends after each element with probability 32 / 65536. 16 bits decide, so four elements
    // share a draw.
    for (std::size_t k = 0; k < 4 && i < length; ++k, bits >>= 16) {
      put_value(i++, current);
      if ((bits & 0xffff) < 32)
        current = (current + 1 + below(values - 1, high(random.next()))) % values;
    }
  }
}

template <class Out>
void sort_counted(Out out, std::span<const std::size_t> counts) {
  std::size_t at = 0;
  for (std::uint32_t value = 0; value < counts.size(); ++value)
    for (const std::size_t end = at + counts[value]; at < end; ++at) put(out, at, value);
}

// An element is hot if its 32 random bits are below this number.
std::uint64_t hot_below(Percent percent) {
  return (std::uint64_t{percent.millionths} << 32) / 100'000'000;
}

}  // namespace

void fill_uniform_letters(Bytes out, std::uint64_t seed) {
  Random random("uniform-letters", seed);
  fill_each(out, random, letter);
}

void fill_english(Bytes out, std::uint64_t seed) {
  // Per 10 000: letters a-z, and word lengths from 1. P. Norvig, "English Letter Frequency Counts:
  // Mayzner Revisited" (2013), from 743 billion words of Google Books.
  static constexpr std::array<std::uint64_t, 26> letter_weights = {
      804, 148, 334, 382, 1249, 240, 187, 505, 757, 16,  54, 407, 251,
      723, 764, 214, 12,  628,  651, 928, 273, 105, 168, 23, 166, 9};
  static constexpr std::array<std::uint64_t, 16> length_weights = {
      0, 300, 1765, 2051, 1479, 1070, 839, 794, 594, 444, 308, 176, 96, 52, 22, 10};
  constexpr std::size_t line = 72;
  static const Weighted<8> letter_index(letter_weights), word_length(length_weights);
  Random random("english", seed);
  std::array<std::uint8_t, 24> last{};  // a word that may not fit
  bool capital = true;
  for (std::size_t at = 0, column = 0; at < out.size();) {
    const std::size_t room = out.size() - at;
    std::uint8_t* const word = room >= last.size() ? out.data() + at : last.data();
    const std::uint64_t shape = random.next();
    std::size_t length = word_length(high(shape));
    // Draw letters in groups of four, even if some are unused: a loop that may end after any letter
    // costs a branch misprediction per word.
    for (std::size_t i = 0; i < length; i += 4) {
      const std::uint64_t a = random.next(), b = random.next();
      word[i] = static_cast<std::uint8_t>('a' + letter_index(high(a)));
      word[i + 1] = static_cast<std::uint8_t>('a' + letter_index(low(a)));
      word[i + 2] = static_cast<std::uint8_t>('a' + letter_index(high(b)));
      word[i + 3] = static_cast<std::uint8_t>('a' + letter_index(low(b)));
    }
    if (capital) word[0] = static_cast<std::uint8_t>(word[0] - 'a' + 'A');

    // Of 64 words, 3 end a sentence (one of these ends a paragraph), and 2 are followed by a comma.
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

void fill_constant(Bytes out, std::uint64_t seed) {
  Random random("constant", seed);
  std::fill(out.begin(), out.end(), letter(high(random.next())));
}

void fill_constant(Samples out, std::uint64_t seed) { fill_constant(out.bytes(), seed); }

void fill_runs(Bytes out, std::uint64_t seed) {
  fill_with_runs(out.size(), 26, seed,
                 [out](std::size_t i, std::uint32_t value) { put(out, i, 'a' + value); });
}

void fill_runs(Samples out, std::uint64_t seed) {
  fill_with_runs(out.size(), 65536, seed,
                 [out](std::size_t i, std::uint32_t value) { put(out, i, value); });
}

void fill_sorted(Bytes out, std::uint64_t seed) {
  std::array<std::size_t, 256> counts{};
  fill_uniform_letters(out, seed);
  for (const std::uint8_t byte : out) ++counts[byte];
  sort_counted(out, counts);
}

void fill_sorted(Samples out, std::uint64_t seed) {
  std::vector<std::size_t> counts(65536);
  fill_values(out, seed);
  for (std::size_t i = 0; i < out.size(); ++i) ++counts[out[i]];
  sort_counted(out, counts);
}

void fill_bytes(Bytes out, std::uint64_t seed) {
  Random random("bytes", seed);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random.next();
    out[i] = static_cast<std::uint8_t>(bits);
  }
}

void fill_values(Samples out, std::uint64_t seed) { fill_bytes(out.bytes(), seed); }

void fill_zipf(Bytes out, std::uint64_t seed) {
  static const Weighted<8> byte_of = [] {
    std::array<std::uint64_t, 256> weights{};
    for (std::uint64_t k = 1; k <= 256; ++k) weights[('e' + 5 * (k - 1)) % 256] = zipf_weight(k);
    return Weighted<8>(weights);
  }();
  Random random("zipf", seed);
  fill_each(out, random, byte_of);
}

void fill_zipf(Samples out, std::uint64_t seed) {
  static const Weighted<16> value_of = [] {
    std::vector<std::uint64_t> weights(65536);
    for (std::uint64_t k = 1; k <= 65536; ++k) weights[k * zipf_step % 65536] = fine_zipf_weight(k);
    return Weighted<16>(weights);
  }();
  Random random("zipf", seed);
  fill_each(out, random, value_of);
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
  const std::string_view decimals =
      point == text.npos ? std::string_view("0") : text.substr(point + 1);
  if (whole.empty() || whole.size() > 3 || decimals.empty() || decimals.size() > 6)
    return std::nullopt;
  std::uint32_t millionths = 0;
  const auto append = [&millionths](char digit) {
    millionths = millionths * 10 + static_cast<std::uint32_t>(digit - '0');
  };
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
  const std::uint64_t hot = hot_below(percent);
  const auto other = [others](std::uint32_t bits) {
    return others == Others::letters ? letter(bits) : static_cast<std::uint8_t>(bits >> 24);
  };
  for (std::uint8_t& byte : out) {
    const std::uint64_t bits = random.next();
    byte = high(bits) < hot ? std::uint8_t{'m'} : other(low(bits));
  }
}

void fill_hot(Samples out, std::uint64_t seed, Percent percent) {
  Random random("hot", seed);
  const std::uint64_t hot = hot_below(percent);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = random.next();
    out.set(i, high(bits) < hot ? widened('m') : low(bits) >> 16);
  }
}

void fill_mixed(Bytes out, std::uint64_t seed) {
  static constexpr std::size_t group = 31;  // coprime to 32, so every lane gets all classes
  static constexpr std::string_view others = " \n\t!'-./:;?@[\\]^_|}~\x7f";
  Random random("mixed", seed);
  std::array<std::uint8_t, group> bytes{};
  std::array<std::uint8_t, group - 1> places{};  // positions but the first, reordered by each group
  std::iota(places.begin(), places.end(), std::uint8_t{1});
  for (std::size_t at = 0; at < out.size(); at += group) {
    fill_each(Bytes{bytes}, random, letter);
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
        static_cast<std::uint8_t>(
            others[below(static_cast<std::uint32_t>(others.size()), high(c))])};
    for (std::size_t i = 0; i < special.size(); ++i) {
      const auto rest = static_cast<std::uint32_t>(places.size() - i);
      std::swap(places[i], places[i + below(rest, high(random.next()))]);
      bytes[places[i]] = special[i];
    }
    std::copy_n(bytes.begin(), std::min(group, out.size() - at),
                out.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void fill_book(Bytes out, std::uint64_t) { fill_text(out, book_text); }

void fill_text(Bytes out, std::string_view text) {
  for (std::size_t i = 0; i < out.size(); i += text.size())
    std::memcpy(out.data() + i, text.data(), std::min(text.size(), out.size() - i));
}

}  // namespace histolab::datasets
