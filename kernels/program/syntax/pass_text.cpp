#include "kernels/program/syntax/pass_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "kernels/code_tokens.h"

namespace histolab::kernels::program {
namespace {

using Token = CodeToken;

constexpr std::size_t none = std::string_view::npos;
constexpr std::size_t most_problems = 20;
// Tokens of one declaration, and of a kernel from its attributes to its body. A bracket and its
// content count as one.
constexpr std::size_t most_specifiers = 40, most_of_head = 2000;

// Names in the attributes of kernels and of shared variables in the host pass
// (histolab/host_pass.h), and in those of kernels and device functions in the device pass
// (histolab/cuda_shim.h).
constexpr std::string_view kernel_sign = "patchable_function_entry";
constexpr std::string_view device_signs[] = {"flatten", "histolab_device"};
constexpr std::string_view shared_sign = "histolab_shared", weak = "weak";

constexpr const char* no_kernel =
    "a launch needs a kernel in front of <<<: write kernel<<<blocks, threads>>>(arguments)";
constexpr const char* no_end =
    "this launch has no >>> followed by the arguments in parentheses: write "
    "kernel<<<blocks, threads>>>(arguments)";
constexpr const char* no_closing = "the parenthesis after this launch's >>> is never closed";
constexpr const char* one_value =
    "a launch needs the number of blocks and the number of threads per block: write "
    "kernel<<<blocks, threads>>>(arguments)";
constexpr const char* in_kernel =
    "a kernel launches another kernel here (dynamic parallelism), which is not supported yet: "
    "launch it from the host instead";
constexpr const char* assembly =
    "inline PTX (asm) is not supported yet. Write it in CUDA C++ instead";
constexpr const char* nested = "a launch cannot be in the <<<...>>> of another launch";

// A line `# 3 "file.h" 1 3`.
struct LineMarker {
  int line = 0;
  std::string_view file;
  bool enters = false, returns = false, in_system = false;
};

std::string_view word_of(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// Returns whether the line is a marker; fills `marker` then.
bool read_marker(std::string_view line, LineMarker& marker) {
  if (!line.starts_with("# ")) return false;
  line.remove_prefix(2);
  const std::string_view number = word_of(line);
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), marker.line);
  const std::size_t open = line.find('"'), close = line.rfind('"');
  if (failure != std::errc{} || end != number.data() + number.size() || open == close) return false;
  marker.file = line.substr(open + 1, close - open - 1);
  line.remove_prefix(close + 1);
  for (std::string_view flag = word_of(line); !flag.empty(); flag = word_of(line)) {
    marker.enters |= flag == "1";
    marker.returns |= flag == "2";
    marker.in_system |= flag == "3";
  }
  return true;
}

// Tokens of the text outside of system headers, with positions in the source files.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    std::size_t depth = 0, part = 0;  // of the current system header; begin of the current part
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      LineMarker marker;
      if (text[begin] == '#' && read_marker(text.substr(begin, end - begin), marker)) {
        const std::size_t before = depth;
        if (depth > 0 || marker.in_system) depth += marker.enters ? 1 : 0;
        if (depth > 0 && marker.returns) --depth;
        if (before == 0 && depth > 0) add(part, begin);
        if (depth == 0) {
          if (before == 0) add(part, begin);
          part = std::min(end + 1, text.size());
          file_ = marker.file;
          line_ = marker.line;
        }
      }
      begin = end + 1;
    }
    if (depth == 0) add(part, text.size());
    match_brackets();
  }

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t at) const { return tokens_[at]; }
  [[nodiscard]] std::string_view file(std::size_t at) const { return files_[at]; }
  // Index of the bracket that closes the one at `at`, or none.
  [[nodiscard]] std::size_t closing(std::size_t at) const { return closing_[at]; }
  [[nodiscard]] bool is(std::size_t at, std::string_view mark) const {
    return at < size() && tokens_[at].kind == Token::Kind::mark && tokens_[at].spelling == mark;
  }
  [[nodiscard]] bool is_name(std::size_t at) const {
    return at < size() && tokens_[at].kind == Token::Kind::name;
  }
  [[nodiscard]] bool is_name(std::size_t at, std::string_view name) const {
    return is_name(at) && tokens_[at].spelling == name;
  }
  [[nodiscard]] bool adjoin(std::size_t at) const {
    return at + 1 < size() && tokens_[at].end == tokens_[at + 1].begin;
  }
  // Returns whether three such marks begin here, at most one blank between them.
  [[nodiscard]] bool spells_three(std::size_t at, std::string_view mark) const {
    return is(at, mark) && is(at + 1, mark) && is(at + 2, mark) && (adjoin(at) || adjoin(at + 1));
  }

 private:
  // Appends the tokens of a part of the text. Its first line has the number line_.
  void add(std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    for (Token& token : code_tokens(text_.substr(begin, end - begin))) {
      if (token.directive) continue;
      token.begin += begin;
      token.end += begin;
      token.line += line_ - 1;
      tokens_.push_back(std::move(token));
      files_.push_back(file_);
    }
  }

  void match_brackets() {
    closing_.resize(size(), none);
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < size(); ++at) {
      if (is(at, "(") || is(at, "[") || is(at, "{")) open.push_back(at);
      const char* opening = is(at, ")") ? "(" : is(at, "]") ? "[" : is(at, "}") ? "{" : nullptr;
      if (opening == nullptr || open.empty()) continue;
      if (is(open.back(), opening)) closing_[open.back()] = at;
      open.pop_back();
    }
  }

  std::string_view text_, file_;
  int line_ = 1;
  std::vector<Token> tokens_;
  std::vector<std::string_view> files_;
  std::vector<std::size_t> closing_;
};

