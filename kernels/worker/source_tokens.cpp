#include "kernels/worker/source_tokens.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace histolab::kernels::worker {
namespace {

// `\` and bytes beyond ASCII: names may be written with them.
bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '\\' || (static_cast<unsigned char>(c) & 0x80u) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

// As g++ reads it: without the mark of UTF-8 in front, and with lines that end at a line feed, at a carriage return, or at both together.
std::string in_lines(std::string_view source) {
  constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";
  if (source.starts_with(mark_of_utf8)) source.remove_prefix(mark_of_utf8.size());
  std::string lines;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] != '\r') lines += source[i];
    else if (i + 1 == source.size() || source[i + 1] != '\n') lines += '\n';
  return lines;
}

constexpr std::string_view raw_marks[] = {"R", "LR", "uR", "UR", "u8R"};  // in front of a text in which nothing is spliced or escaped

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) { skip_splices(); }

  std::vector<Token> all() {
    while (skip_blanks()) take();
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

  // Where the line that goes on after a backslash, with blanks behind it, begins; 0 where there is no such thing.
  [[nodiscard]] std::size_t splice() const {
    if (now() != '\\') return 0;
    const std::size_t end = source_.find_first_not_of(std::string_view(" \t\f\v\0", 5), at_ + 1);
    return end != std::string_view::npos && source_[end] == '\n' ? end + 1 : 0;
  }
  void skip_splices() {
    for (std::size_t to = splice(); to != 0; to = splice()) at_ = to, ++line_;
  }
  void step() {
    if (now() == '\n') ++line_;
    ++at_;
    skip_splices();
  }
  char take_char() {
    const char c = now();
    step();
    return c;
  }

  bool skip_blanks() {  // false: the end
    while (!at_end()) {
      if (now() == '\n') directive_ = false, fresh_line_ = true, step();
      else if (std::isspace(static_cast<unsigned char>(now())) != 0 || now() == '\0') step();
      else if (now() == '/' && next() == '/') {
        while (!at_end() && now() != '\n') step();
      } else if (now() == '/' && next() == '*') {
        for (step(), step(); !at_end() && !(now() == '*' && next() == '/');) step();
        if (!at_end()) step(), step();
      } else return true;
    }
    return false;
  }

  void take() {
    Token token;
    token.line = line_;
    token.begins_line = std::exchange(fresh_line_, false);
    const char c = now();
    if (begins_name(c)) token.kind = Token::Kind::name;
    else if (is_digit(c) || (c == '.' && is_digit(next()))) token.kind = Token::Kind::number;
    if (token.kind == Token::Kind::name) {
      while (!at_end() && continues_name(now())) token.spelling += take_char();
      if (now() == '"' || now() == '\'') take_prefixed(token);
    } else if (token.kind == Token::Kind::number) {
      take_number(token.spelling);
    } else if (names_a_header() && (c == '<' || c == '"')) {
      token.kind = Token::Kind::header;
      for (step(); !at_end() && now() != '\n' && now() != (c == '<' ? '>' : '"');) token.spelling += take_char();
      if (now() != '\n') step();
    } else if (c == '"' || c == '\'') {
      take_text(token);
    } else {
      token.spelling = take_char();
      if (token.spelling == "%" && now() == ':') step(), token.spelling = "#";
      if (token.begins_line && token.spelling == "#") directive_ = true;
    }
    token.directive = directive_;
    tokens_.push_back(std::move(token));
  }

  [[nodiscard]] bool names_a_header() const {
    if (!directive_ || tokens_.empty()) return false;
    const Token& before = tokens_.back();
    if (before.is("include") || before.is("include_next") || before.is("import")) return tokens_.size() >= 2 && tokens_[tokens_.size() - 2].is("#");
    return before.is("(") && tokens_.size() >= 2 && (tokens_[tokens_.size() - 2].is("__has_include") || tokens_[tokens_.size() - 2].is("__has_include_next"));
  }

  void take_number(std::string& spelling) {
    while (!at_end()) {
      const char c = now();
      const char before = spelling.empty() ? '\0' : spelling.back();
      const bool exponent = (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator = c == '\'' && (std::isalnum(static_cast<unsigned char>(next())) != 0 || next() == '_');
      if (!continues_name(c) && c != '.' && !exponent && !separator) return;
      spelling += take_char();
    }
  }

  // Up to the quote that ends it, or the end of its line.
  void take_text(Token& token) {
    token.kind = Token::Kind::text;
    const char quote = take_char();
    while (!at_end() && now() != quote && now() != '\n') {
      if (now() == '\\') token.spelling += take_char();
      if (!at_end() && now() != '\n') token.spelling += take_char();
    }
    if (now() != quote) return;
    step();
    take_suffix();
  }

  // `"text"R`: R is the text's suffix, and what follows it another text; where a macro is called R, g++ takes it for one that is raw. Nobody
  // writes that: it becomes a name that no source can have.
  void take_suffix() {
    const auto is_raw_mark = [&](std::string_view name) { return std::find(std::begin(raw_marks), std::end(raw_marks), name) != std::end(raw_marks); };
    if (at_end() || !begins_name(now())) return;
    Lexer ahead(*this, at_);
    std::string name;
    while (!ahead.at_end() && continues_name(ahead.now())) name += ahead.take_char();
    if (ahead.now() != '"' || !is_raw_mark(name)) return;
    tokens_.push_back({Token::Kind::name, name + '"', line_, false, directive_});
    at_ = ahead.at_, line_ = ahead.line_;
  }

  // A name with a quote behind it: what stands before a string, or a name and then a string.
  void take_prefixed(Token& token) {
    static constexpr std::string_view plain[] = {"L", "u", "U", "u8"};
    if (now() == '"' && std::find(std::begin(raw_marks), std::end(raw_marks), token.spelling) != std::end(raw_marks)) {
      token.kind = Token::Kind::text;
      take_raw(token.spelling);
    } else if (std::find(std::begin(plain), std::end(plain), token.spelling) != std::end(plain)) {
      token.spelling.clear();
      take_text(token);
    }
  }

  // R"delimiter(text)delimiter": nothing in it is spliced.
  void take_raw(std::string& spelling) {
    const std::size_t open = source_.find('(', at_);
    const std::string end = open == std::string_view::npos ? "\"" : ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t begin = open == std::string_view::npos ? at_ + 1 : open + 1;
    const std::size_t close = std::min(source_.find(end, begin), source_.size());
    spelling = source_.substr(begin, close - begin);
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_), source_.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
    at_ = std::min(close + end.size(), source_.size());
    skip_splices();
    take_suffix();
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool directive_ = false, fresh_line_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  const std::string lines = in_lines(source);
  return Lexer(lines).all();
}

bool is_assembly(const std::vector<Token>& tokens, std::size_t at) {
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return at < tokens.size() && std::any_of(words.begin(), words.end(), [&](std::string_view word) { return tokens[at].is(word); });
  };
  if (!is({"asm", "__asm", "__asm__"})) return false;
  for (++at; is({"volatile", "__volatile__", "__volatile", "inline", "goto"});) ++at;
  if (!is({"("}) || ++at == tokens.size() || tokens[at].kind != Token::Kind::text || !tokens[at].spelling.empty()) return true;
  ++at;
  return !is({":", ")"});
}

}  // namespace histolab::kernels::worker
