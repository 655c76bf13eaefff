#include "grader/pipeline/source_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "grader/words/words.h"
#include "kernels/code_tokens.h"

namespace histolab::grader {
namespace {

using kernels::CodeToken;
using Tokens = std::vector<CodeToken>;
using Words = std::initializer_list<std::string_view>;

// A kernel's body, and the tokens of its file.
struct Source {
  Tokens file, kernel;
};

// Returns the tokens, with operators of two characters as one token.
Tokens whole_tokens(const std::string& source) {
  Tokens tokens;
  for (CodeToken& token : kernels::code_tokens(source)) {
    const bool is_second =
        !tokens.empty() && tokens.back().end == token.begin && tokens.back().spelling.size() == 1 &&
        (token.is("=") ||
         ((token.is("+") || token.is("-")) && token.spelling == tokens.back().spelling));
    if (is_second &&
        std::string_view("+-<>=!").find(tokens.back().spelling) != std::string_view::npos) {
      tokens.back().spelling += token.spelling;
      tokens.back().end = token.end;
    } else {
      tokens.push_back(std::move(token));
    }
  }
  return tokens;
}

// Returns the position after the bracket that closes the one at `open`.
std::size_t end_of(const Tokens& tokens, std::size_t open, std::string_view opening,
                   std::string_view closing) {
  int depth = 0;
  for (std::size_t at = open; at < tokens.size(); ++at) {
    depth += tokens[at].is(opening) ? 1 : tokens[at].is(closing) ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return tokens.size();
}

// Returns the body of a kernel, or nothing if the file does not define it by that name.
Tokens body_of(const Tokens& tokens, const std::string& kernel) {
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].is(kernel) || !tokens[at + 1].is("(")) continue;
    const std::size_t open = end_of(tokens, at + 1, "(", ")");
    if (open >= tokens.size() || !tokens[open].is("{")) continue;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(open);
    return {begin, tokens.begin() + static_cast<std::ptrdiff_t>(end_of(tokens, open, "{", "}"))};
  }
  return {};
}

// Returns true if these words are at `at`. "#" matches any name, and "0" any number.
bool has(const Tokens& tokens, std::size_t at, Words words) {
  for (const std::string_view word : words) {
    if (at >= tokens.size()) return false;
    const CodeToken& token = tokens[at++];
    const bool fits = word == "#"   ? token.kind == CodeToken::Kind::name
                      : word == "0" ? token.kind == CodeToken::Kind::number
                                    : token.is(word);
    if (!fits) return false;
  }
  return true;
}

// Returns the value of a number, or of a name for a number. Returns nullopt for anything else.
std::optional<std::uint64_t> number_at(const Source& source, std::size_t at) {
  if (has(source.kernel, at, {"0"}))
    return std::strtoull(source.kernel[at].spelling.c_str(), nullptr, 0);
  if (!has(source.kernel, at, {"#"})) return std::nullopt;
  const std::string& name = source.kernel[at].spelling;
  const Tokens& tokens = source.file;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool is_macro =
        tokens[i].is("define") && tokens[i + 1].is(name) && !tokens[i + 3].directive;
    const bool is_variable = tokens[i].is(name) && tokens[i + 1].is("=") && tokens[i + 3].is(";");
    if ((is_macro || is_variable) && has(tokens, i + 2, {"0"}))
      return std::strtoull(tokens[i + 2].spelling.c_str(), nullptr, 0);
  }
  return std::nullopt;
}

