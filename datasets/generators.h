// Generators: one function per dataset of the catalogue and width, filling the bytes or samples it is given.
//
// Elements depend on (seed, position) alone, so a shorter output is the beginning of a longer one; `sorted` is the
// exception. Letters are a-z. Only the letters count in the letter labs; the others see all 256 values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace histolab::datasets {

using Bytes = std::span<std::uint8_t>;

// Elements of 16 bits, written as two bytes each, the lower one first, whatever this machine's order.
class Samples {
 public:
  explicit Samples(Bytes bytes) : bytes_(bytes) {}  // an even number
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size() / 2; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return bytes_[2 * i] + (bytes_[2 * i + 1] << 8u); }
  void set(std::size_t i, std::uint32_t value) const {
    bytes_[2 * i] = static_cast<std::uint8_t>(value);
    bytes_[2 * i + 1] = static_cast<std::uint8_t>(value >> 8);
  }

 private:
  Bytes bytes_;
};

// The sample that corresponds to a byte, as white is 65 535 where it was 255: both of its bytes are that byte.
constexpr std::uint32_t widened(std::uint8_t byte) { return byte * 257u; }

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

// One letter and nothing else; which one, the seed decides. Of 16 bits: that letter widened.
void fill_constant(Bytes out, std::uint64_t seed);
void fill_constant(Samples out, std::uint64_t seed);

// Runs of one letter (of 16 bits: of any value), each followed by a run of another; run lengths are geometric with mean
// 2048.
void fill_runs(Bytes out, std::uint64_t seed);
void fill_runs(Samples out, std::uint64_t seed);

// The bytes of fill_uniform_letters, the samples of fill_values, for the same length and seed, in ascending order.
void fill_sorted(Bytes out, std::uint64_t seed);
void fill_sorted(Samples out, std::uint64_t seed);

// Each of the 256 values with equal chance.
void fill_bytes(Bytes out, std::uint64_t seed);

// Each of the 65 536 values with equal chance. Of elements of one byte, `values` is `bytes`.
void fill_values(Samples out, std::uint64_t seed);

// Rank k = 1..256 with a chance proportional to k^-1.2. Rank k is the byte 'e' + 5 (k - 1) modulo 256: the five most
// frequent values are e, j, o, t and y, more than half of all bytes are letters, and any 32 neighbouring ranks lie in
// 32 different banks of a 256-bin histogram, so that what slows a kernel down is contention and not a bank conflict.
void fill_zipf(Bytes out, std::uint64_t seed);

// Rank k = 1..65 536 with a chance proportional to k^-1.2. Rank k is the value 40 503 k modulo 65 536, a step of the golden
// ratio: any few neighbouring ranks are spread evenly over the range, and 32 of them over the banks.
inline constexpr std::uint32_t zipf_step = 40503;
void fill_zipf(Samples out, std::uint64_t seed);

// `m` or `M`, each with equal chance. 'm' - 'M' is 32, so their two bins of 256 are different words of one bank. (Two
// lowercase letters cannot be 32 apart; the letter labs count the m.)
void fill_two_bins(Bytes out, std::uint64_t seed);

// `m` with a chance of percent, otherwise any letter or (no dataset of the catalogue) any of the 256 values, m again among
// them. An element that is hot at one percentage is hot at all higher ones of the same seed.
enum class Others { letters, bytes };
void fill_hot(Bytes out, std::uint64_t seed, Percent percent, Others others = Others::letters);
// widened('m') with a chance of percent, otherwise any of the 65 536 values, that one among them.
void fill_hot(Samples out, std::uint64_t seed, Percent percent);

// Everything that a bounds test can get wrong. Every 31 bytes hold, at random places: y, z, `, {, a capital, a digit, a
// letter with its top bit set, any byte of 128 or more, one other byte that is no letter, and letters. The first byte
// of every 31 is a letter, so that a length of 1 counts something.
void fill_mixed(Bytes out, std::uint64_t seed);

// The book's example, again and again without a gap, whatever the seed.
inline constexpr std::string_view book_text = "programming massively parallel processors";
void fill_book(Bytes out, std::uint64_t seed);

// A photograph that nobody took: sky with a sun and clouds, hills, towers, balls on a meadow, and the noise of a camera.
// Row by row from the top, 1024 pixels each; below row 1024 begins another such picture, and so on. The bytes are the upper
// bytes of the samples.
inline constexpr std::size_t picture_width = 1024, picture_height = 1024;
void fill_image(Bytes out, std::uint64_t seed);
void fill_image(Samples out, std::uint64_t seed);

// What a detector with a converter of 12 bits delivers, 0 to 4095: a baseline near 400 that drifts slowly, noise with a
// standard deviation of 8, and a pulse every 1024 samples on average, up within some 20 samples and down again over some
// 100. Most pulses belong to one of two lines, 900 and 1800 high; a few are too high for the converter: it says 4095.
inline constexpr std::uint32_t sensor_levels = 4096;
void fill_sensor(Samples out, std::uint64_t seed);

// The text again and again without a gap; `text` is not empty where `out` is not.
void fill_text(Bytes out, std::string_view text);

}  // namespace histolab::datasets
