#include "kernels/worker/compiling/device_operators.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/worker/source/source_tokens.h"

namespace histolab::kernels::worker {
namespace {

constexpr std::size_t none = std::string::npos;
constexpr std::size_t most_tokens_back =
    300;  // per expression: a hostile source could cost much time

class Marker {
 public:
  explicit Marker(const std::string& text) : text_(text), tokens_(code_tokens(text)) {
    for (std::size_t at = 0; at + 2 < tokens_.size(); ++at)
      if (is_kind(at, Token::Kind::name) && is_mark(at + 1, ':') &&
          is_kind(at + 2, Token::Kind::number))
        bit_fields_.insert(tokens_[at].spelling);
  }

  std::string marked() {
    if (may_see_a_mark()) return text_;
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (token.begins_line) in_definition_ = token.is("#") && is(at + 1, "define");
      if (at > 0 && (!token.directive || in_definition_)) mark(at);  // marks are invalid in an #if
    }
    return insert_marks();
  }

 private:
  [[nodiscard]] bool is(std::size_t at, std::string_view word) const {
    return at < tokens_.size() && tokens_[at].is(word);
  }
  [[nodiscard]] bool is_mark(std::size_t at, char mark) const {
    return is(at, std::string_view(&mark, 1));
  }
  [[nodiscard]] bool is_kind(std::size_t at, Token::Kind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }
  [[nodiscard]] bool adjoin(std::size_t at) const {
    return at + 1 < tokens_.size() && tokens_[at].end == tokens_[at + 1].begin;
  }
  // Returns whether these characters follow each other without a blank. Each is a token of its own.
  [[nodiscard]] bool spells(std::size_t at, std::string_view marks) const {
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (!is_mark(at + i, marks[i]) || (i + 1 < marks.size() && !adjoin(at + i))) return false;
    return true;
  }

  // Returns whether a macro turns its argument into text, or a name equals that of a mark.
  [[nodiscard]] bool may_see_a_mark() const {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (token.kind == Token::Kind::name &&
          (token.spelling.starts_with("histolab_") || token.spelling.find_first_of("\\\"") != none))
        return true;
      if (token.directive && !token.begins_line && token.is("#") &&
          !(is(at + 1, "#") || is(at - 1, "#")))
        return true;
    }
    return false;
  }

  void mark(std::size_t at) {
    if (is(at - 1, "operator")) return;
    for (const char angle : {'<', '>'}) {
      const char twice[] = {angle, angle, '\0'};
      if (is_mark(at - 1, angle) && adjoin(at - 1)) continue;  // the second of two
      if (spells(at, twice)) return mark_shift(at, angle);
    }
    for (const char operation : {'+', '-', '*', '/', '%', '&', '|', '^'}) {
      const char assigned[] = {operation, '=', '\0'};
      if (spells(at, assigned) && !(is_mark(at - 1, operation) && adjoin(at - 1))) mark_place(at);
    }
    if (is_assignment(at)) mark_chain(at);
  }

  [[nodiscard]] bool is_assignment(std::size_t at) const {
    if (!is_mark(at, '=') || (is_mark(at + 1, '=') && adjoin(at))) return false;
    return !adjoin(at - 1) ||
           std::ranges::none_of(std::string_view("=<>!+-*/%&|^"),
                                [&](char mark) { return is_mark(at - 1, mark); });
  }

  // `a = b = 0` becomes `a = (b = 0, 0)` if `at` is the last `=`. Otherwise g++ would read b again.
  void mark_chain(std::size_t at) {
    const Token& value = tokens_[at + 1];
    const bool is_zero = value.spelling.find_first_not_of("0.fFuUlL") == none;
    const bool ends = is_mark(at + 2, ';') || is_mark(at + 2, ',') || is_mark(at + 2, ')');
    if (value.kind != Token::Kind::number || !is_zero || !ends) return;
    for (std::size_t outer = assignment_before(at); outer != none;
         outer = assignment_before(outer)) {
      if (declares_auto(outer)) return;
      marks_.emplace_back(tokens_[outer + 1].begin, "(");
      marks_.emplace_back(value.end, ", 0)");
    }
  }

