#include "grader/class_report/anonymous_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "grader/words/code_text.h"
#include "grader/words/words.h"
#include "kernels/code_tokens.h"

namespace histolab::class_report {
namespace {

using kernels::CodeToken;

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && in_name(text[at])) ++at;
  return at;
}

std::string newlines_of(std::string_view text) {
  return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
}

class Renamer {
 public:
  explicit Renamer(const CourseWords& words) : words_(words) {}
  std::string operator()(std::string_view name) {
    if (words_.knows(name)) return std::string{name};
    return given_.try_emplace(std::string{name}, fmt::format("name{}", given_.size() + 1))
        .first->second;
  }

 private:
  const CourseWords& words_;
  std::map<std::string, std::string> given_;
};

constexpr const char* language_words =
    "alignas alignof asm auto bool break case catch char class const consteval constexpr "
    "const_cast continue decltype default delete do double dynamic_cast else enum "
    "explicit extern false float for friend goto if inline int long mutable namespace new noexcept "
    "nullptr operator private protected public register reinterpret_cast "
    "return short signed sizeof static static_assert static_cast struct switch template this throw "
    "true try typedef typename union unsigned using virtual void volatile "
    "while include define undef ifdef ifndef endif elif error warning pragma unroll defined "
    "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t size_t uintptr_t uint uchar "
    "std min max printf assert memset memcpy malloc free "
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ "
    "__noinline__ __launch_bounds__ __align__ threadIdx blockIdx blockDim gridDim warpSize "
    "x y z w dim3 uint2 uint4 int2 int4 uchar4 char4 make_uint4 make_int4 __syncthreads __syncwarp "
    "__threadfence __threadfence_block __activemask __ballot_sync __shfl_sync "
    "__shfl_up_sync __shfl_down_sync __shfl_xor_sync __match_any_sync __any_sync __all_sync "
    "__reduce_add_sync __popc __ffs __clz __ldg atomicAdd atomicSub atomicExch "
    "atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor "
    "atomicAdd_block cooperative_groups cuda cudaMalloc cudaMemcpy cudaFree syncthreads "
    "_syncthreads u U l L ul UL ull ULL f F i j k n "
    // names in the lessons
    "histogram data length histo private_histo letter bin bins accumulator previous_bin stride "
    "count coarsening_factor";

// For the text between < and > of an #include, which is not code.
std::string with_other_names(std::string_view text, Renamer& renamed) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = begins_name(text[at]) ? end_of_name(text, at) : at + 1;
    out += begins_name(text[at]) ? renamed(text.substr(at, end - at))
                                 : std::string{text.substr(at, 1)};
    at = end;
  }
  return out;
}

// In C++, up to four letters between quotes are one number.
bool is_character(std::string_view spelling) {
  return spelling.size() == 1 ||
         (!spelling.empty() && spelling.size() <= 4 && spelling.front() == '\\');
}

std::string shown(const CodeToken& token, std::string_view text, Renamer& renamed) {
  using Kind = CodeToken::Kind;
  switch (token.kind) {
    case Kind::comment: return newlines_of(text);
    case Kind::name: return renamed(token.spelling) + newlines_of(text);
    case Kind::number: return token.spelling + newlines_of(text);
    case Kind::mark: return std::string{text};
    case Kind::header:
      return text.front() == '<' ? with_other_names(text, renamed) : "\"\"" + newlines_of(text);
    case Kind::text: break;
  }
  const std::string_view prefix = text.substr(0, text.find_first_of("\"'"));
  if (text[prefix.size()] == '\'')
    return std::string{prefix} +
           (is_character(token.spelling) ? "'" + token.spelling + "'" : "''") + newlines_of(text);
  return (prefix.ends_with('R') ? "R\"\"" : "\"\"") + newlines_of(text);
}

std::set<std::string, std::less<>> own_words(std::string_view source, bool names_too) {
  std::set<std::string, std::less<>> found;
  for (const CodeToken& token : kernels::code_tokens(source)) {
    const bool is_free_text = token.kind == CodeToken::Kind::text ||
                              token.kind == CodeToken::Kind::header || token.directive;
    if (!is_free_text && !(names_too && token.kind == CodeToken::Kind::name)) continue;
    for (std::size_t at = 0; at < token.spelling.size();) {
      const std::size_t end =
          begins_name(token.spelling[at]) ? end_of_name(token.spelling, at) : at + 1;
      if (begins_name(token.spelling[at])) found.insert(token.spelling.substr(at, end - at));
      at = end;
    }
  }
  return found;
}

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
  std::size_t before = 0;
  for (const CodeToken& token : kernels::code_and_comments(source)) {
    out += source.substr(before, token.begin - before);
    out += shown(token, source.substr(token.begin, token.end - token.begin), renamed);
    before = token.end;
  }
  out += source.substr(before);
  std::vector<std::string> lines = grader::lines_of(out);
  for (std::string& line : lines) line = grader::flat(line);
  return lines;
}

std::string anonymous_message(std::string_view message, const CourseWords& words,
                              std::string_view source, Numbers numbers) {
  // An apostrophe as a template argument unbalances the message's quotes. Then names may be outside
  // of quotes.
  const std::set<std::string, std::less<>> own =
      own_words(source, message.find("\\'") != std::string_view::npos);
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    const char c = message[at];
    const std::size_t close =
        c == '\'' || c == '`' || c == '"' ? message.find(c, at + 1) : std::string_view::npos;
    if (close != std::string_view::npos && (at == 0 || !in_name(message[at - 1]))) {
      const std::string_view quoted = message.substr(at + 1, close - at - 1);
      const bool sign = std::none_of(quoted.begin(), quoted.end(), begins_name);
      out += c + std::string{sign || words.knows(quoted) ? quoted : "..."} + c;
      at = close + 1;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 &&
               (at == 0 || !in_name(message[at - 1]))) {
      std::size_t end = at;
      while (end < message.size() && std::isdigit(static_cast<unsigned char>(message[end])) != 0)
        ++end;
      out += numbers == Numbers::as_n ? "N" : message.substr(at, end - at);
      at = end;
    } else if (begins_name(c)) {
      const std::size_t end = end_of_name(message, at);
      const std::string_view word = message.substr(at, end - at);
      out += own.contains(word) && !words.knows(word) ? "..." : word;
      at = end;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

bool has_own_words(std::string_view text, const CourseWords& words, std::string_view source) {
  const std::set<std::string, std::less<>> own = own_words(source, true);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = begins_name(text[at]) ? end_of_name(text, at) : at + 1;
    const std::string_view word = text.substr(at, end - at);
    if (own.contains(word) && !words.knows(word)) return true;
    at = end;
  }
  return false;
}

}  // namespace histolab::class_report