// Positions of a launch: `<<<`, `>>>`, and the closing parenthesis.
struct Found {
  std::size_t begin = 0, end = 0, close = 0;
};

// The tokens between the braces of a function; empty for a declaration.
struct Body {
  std::size_t begin = 0, end = 0;
};

// Returns the body of the function whose attributes contain the token at `at`.
Body body_behind(const Tokens& tokens, std::size_t at) {
  const std::size_t last = std::min(at + most_of_head, tokens.size());
  for (++at; at < last && !tokens.is(at, ";") && !tokens.is(at, "}"); ++at) {
    const std::size_t close = tokens.closing(at);
    if (tokens.is(at, "{")) return close == none ? Body{} : Body{at + 1, close};
    if (close != none) at = close;
  }
  return {};
}

// Returns the bodies of kernels and device functions; not those inside of another one.
std::vector<Body> device_bodies_of(const Tokens& tokens) {
  std::vector<Body> bodies;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens.is_name(at, device_signs[0]) && !tokens.is_name(at, device_signs[1])) continue;
    const Body body = body_behind(tokens, at);
    if (body.begin < body.end && (bodies.empty() || bodies.back().end <= body.begin))
      bodies.push_back(body);
  }
  return bodies;
}

class Rewriter {
 public:
  Rewriter(Pass pass, std::string_view text) : pass_(pass), source_(text), tokens_(text) {}

  PassText rewritten() {
    std::size_t kernel_end = 0;
    for (std::size_t at = 0; at < tokens_.size() && result_.problems.size() < most_problems;) {
      if (pass_ == Pass::host && tokens_.is_name(at, kernel_sign)) {
        bodies_.push_back(body_behind(tokens_, at));
        kernel_end = std::max(kernel_end, bodies_.back().end);
      }
      in_kernel_ = at < kernel_end;
      const bool begins =
          tokens_.spells_three(at, "<") && !(at > 0 && tokens_[at - 1].is("operator"));
      at = begins ? take(at) : at + 1;
    }
    if (pass_ == Pass::device) find_assembly();
    write();
    return std::move(result_);
  }

 private:
  void find_assembly() {
    for (const Body& body : device_bodies_of(tokens_))
      for (std::size_t at = body.begin; at < body.end; ++at)
        if ((tokens_.is_name(at, "asm") || tokens_.is_name(at, "__asm__")) &&
            result_.problems.size() < most_problems)
          result_.problems.push_back({std::string(tokens_.file(at)), tokens_[at].line, assembly});
  }