// A thread's index in the grid: `blockIdx.x * blockDim.x + threadIdx.x`, in any order.
struct GlobalIndex {
  // The number of tokens, and the position of the block size.
  std::size_t size = 0, width = 0;
};
std::optional<GlobalIndex> global_index_at(const Source& source, std::size_t at) {
  const Tokens& tokens = source.kernel;
  // `width` is a number, a name for one, or `blockDim . x`.
  const auto width_size = [&](std::size_t begin) -> std::size_t {
    if (has(tokens, begin, {"blockDim", ".", "x"})) return 3;
    return number_at(source, begin) ? 1 : 0;
  };
  std::size_t end = at;
  if (has(tokens, end, {"threadIdx", ".", "x", "+"})) end += 4;
  const bool thread_first = end != at;
  std::size_t width = 0;
  if (has(tokens, end, {"blockIdx", ".", "x", "*"})) {
    width = end + 4;
    end = width + width_size(width);
  } else if (const std::size_t size = width_size(end);
             size > 0 && has(tokens, end + size, {"*", "blockIdx", ".", "x"})) {
    width = end;
    end += size + 4;
  } else {
    return std::nullopt;
  }
  if (width == end) return std::nullopt;
  if (!thread_first && !has(tokens, end, {"+", "threadIdx", ".", "x"})) return std::nullopt;
  return GlobalIndex{end + (thread_first ? 0 : 4) - at, width};
}

bool says(const Tokens& tokens, std::string_view word) {
  return std::ranges::any_of(tokens, [&](const CodeToken& token) { return token.is(word); });
}

// Finds `histo[b] = 0;`.
std::optional<SourceCause> zeroed_output(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  if (launch.output.empty() || launch.too_many) return std::nullopt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens[at].is(launch.output) || !has(tokens, at + 1, {"["})) continue;
    std::size_t end = at + 2;
    while (end < tokens.size() && !tokens[end].is("]") && !tokens[end].is(";")) ++end;
    if (!has(tokens, end, {"]", "=", "0", ";"}) || tokens[end + 2].spelling.front() != '0')
      continue;
    return SourceCause{
        tokens[at].line,
        fmt::format("line {} zeroes {}, although other threads may have counted in it",
                    tokens[at].line, launch.output),
        fmt::format("Remove line {}: {} is already 0 when the kernel starts", tokens[at].line,
                    launch.output)};
  }
  return std::nullopt;
}

// Finds an index without the number of the block, or of the thread.
std::optional<SourceCause> half_an_index(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  const std::string next = "Write i = blockIdx.x * blockDim.x + threadIdx.x";
  for (std::size_t at = 0; at < tokens.size(); ++at)
    if (has(tokens, at, {"blockIdx", ".", "x", "*", "gridDim", ".", "x"}) ||
        has(tokens, at, {"gridDim", ".", "x", "*", "blockIdx", ".", "x"}))
      return SourceCause{
          tokens[at].line,
          "gridDim.x is the number of blocks, but the index needs the threads of a block",
          "Write blockDim.x instead of gridDim.x"};
  if (!launch.leaves_unread) return std::nullopt;
  if (launch.grid > 1 && says(tokens, "threadIdx") && !says(tokens, "blockIdx"))
    return SourceCause{0, "without blockIdx.x all blocks read the same bytes", next};
  if (launch.block > 1 && says(tokens, "blockIdx") && !says(tokens, "threadIdx"))
    return SourceCause{0, "without threadIdx.x all threads of a block read the same byte", next};
  return std::nullopt;
}

// Returns true if a test such as `threadIdx.x < 32` excludes higher numbers.
bool is_guarded(const Tokens& tokens, std::uint64_t width) {
  for (std::size_t at = 0; at < tokens.size(); ++at)
    if (has(tokens, at, {"threadIdx", ".", "x", "<", "0"}) &&
        std::strtoull(tokens[at + 4].spelling.c_str(), nullptr, 0) == width)
      return true;
  return false;
}

std::optional<SourceCause> fixed_block(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::optional<GlobalIndex> index = global_index_at(source, at);
    if (!index) continue;
    const std::optional<std::uint64_t> width = number_at(source, index->width);
    if (!width || *width < 2 || *width == launch.block || is_guarded(tokens, *width)) continue;
    const CodeToken& token = tokens[index->width];
    return SourceCause{
        token.line,
        fmt::format(
            "the index is computed for blocks of {} threads, but a block of this case has {}",
            *width, launch.block),
        fmt::format("Write blockDim.x instead of {}", token.spelling)};
  }
  return std::nullopt;
}

