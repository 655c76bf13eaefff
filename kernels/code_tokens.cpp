#include "kernels/code_tokens.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace histolab::kernels {
namespace {

// Names may contain `\` (as \u escapes) and bytes beyond ASCII.
bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '\\' ||
         (static_cast<unsigned char>(c) & 0x80u) != 0;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

// A source with its lines as g++ sees them. A line ends at a line feed, at a carriage return, or at
// both together. A UTF-8 byte order mark at the beginning is removed.
class Lines {
 public:
  explicit Lines(std::string_view source) : text_(source) {
    constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";
    if (source.starts_with(mark_of_utf8)) {
      begin_ = mark_of_utf8.size();
      text_.remove_prefix(begin_);
    }
    if (text_.find('\r') == std::string_view::npos) return;
    for (std::size_t i = begin_; i < source.size(); ++i) {
      const bool carriage_return = source[i] == '\r';
      if (carriage_return && i + 1 < source.size() && source[i + 1] == '\n') continue;
      changed_ += carriage_return ? '\n' : source[i];
      origin_.push_back(i);
    }
    text_ = changed_;
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  [[nodiscard]] std::string_view text() const { return text_; }
  // Returns the position in the source of the byte `at` of text().
  [[nodiscard]] std::size_t in_source(std::size_t at) const {
    return origin_.empty() ? begin_ + at : origin_[at];
  }

 private:
  std::string_view text_;
  std::size_t begin_ = 0;
  std::string changed_;
  std::vector<std::size_t> origin_;
};

// Prefixes of a raw string, in which nothing is spliced or escaped.
constexpr std::string_view raw_marks[] = {"R", "LR", "uR", "UR", "u8R"};
bool is_raw_mark(std::string_view name) {
  return std::ranges::find(raw_marks, name) != std::end(raw_marks);
}
// Some compilers end a name or number at a backslash or a byte beyond ASCII. Returns true if such a
// compiler would read a raw string's prefix behind it.
bool may_end_in_raw_mark(std::string_view spelling) {
  const auto last = std::ranges::find_if(spelling.rbegin(), spelling.rend(), [](char c) {
    return c == '\\' || (static_cast<unsigned char>(c) & 0x80u) != 0;
  });
  return last != spelling.rend() &&
         is_raw_mark(spelling.substr(static_cast<std::size_t>(spelling.rend() - last)));
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) { skip_splices(); }

  std::vector<CodeToken> all() {
    for (skip_blanks(); !at_end(); skip_blanks()) {
      if (begins_comment())
        take_comment();
      else
        take();
    }
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= source_.size(); }
  [[nodiscard]] char now() const { return at_end() ? '\0' : source_[at_]; }
  [[nodiscard]] char next() const {
    Lexer ahead(*this, at_);
    ahead.step();
    return ahead.now();
  }
  Lexer(const Lexer& other, std::size_t at) : source_(other.source_), at_(at), line_(other.line_) {}

  // If a backslash (with optional blanks behind it) continues the line, returns the position of the
  // next line's first byte. Returns 0 otherwise.
  [[nodiscard]] std::size_t splice() const {
    if (now() != '\\') return 0;
    const std::size_t end = source_.find_first_not_of(std::string_view(" \t\f\v\0", 5), at_ + 1);
    return end != std::string_view::npos && source_[end] == '\n' ? end + 1 : 0;
  }
  void skip_splices() {
    for (std::size_t to = splice(); to != 0; to = splice()) {
      at_ = to;
      ++line_;
    }
  }
  void step() {
    if (now() == '\n') ++line_;
    behind_ = ++at_;
    skip_splices();
  }
  char take_char() {
    const char c = now();
    step();
    return c;
  }

  void skip_blanks() {
    for (; !at_end(); step()) {
      if (now() == '\n') {
        directive_ = false;
        fresh_line_ = true;
      } else if (std::isspace(static_cast<unsigned char>(now())) == 0 && now() != '\0') {
        return;
      }
    }
  }

