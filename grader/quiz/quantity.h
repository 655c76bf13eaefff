// Quantities in the usual notations: "0.01 G/s", "10 M atomics/s", "1e7", "128 GB/s", "50 %".
//
// Values are stored in the units of reference/closed_forms.h: nanoseconds, events per second,
// bytes, bytes per second, a share from 0 to 1, or a plain count. A Unit has this kind and the
// factor from the displayed number to the stored value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::quiz {

struct Unit {
  enum class Kind { count, rate, time, share };
  std::string text;  // as written: "G atomics/s"; may be empty
  Kind kind = Kind::count;
  std::string noun;   // "atomics", "bytes"; empty if not stated
  double factor = 1;  // "GB/s": 1e9; "%": 0.01; "us": 1000
};

// Parses "atomics/s", "GFLOPS", "ns", "%", "sectors" or "". The Error lists the known units.
[[nodiscard]] Result<Unit> read_unit(const std::string& text);

// Returns the possible meanings of a text. A number without a unit has two: in `asked`, and in
// `asked` without its prefix or percent sign. Returns an Error for an unknown text or a wrong unit;
// its message reveals nothing about the number.
[[nodiscard]] Result<std::vector<double>> read_quantity(const std::string& text, const Unit& asked);

// Reads several plain numbers: "1 2 3", "{1, 2, 3}", "1-3" or "1 and 2". The result is ascending,
// without duplicates.
[[nodiscard]] Result<std::vector<double>> read_numbers(const std::string& text);

// Returns "10 M atomics/s", "128 GB/s", "50 %" or "16 387 atomics". Whole numbers are exact, others
// have four digits.
[[nodiscard]] std::string written(double value, const Unit& unit);
[[nodiscard]] std::string written(double value);  // without a unit

}  // namespace histolab::quiz