// The step of an index per iteration: the tokens after `+=`, or 1.
struct Step {
  std::string text;
  int line = 0;
  std::uint64_t size = 0;  // 0 if unknown
};
Step step_at(const Source& source, std::size_t at, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  const auto ends = [&](std::size_t i) {
    return i < tokens.size() && (tokens[i].is(")") || tokens[i].is(";"));
  };
  const int line = tokens[at].line;
  if (has(tokens, at, {"blockDim", ".", "x"}) && ends(at + 3))
    return {"blockDim.x", line, launch.block};
  if (has(tokens, at, {"gridDim", ".", "x"}) && ends(at + 3))
    return {"gridDim.x", line, launch.grid};
  if (!ends(at + 1)) return {};
  if (const auto number = number_at(source, at)) return {tokens[at].spelling, line, *number};
  if (!has(tokens, at, {"#"})) return {};
  // `stride = blockDim.x;`
  for (std::size_t i = 0; i + 1 < at; ++i)
    if (tokens[i].is(tokens[at].spelling) && tokens[i + 1].is("=") &&
        !has(tokens, i + 2, {"#", ";"}))
      return step_at(source, i + 2, launch);
  return {};
}

std::optional<SourceCause> wrong_step(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  const std::uint64_t threads = std::uint64_t{launch.grid} * launch.block;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (!has(tokens, at, {"#", "="})) continue;
    const std::optional<GlobalIndex> index = global_index_at(source, at + 2);
    if (!index || !has(tokens, at + 2 + index->size, {";"})) continue;
    const std::string& name = tokens[at].spelling;
    // After its block, the name may be another variable.
    int depth = 0;
    for (std::size_t i = at + 2;
         i + 2 < tokens.size() && depth >= 0 && !(tokens[i].is(name) && tokens[i + 1].is("="));
         ++i) {
      depth += tokens[i].is("{") ? 1 : tokens[i].is("}") ? -1 : 0;
      Step step;
      if (tokens[i].is(name) && tokens[i + 1].is("+=")) step = step_at(source, i + 2, launch);
      const bool by_one = (tokens[i].is(name) && tokens[i + 1].is("++")) ||
                          (tokens[i].is("++") && tokens[i + 1].is(name));
      if (by_one) step = {"1", tokens[i].line, 1};
      if (step.size == 0 || step.size == threads) continue;
      return SourceCause{
          step.line,
          fmt::format("the index grows by {}{} in each round, but the grid has {}", step.text,
                      std::to_string(step.size) == step.text ? "" : fmt::format(" ({})", step.size),
                      counted(threads, "thread")),
          "Increase it by the number of all threads: gridDim.x * blockDim.x"};
    }
  }
  return std::nullopt;
}

// Returns true if a variable other than `name` changes between the two tokens.
bool changes_another(Tokens::const_iterator first, Tokens::const_iterator last,
                     const std::string& name) {
  const auto changes = [](const CodeToken& token) {
    return token.is("+=") || token.is("-=") || token.is("++") || token.is("--");
  };
  for (auto at = first; at != last; ++at) {
    if (!changes(*at)) continue;
    const auto is_other = [&](const CodeToken& token) {
      return token.kind == CodeToken::Kind::name && token.spelling != name;
    };
    if ((at != first && is_other(*(at - 1))) ||
        (at + 1 != last && !at->is("+=") && !at->is("-=") && is_other(*(at + 1))))
      return true;
  }
  return false;
}