  [[nodiscard]] CodeToken begin() const {
    CodeToken token;
    token.line = line_;
    token.begin = at_;
    return token;
  }
  void end(CodeToken token) {
    token.directive = directive_;
    token.end = behind_;
    tokens_.push_back(std::move(token));
  }

  [[nodiscard]] bool begins_comment() const {
    return now() == '/' && (next() == '/' || next() == '*');
  }
  void take_comment() {
    CodeToken token = begin();
    token.kind = CodeToken::Kind::comment;
    step();
    if (take_char() == '/') {
      while (!at_end() && now() != '\n') step();
    } else {
      while (!at_end() && !(now() == '*' && next() == '/')) step();
      if (!at_end()) {
        step();
        step();
      }
    }
    end(std::move(token));
  }

  void take() {
    CodeToken token = begin();
    token.begins_line = std::exchange(fresh_line_, false);
    const char c = now();
    if (begins_name(c))
      token.kind = CodeToken::Kind::name;
    else if (is_digit(c) || (c == '.' && is_digit(next())))
      token.kind = CodeToken::Kind::number;
    if (token.kind == CodeToken::Kind::name) {
      while (!at_end() && continues_name(now())) token.spelling += take_char();
      if (now() == '"' || now() == '\'') take_prefixed(token);
      // \N{...} is a character by its name. Older compilers do not support it.
      if (now() == '{' && token.spelling.ends_with("\\N")) mark_as_doubtful(token);
    } else if (token.kind == CodeToken::Kind::number) {
      take_number(token.spelling);
      if (now() == '"' && may_end_in_raw_mark(token.spelling)) mark_as_doubtful(token);
    } else if (names_a_header() && (c == '<' || c == '"')) {
      token.kind = CodeToken::Kind::header;
      for (step(); !at_end() && now() != '\n' && now() != (c == '<' ? '>' : '"');)
        token.spelling += take_char();
      if (!at_end() && now() != '\n') step();
    } else if (c == '"' || c == '\'') {
      take_text(token);
    } else {
      token.spelling = take_char();
      if (token.spelling == "%" && now() == ':') {
        step();
        token.spelling = "#";
      }
      if (token.begins_line && token.spelling == "#") directive_ = true;
    }
    const bool is_text = token.kind == CodeToken::Kind::text;
    add(std::move(token));
    if (is_text) take_suffix();
  }

  void add(CodeToken token) {
    last_but_one_ = std::exchange(last_, tokens_.size());
    end(std::move(token));
  }

  // In `"text"R"`, R is the suffix of the string, and the quote begins another string. But if a
  // macro is called R, g++ reads a raw string.
  void take_suffix() {
    if (at_end() || !begins_name(now())) return;
    CodeToken token = begin();
    token.kind = CodeToken::Kind::name;
    Lexer ahead(*this, at_);
    while (!ahead.at_end() && continues_name(ahead.now())) token.spelling += ahead.take_char();
    if (ahead.now() != '"' || !is_raw_mark(token.spelling)) return;
    mark_as_doubtful(token);
    at_ = ahead.at_;
    behind_ = ahead.behind_;
    line_ = ahead.line_;
    add(std::move(token));
  }

  [[nodiscard]] bool names_a_header() const {
    if (!directive_ || last_but_one_ == none) return false;
    const CodeToken &before = tokens_[last_], &first = tokens_[last_but_one_];
    if (before.is("include") || before.is("include_next") || before.is("import"))
      return first.is("#");
    return before.is("(") && (first.is("__has_include") || first.is("__has_include_next"));
  }

