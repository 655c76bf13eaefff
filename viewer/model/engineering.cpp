#include "viewer/model/engineering.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace histolab::viewer {

std::string engineering(double number) {
  if (!std::isfinite(number)) return "-";
  static constexpr std::array<const char*, 5> prefixes{"", "k", "M", "G", "T"};
  double size = std::abs(number);
  std::size_t prefix = 0;
  while (size >= 999.5 && prefix + 1 < prefixes.size()) {
    size /= 1000;
    ++prefix;
  }
  return fmt::format("{}{:.3g}{}", number < 0 ? "-" : "", size, prefixes[prefix]);
}

}  // namespace histolab::viewer
