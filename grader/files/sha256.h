// SHA-256 (FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2): the fingerprint of a submission in a report.
#pragma once

#include <string>
#include <string_view>

namespace histolab::grader {

// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace histolab::grader