  void take_number(std::string& spelling) {
    while (!at_end()) {
      const char c = now();
      const char before = spelling.empty() ? '\0' : spelling.back();
      const bool exponent = (c == '+' || c == '-') &&
                            (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator =
          c == '\'' && (std::isalnum(static_cast<unsigned char>(next())) != 0 || next() == '_');
      if (!continues_name(c) && c != '.' && !exponent && !separator) return;
      spelling += take_char();
    }
  }

  // Takes a string or character literal up to the closing quote or the end of the line.
  void take_text(CodeToken& token) {
    token.kind = CodeToken::Kind::text;
    const char quote = take_char();
    while (!at_end() && now() != quote && now() != '\n') {
      if (now() == '\\') token.spelling += take_char();
      if (!at_end() && now() != '\n') token.spelling += take_char();
    }
    if (now() == quote) step();
  }

  // Takes a name that is followed by a quote: either a string's prefix, or a name before a string.
  void take_prefixed(CodeToken& token) {
    static constexpr std::string_view plain[] = {"L", "u", "U", "u8"};
    if (now() == '"' && is_raw_mark(token.spelling)) {
      token.kind = CodeToken::Kind::text;
      token.spelling.clear();
      take_raw(token);
    } else if (std::find(std::begin(plain), std::end(plain), token.spelling) != std::end(plain)) {
      token.spelling.clear();
      take_text(token);
    } else if (now() == '"' && may_end_in_raw_mark(token.spelling)) {
      mark_as_doubtful(token);
    }
  }

  // Makes a name that no source can contain. It means that compilers may read the following text in
  // two ways.
  static void mark_as_doubtful(CodeToken& token) {
    token.kind = CodeToken::Kind::name;
    token.spelling += '"';
  }

  // R"delimiter(text)delimiter": nothing in it is spliced. If the delimiter is invalid in C++, it
  // is taken like an ordinary string.
  void take_raw(CodeToken& token) {
    constexpr std::size_t longest_delimiter = 16;
    const std::size_t size =
        source_.substr(at_ + 1, longest_delimiter + 1).find_first_of("() \\\t\v\f\n");
    if (size == std::string_view::npos || source_[at_ + 1 + size] != '(') return take_text(token);
    const std::size_t begin = at_ + 1 + size + 1;
    const std::string close = ")" + std::string(source_.substr(at_ + 1, size)) + "\"";
    const std::size_t end = std::min(source_.find(close, begin), source_.size());
    token.spelling = source_.substr(begin, end - begin);
    line_ += static_cast<int>(std::ranges::count(token.spelling, '\n'));
    behind_ = at_ = std::min(end + close.size(), source_.size());
    skip_splices();
  }

  static constexpr std::size_t none = std::string_view::npos;
  std::string_view source_;
  std::size_t at_ = 0, behind_ = 0;  // the next byte; the end of the last one, before any splice
  int line_ = 1;
  bool directive_ = false, fresh_line_ = true;
  std::size_t last_ = none, last_but_one_ = none;  // indices of tokens, without comments
  std::vector<CodeToken> tokens_;
};

}  // namespace

std::vector<CodeToken> code_and_comments(std::string_view source) {
  const Lines lines(source);
  std::vector<CodeToken> tokens = Lexer(lines.text()).all();
  for (CodeToken& token : tokens) {
    token.begin = lines.in_source(token.begin);
    token.end = lines.in_source(token.end - 1) + 1;
  }
  return tokens;
}

std::vector<CodeToken> code_tokens(std::string_view source) {
  std::vector<CodeToken> tokens = code_and_comments(source);
  std::erase_if(tokens,
                [](const CodeToken& token) { return token.kind == CodeToken::Kind::comment; });
  return tokens;
}

std::string without_comments(std::string_view source) {
  std::vector<bool> in_comment(source.size());
  for (const CodeToken& token : code_and_comments(source))
    if (token.kind == CodeToken::Kind::comment)
      for (std::size_t i = token.begin; i < token.end; ++i) in_comment[i] = true;
  std::string code;
  for (std::size_t begin = 0, end = 0; begin < source.size(); begin = end + 1) {
    end = std::min(source.find('\n', begin), source.size());
    std::string line;
    bool has_comment = end < source.size() && in_comment[end];
    for (std::size_t i = begin; i < end; ++i) {
      has_comment |= in_comment[i];
      if (!in_comment[i])
        line += source[i];
      else if (i == begin || !in_comment[i - 1])
        line += ' ';
    }
    if (has_comment) line.resize(line.find_last_not_of(" \t\r") + 1);
    if (has_comment && line.empty()) continue;
    code += line;
    if (end < source.size()) code += '\n';
  }
  return code;
}

}  // namespace histolab::kernels