  // Returns the position of the `=` before the left side of the assignment at `at`, or none.
  [[nodiscard]] std::size_t assignment_before(std::size_t at) const {
    for (std::size_t i = at - 1; i > 0 && at - i < most_tokens_back; --i) {
      if (is_mark(i, ']') || is_mark(i, ')')) {
        i = opening(i);
        if (i == none || i == 0) return none;
      } else if (is_mark(i, '=')) {
        return is_assignment(i) && i + 1 < at ? i : none;
      } else if (!is_kind(i, Token::Kind::name) && !is_mark(i, '.') && !is_mark(i, '*') &&
                 !(is_mark(i, '>') && is_mark(i - 1, '-')) &&
                 !(is_mark(i, '-') && is_mark(i + 1, '>'))) {
        return none;
      }
    }
    return none;
  }

  // `auto a = b = 0`: a has the type of b.
  [[nodiscard]] bool declares_auto(std::size_t at) const {
    for (std::size_t i = at - 1; i < tokens_.size() && at - i < 8; --i) {
      if (is_mark(i, ';') || is_mark(i, '{') || is_mark(i, '}') || is_mark(i, '(')) return false;
      if (is(i, "auto")) return true;
    }
    return false;
  }

  void mark_place(std::size_t at) {
    if (needs_its_place_once(at) && !in_assertion(at))
      marks_.emplace_back(tokens_[at].begin, " ->* histolab_place{} ");
  }

  void mark_shift(std::size_t at, char angle) {
    const bool assigns = is_mark(at + 2, '=') && adjoin(at + 1);
    const std::size_t right = at + (assigns ? 3 : 2);
    if (right >= tokens_.size() || (is_mark(at + 2, angle) && adjoin(at + 1))) return;  // a launch
    if (is_mark(at - 1, '.') || is_mark(right, '.')) return;  // a fold over a pack
    if (angle == '>' && !is_right_shift(at)) return;
    if (is_literal(right)) return assigns ? mark_place(at) : void();
    if (in_assertion(at) || (assigns && is_bit_field(at - 1))) return;
    const std::size_t end = tokens_[right - 1].end;
    if (assigns)
      marks_.emplace_back(end, " histolab_shift{} +=");
    else
      marks_.emplace_back(end, angle == '<' ? " histolab_shift{} <<" : " histolab_shift{} >>");
  }

  // Returns whether the right operand is a literal alone. g++ checks such a shift itself.
  [[nodiscard]] bool is_literal(std::size_t at) const {
    const bool continues = std::ranges::any_of(std::string_view("+-*/%"),
                                               [&](char sign) { return is_mark(at + 1, sign); });
    return is_kind(at, Token::Kind::number) && !continues;
  }

  // Returns the position of the opening bracket for the one at `at`, or none if it is too far away.
  [[nodiscard]] std::size_t opening(std::size_t at) const {
    int depth = 0;
    for (std::size_t back = 0; back < most_tokens_back && at < tokens_.size(); ++back, --at) {
      if (is_mark(at, ')') || is_mark(at, ']') || is_mark(at, '}')) ++depth;
      if ((is_mark(at, '(') || is_mark(at, '[') || is_mark(at, '{')) && --depth == 0) return at;
    }
    return none;
  }

  // Returns whether an expression begins here, so that template arguments rarely continue across
  // this token. If they do, the marked text does not compile.
  [[nodiscard]] bool begins_expression(std::size_t at) const {
    if (std::ranges::any_of(std::string_view("([{};?"),
                            [&](char mark) { return is_mark(at, mark); }) ||
        is(at, "return"))
      return true;
    const auto follows = [&](std::string_view marks) {
      return adjoin(at - 1) &&
             std::ranges::any_of(marks, [&](char mark) { return is_mark(at - 1, mark); });
    };
    if (is_mark(at, '=')) return !follows("=<>!") && !(is_mark(at + 1, '=') && adjoin(at));
    const bool joins = (is_mark(at, '&') && follows("&")) || (is_mark(at, '|') && follows("|"));
    return joins && (is_kind(at + 1, Token::Kind::name) || is_kind(at + 1, Token::Kind::number) ||
                     is_mark(at + 1, '('));
  }