  // Takes the launch whose `<<<` is at `at`. Returns the position behind the part that was read.
  std::size_t take(std::size_t at) {
    const auto fails = [&](const char* message) {
      result_.problems.push_back({std::string(tokens_.file(at)), tokens_[at].line, message});
      return at + 3;
    };
    const bool has_kernel = at > 0 && (tokens_.is_name(at - 1) || tokens_.is(at - 1, ">") ||
                                       tokens_.is(at - 1, ")") || tokens_.is(at - 1, "]"));
    if (!has_kernel) return fails(no_kernel);
    if (in_kernel_) return fails(in_kernel);
    bool has_comma = false;
    std::size_t end = at + 3;
    for (; !ends_values(end); ++end) {
      if (end >= tokens_.size() || tokens_.is(end, ";") || tokens_.is(end, ")") ||
          tokens_.is(end, "]") || tokens_.is(end, "}"))
        return fails(no_end);
      if (tokens_.spells_three(end, "<")) return fails(nested);
      has_comma |= tokens_.is(end, ",");
      if (const std::size_t close = tokens_.closing(end); close != none) end = close;
    }
    if (!has_comma) return fails(one_value);
    const std::size_t close = tokens_.closing(end + 3);
    if (close == none) return fails(no_closing);
    found_.push_back({at, end, close});
    return end + 3;
  }

  // Returns whether the declaration of the name at `at` begins with `extern`.
  [[nodiscard]] bool is_extern(std::size_t at) const {
    for (std::size_t back = 1; back <= std::min<std::size_t>(at, most_specifiers); ++back) {
      const std::size_t i = at - back;
      if (tokens_.is_name(i, "extern")) return true;
      if (tokens_.is(i, ";") || tokens_.is(i, "{") || tokens_.is(i, "}")) return false;
    }
    return false;
  }

  // Returns whether `>>>(` is here. In `>>>>(` the first one ends a list of template arguments.
  [[nodiscard]] bool ends_values(std::size_t at) const {
    return tokens_.spells_three(at, ">") && tokens_.is(at + 3, "(");
  }

  [[nodiscard]] std::string call_for(const Found& launch) const {
    std::string call = ",histolab_go(";
    for (std::size_t at = launch.begin + 3; at < launch.end; ++at) {
      call += source_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
      if (!tokens_.adjoin(at) && at + 1 < launch.end) call += ' ';
    }
    return call + ")";
  }

  void write() {
    std::string text(source_);
    for (const Found& launch : found_)
      for (std::size_t at = launch.begin; at < launch.end + 3; ++at)
        blank_out(text, tokens_[at].begin, tokens_[at].end);
    for (std::size_t at = 0; at < tokens_.size() && pass_ == Pass::host; ++at)
      if (tokens_.is_name(at, shared_sign) && is_extern(at)) {
        blank_out(text, tokens_[at].begin, tokens_[at].end);
        text.replace(tokens_[at].begin, weak.size(), weak);
      }
    for (const Body& body : bodies_)
      for (std::size_t at = body.begin; at < body.end; ++at)
        blank_out(text, tokens_[at].begin, tokens_[at].end);
    // A launch may be in the arguments of another one, so calls are in the order of their ends.
    std::vector<std::size_t> order(found_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return found_[i].close; });
    result_.launches.resize(found_.size());
    std::size_t from = 0;
    for (const std::size_t i : order) {
      const Found& launch = found_[i];
      const std::string call = call_for(launch);
      const std::size_t to = tokens_[launch.close].end;
      result_.text.append(text, from, to - from);
      from = to;
      const std::size_t line_begin = result_.text.rfind('\n') + 1;  // none + 1 is 0
      result_.launches[i] = {std::string(tokens_.file(launch.begin)), tokens_[launch.begin].line,
                             tokens_[launch.close].line, result_.text.size() - line_begin + 1,
                             call.size()};
      result_.text += call;
    }
    result_.text.append(text, from);
  }

  static void blank_out(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }

  Pass pass_;
  std::string_view source_;
  Tokens tokens_;
  bool in_kernel_ = false;
  std::vector<Found> found_;
  std::vector<Body> bodies_;
  PassText result_;
};

}  // namespace

PassText text_for(Pass pass, std::string_view preprocessed) {
  return Rewriter(pass, preprocessed).rewritten();
}

std::vector<TextRange> device_bodies(std::string_view preprocessed) {
  const Tokens tokens(preprocessed);
  std::vector<TextRange> ranges;
  for (const Body& body : device_bodies_of(tokens))
    ranges.push_back({tokens[body.begin].begin, tokens[body.end - 1].end});
  return ranges;
}

}  // namespace histolab::kernels::program
