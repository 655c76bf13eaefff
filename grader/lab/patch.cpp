#include "grader/lab/patch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

struct LineRange {
  std::uint32_t line = 0, count = 1;
  // Lines in front of the range. An empty range has the number of the line before it.
  [[nodiscard]] std::uint32_t before() const { return count > 0 && line > 0 ? line - 1 : line; }
};

// Takes "12,3" or "12" off the front of `text`.
std::optional<LineRange> take_range(std::string_view& text) {
  const auto take_number = [&](std::uint32_t& number) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return failure == std::errc{};
  };
  LineRange range;
  if (!take_number(range.line)) return std::nullopt;
  if (!text.starts_with(',')) return range;
  text.remove_prefix(1);
  return take_number(range.count) ? std::optional{range} : std::nullopt;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

class Patching {
 public:
  Patching(std::string_view old, std::string_view patch, const std::string& name,
           const std::string& old_name)
      : name_(name), old_name_(old_name), old_(lines_of(old)), patch_(lines_of(patch)) {}

  Result<std::string> result() {
    while (at_ < patch_.size() && is_header(patch_[at_])) ++at_;
    if (at_ == patch_.size()) return problem(at_, "the patch has no hunk");
    while (at_ < patch_.size()) TRY(apply_hunk());
    while (used_ < old_.size()) keep();
    return std::move(text_);
  }

 private:
  static bool is_header(std::string_view line) {
    return line.starts_with("---") || line.starts_with("+++");
  }

  [[nodiscard]] Error problem(std::size_t index, const std::string& text) const {
    return Error{fmt::format("{}:{}: {}", name_, index + 1, text)};
  }

  void add(std::string_view line) {
    text_.append(line).push_back('\n');
    ++written_;
  }
  void keep() { add(old_[used_++]); }

  // The old text's next line must be `line`, which the patch has at index `at_`.
  Status expect(std::string_view line) const {
    if (used_ == old_.size())
      return problem(at_, fmt::format("the patch does not apply: it expects \"{}\" as line {} of "
                                      "{}, which has {}",
                                      line, used_ + 1, old_name_, counted(used_, "line")));
    if (old_[used_] == line) return Done{};
    return problem(at_, fmt::format("the patch does not apply: it expects \"{}\" as line {} of {}, "
                                    "which is \"{}\"",
                                    line, used_ + 1, old_name_, old_[used_]));
  }

  Status apply_hunk() {
    const std::size_t header = at_;
    std::string_view rest = patch_[at_++];
    const bool begins = take(rest, "@@ -");
    const std::optional<LineRange> from = begins ? take_range(rest) : std::nullopt;
    const bool goes_on = from && take(rest, " +");
    const std::optional<LineRange> to = goes_on ? take_range(rest) : std::nullopt;
    if (!to || !take(rest, " @@"))
      return problem(header,
                     fmt::format("expected a hunk, \"@@ -LINE,COUNT +LINE,COUNT @@\", found "
                                 "\"{}\"",
                                 patch_[header]));
    if (from->before() < used_)
      return problem(header, fmt::format("the hunk begins in line {} of {}, the one before it ends "
                                         "behind that",
                                         from->line, old_name_));
    while (used_ < from->before() && used_ < old_.size()) keep();
    if (written_ != to->before())
      return problem(header,
                     fmt::format("the hunk begins in line {} of the kernel, its header says "
                                 "{}",
                                 written_ + (to->count > 0 ? 1 : 0), to->line));
    std::uint32_t from_left = from->count, to_left = to->count;
    for (; from_left > 0 || to_left > 0; ++at_) {
      const auto too_short = [&] {
        return problem(
            header, fmt::format("the hunk ends before line {}, its header promises more", at_ + 1));
      };
      if (at_ == patch_.size()) return too_short();
      const std::string_view line = patch_[at_];
      const char mark = line.empty() ? ' ' : line.front();
      const std::string_view text = line.substr(line.empty() ? 0 : 1);
      const bool is_old = mark == ' ' || mark == '-', is_new = mark == ' ' || mark == '+';
      if ((!is_old && !is_new) || (is_old && from_left == 0) || (is_new && to_left == 0))
        return too_short();
      if (is_old) TRY(expect(text));
      if (is_new) add(text);
      if (is_old) ++used_, --from_left;
      if (is_new) --to_left;
    }
    return Done{};
  }

  const std::string& name_;
  const std::string& old_name_;
  const std::vector<std::string> old_, patch_;
  std::size_t at_ = 0;                  // index of the patch's next line
  std::size_t used_ = 0, written_ = 0;  // lines of the old text, and of the new one
  std::string text_;
};

}  // namespace

Result<std::string> apply_patch(std::string_view old, std::string_view patch,
                                const std::string& name, const std::string& old_name) {
  return Patching{old, patch, name, old_name}.result();
}

}  // namespace histolab::grader
