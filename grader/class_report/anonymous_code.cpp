#include "grader/class_report/anonymous_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "grader/words/code_text.h"
#include "grader/words/words.h"

namespace histolab::class_report {
namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && in_name(text[at])) ++at;
  return at;
}

// With its suffix and the marks between its digits.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (at < text.size() && (in_name(text[at]) || (text[at] == '\'' && at + 1 < text.size() && in_name(text[at + 1])))) ++at;
  return at;
}

// Behind the quote that ends what begins at `at`; a line's end ends it, too.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    else if (text[at] == quote) return at + 1;
  }
  return at;
}

std::size_t end_of_raw_string(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string{text.substr(quote + 1, open - quote - 1)} + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

std::size_t end_of_line_comment(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at)
    if (text[at] == '\n' && text[at - 1] != '\\') return at;
  return at;
}

std::string newlines_of(std::string_view text) { return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n'); }

class Renamer {
 public:
  explicit Renamer(const CourseWords& words) : words_(words) {}
  std::string operator()(std::string_view name) {
    if (words_.knows(name)) return std::string{name};
    return given_.try_emplace(std::string{name}, fmt::format("name{}", given_.size() + 1)).first->second;
  }

 private:
  const CourseWords& words_;
  std::map<std::string, std::string> given_;
};

constexpr const char* language_words =
    "alignas alignof asm auto bool break case catch char class const consteval constexpr const_cast continue decltype default delete do double dynamic_cast else enum "
    "explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast "
    "return short signed sizeof static static_assert static_cast struct switch template this throw true try typedef typename union unsigned using virtual void volatile "
    "while include define undef ifdef ifndef endif elif pragma unroll defined uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t uintptr_t uint uchar "
    "std min max printf assert memset memcpy malloc free "
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ __noinline__ __launch_bounds__ __align__ threadIdx blockIdx blockDim gridDim warpSize "
    "x y z w dim3 uint2 uint4 int2 int4 uchar4 char4 make_uint4 make_int4 __syncthreads __syncwarp __threadfence __threadfence_block __activemask __ballot_sync __shfl_sync "
    "__shfl_up_sync __shfl_down_sync __shfl_xor_sync __match_any_sync __any_sync __all_sync __reduce_add_sync __popc __ffs __clz __ldg atomicAdd atomicSub atomicExch "
    "atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor atomicAdd_block cooperative_groups cuda cudaMalloc cudaMemcpy cudaFree syncthreads "
    "_syncthreads u U l L ul UL ull ULL f F i j k n "
    // what the lessons call things
    "histogram data length histo private_histo letter bin bins accumulator previous_bin stride count coarsening_factor";

}  // namespace

CourseWords::CourseWords() { learn(language_words); }

void CourseWords::learn(std::string_view source) {
  for (std::size_t at = 0; at < source.size();) {
    if (!begins_name(source[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_name(source, at);
    words_.emplace(source.substr(at, end - at));
    at = end;
  }
}

std::vector<std::string> anonymous_code(std::string_view source, const CourseWords& words) {
  Renamer renamed(words);
  std::string out;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    const std::string_view rest = source.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      end = end_of_line_comment(source, at + 1);
      out += newlines_of(source.substr(at, end - at));
    } else if (rest.starts_with("/*")) {
      end = std::min(source.find("*/", at + 2), source.size() - 2) + 2;
      out += newlines_of(source.substr(at, end - at));
    } else if (c == '"') {
      const bool raw = !out.empty() && out.back() == 'R';
      end = raw ? end_of_raw_string(source, at) : end_of_quoted(source, at);
      out += "\"\"" + newlines_of(source.substr(at, end - at));
    } else if (c == '\'') {
      end = end_of_quoted(source, at);
      const std::string_view quoted = source.substr(at, end - at);
      const bool character = quoted.size() == 3 || (quoted.size() > 1 && quoted.size() <= 6 && quoted[1] == '\\');
      out += character ? quoted : std::string_view{"''"};  // C++ takes up to four letters for a number
    } else if (begins_name(c)) {
      end = end_of_name(source, at);
      const bool prefix = end < source.size() && source[end] == '"';  // of a string
      out += prefix ? std::string{source.substr(at, end - at).ends_with('R') ? "R" : ""} : renamed(source.substr(at, end - at));
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      end = end_of_number(source, at);
      out += source.substr(at, end - at);
    } else {
      out += c;
    }
    at = end;
  }
  std::vector<std::string> lines = grader::lines_of(out);
  for (std::string& line : lines) line = grader::flat(line);
  return lines;
}

std::string anonymous_message(std::string_view message, const CourseWords& words) {
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const char c = message[at];
    const std::size_t close = c == '\'' || c == '`' || c == '"' ? message.find(c, at + 1) : std::string_view::npos;
    if (close != std::string_view::npos && (at == 0 || !in_name(message[at - 1]))) {
      const std::string_view quoted = message.substr(at + 1, close - at - 1);
      const bool sign = std::none_of(quoted.begin(), quoted.end(), begins_name);
      out += c + std::string{sign || words.knows(quoted) ? quoted : "..."} + c;
      at = close + 1;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 && (at == 0 || !in_name(message[at - 1]))) {
      while (at < message.size() && std::isdigit(static_cast<unsigned char>(message[at])) != 0) ++at;
      out += 'N';
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

}  // namespace histolab::class_report