// Finds `for (unsigned k = 0; ...; ++k)` with a body that does not use k.
std::optional<SourceCause> unused_round(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  if (!launch.too_many) return std::nullopt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!has(tokens, at, {"for", "("})) continue;
    std::size_t equals = at + 2;
    while (equals < tokens.size() && !tokens[equals].is("=") && !tokens[equals].is(";") &&
           !tokens[equals].is(")"))
      ++equals;
    if (!has(tokens, equals, {"=", "0", ";"}) || tokens[equals - 1].kind != CodeToken::Kind::name)
      continue;
    const std::string& name = tokens[equals - 1].spelling;
    const std::size_t body = end_of(tokens, at + 1, "(", ")");
    std::size_t end = body;
    int depth = 0;
    for (; end < tokens.size(); ++end) {
      depth += tokens[end].is("{") ? 1 : tokens[end].is("}") ? -1 : 0;
      if (depth == 0 && (tokens[end].is("}") || tokens[end].is(";"))) break;
    }
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(body, tokens.size()));
    const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(end, tokens.size()));
    if (std::any_of(first, last, [&](const CodeToken& token) { return token.is(name); })) continue;
    if (std::none_of(first, last, [](const CodeToken& token) { return token.is("data"); }))
      continue;
    if (changes_another(tokens.begin() + static_cast<std::ptrdiff_t>(at), last, name)) continue;
    return SourceCause{
        tokens[at].line,
        fmt::format("the loop on line {} does not use {}, so each round counts the same byte",
                    tokens[at].line, name),
        fmt::format("Let the index of the byte depend on {}", name)};
  }
  return std::nullopt;
}

// Finds `i <= length` and `i < length - 1`: the bound is one too large or one too small.
std::optional<SourceCause> wrong_bound(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool is_bound =
        tokens[at].is("length") && (tokens[at - 1].is("<") || tokens[at - 1].is("<="));
    if (!is_bound) continue;
    const int line = tokens[at].line;
    const bool less_one = has(tokens, at + 1, {"-", "0"}) && tokens[at + 2].spelling.front() == '1';
    const bool at_zero = less_one && launch.beyond && launch.length == 0;
    if (at_zero)
      return SourceCause{line, "length is unsigned and 0 here, so length - 1 is 4 294 967 295",
                         "Compare with length itself: i < length"};
    if (less_one && tokens[at - 1].is("<") && !launch.beyond && launch.leaves_unread)
      return SourceCause{line, "length - 1 leaves out the last byte",
                         "Compare with length itself: i < length"};
    if (!less_one && tokens[at - 1].is("<=") && launch.beyond == launch.length)
      return SourceCause{line, "the last byte is data[length - 1]; there is no data[length]",
                         fmt::format("Write < instead of <= on line {}", line)};
  }
  return std::nullopt;
}

std::optional<SourceCause> local_array(const Source& source, const WrongLaunch& launch) {
  const Tokens& tokens = source.kernel;
  if (!launch.wants_shared || says(tokens, "__shared__")) return std::nullopt;
  bool is_const = false;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].is(";") || tokens[at].is("{") || tokens[at].is("}")) is_const = false;
    is_const |= tokens[at].is("const") || tokens[at].is("constexpr") || tokens[at].is("static");
    const bool is_array = !is_const && has(tokens, at, {"#", "["}) &&
                          (tokens[at - 1].is("int") || tokens[at - 1].is("unsigned"));
    if (is_array)
      return SourceCause{
          tokens[at].line,
          fmt::format("{} is a local array: each thread has its own, and no other thread sees it",
                      tokens[at].spelling),
          fmt::format("Write __shared__ in front of {}, and let the threads of the block zero it",
                      tokens[at].spelling)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SourceCause> source_cause(const std::string& text, const WrongLaunch& launch) {
  Source source{.file = whole_tokens(text), .kernel = {}};
  source.kernel = body_of(source.file, launch.kernel);
  std::optional<SourceCause> cause = wrong_bound(source, launch);
  if (launch.beyond || cause) return cause;
  cause = local_array(source, launch);
  if (!cause) cause = zeroed_output(source, launch);
  if (!cause) cause = half_an_index(source, launch);
  if (!cause) cause = fixed_block(source, launch);
  if (!cause) cause = wrong_step(source, launch);
  if (!cause) cause = unused_round(source, launch);
  return cause;
}

}  // namespace histolab::grader