  // Returns whether `>>` at `at` is a shift. It may end two lists of template arguments if two `<`
  // are open there.
  [[nodiscard]] bool is_right_shift(std::size_t at) const {
    const bool directive = tokens_[at].directive;
    int closed = 0, open = 0;
    std::size_t back = 0;
    for (std::size_t i = at - 1; i < tokens_.size(); --i) {
      if (++back > most_tokens_back) return false;
      if (tokens_[i].directive != directive) return true;
      if (is_mark(i, ')') || is_mark(i, ']')) {
        const std::size_t open = opening(i);
        if (open == none) return false;
        back += i - std::exchange(i, open);
        continue;
      }
      if (begins_expression(i)) return true;
      const bool doubled = (is_mark(i, '<') && is_mark(i - 1, '<') && adjoin(i - 1)) ||
                           (is_mark(i, '>') && is_mark(i - 1, '-') && adjoin(i - 1));
      if (doubled)
        --i;
      else if (is_mark(i, '>') && !(is_mark(i + 1, '=') && adjoin(i)))
        ++closed;
      else if (is_mark(i, '<') && closed > 0)
        --closed;
      else if (is_mark(i, '<') && !(is_mark(i + 1, '=') && adjoin(i)) && ++open == 2)
        return false;
    }
    return true;
  }

  // An assert() prints its argument, so its text must not change.
  [[nodiscard]] bool in_assertion(std::size_t at) const {
    std::size_t back = 0;
    for (std::size_t i = at - 1; i < tokens_.size() && back < most_tokens_back && !is_mark(i, ';');
         --i, ++back)
      if (is(i, "assert")) return true;
    return back == most_tokens_back;
  }

  // A reference cannot refer to a bit-field.
  [[nodiscard]] bool is_bit_field(std::size_t name) const {
    return is_kind(name, Token::Kind::name) && bit_fields_.contains(tokens_[name].spelling);
  }

  // Returns whether the address on the left of the compound assignment at `at` may depend on
  // memory.
  [[nodiscard]] bool needs_its_place_once(std::size_t at) const {
    if (is_bit_field(at - 1)) return false;
    for (std::size_t i = at - 1; i < tokens_.size() && at - i < most_tokens_back;) {
      if (is_mark(i, ']')) {
        const std::size_t open = opening(i);
        if (open == none || open == 0) return false;
        if (open + 2 != i || !is_kind(open + 1, Token::Kind::number)) return !is_lambda(open);
        i = open - 1;
      } else if (is_mark(i, ')')) {
        return true;
      } else if (is_kind(i, Token::Kind::name)) {
        if (i == 0) return false;
        if (is_mark(i - 1, '*')) return true;
        if (is_mark(i - 1, '>') && is_mark(i - 2, '-') && adjoin(i - 2)) return true;
        if (!is_mark(i - 1, '.')) return false;
        i -= 2;
      } else {
        return false;
      }
    }
    return false;
  }
  // Returns whether this bracket is the capture of a lambda instead of an index.
  [[nodiscard]] bool is_lambda(std::size_t open) const {
    const std::size_t before = open - 1;
    return !is_kind(before, Token::Kind::name) && !is_mark(before, ']') && !is_mark(before, ')');
  }

  [[nodiscard]] std::string insert_marks() {
    std::ranges::stable_sort(marks_, {}, &std::pair<std::size_t, std::string_view>::first);
    std::string result;
    std::size_t from = 0;
    for (const auto& [at, words] : marks_) {
      result.append(text_, from, at - from);
      result += words;
      from = at;
    }
    return result.append(text_, from);
  }

  const std::string& text_;
  const std::vector<Token> tokens_;
  // And false positives such as `c ? a : 1`.
  std::set<std::string> bit_fields_;
  bool in_definition_ = false;  // of a macro
  // Position in the text, inserted text.
  std::vector<std::pair<std::size_t, std::string_view>> marks_;
};

}  // namespace

std::string with_device_operators(const std::string& text) { return Marker(text).marked(); }

}  // namespace histolab::kernels::worker
