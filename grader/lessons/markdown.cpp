#include "grader/lessons/markdown.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

#include "grader/words/characters.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

constexpr char glue = '\x1f';  // a blank that must not become a line break

// Returns the length of an item's mark, "- " or "12. ", or 0 if the line is not an item.
std::size_t item_mark(const std::string& line) {
  if (line.starts_with("- ")) return 2;
  std::size_t at = 0;
  while (at < line.size() && is_digit(line[at])) ++at;
  return at > 0 && at < 4 && line.substr(at).starts_with(". ") ? at + 2 : 0;
}

BlockKind kind_of(const std::string& line, BlockKind before) {
  if (line.empty()) return BlockKind::blank;
  if (line.starts_with("```")) return BlockKind::fenced;
  if (line.starts_with("<!--")) return BlockKind::comment;
  if (line.starts_with("    ") && (before == BlockKind::blank || before == BlockKind::indented))
    return BlockKind::indented;
  if (line.starts_with("|")) return BlockKind::table;
  if (line.starts_with("# ") || line.starts_with("## ") || line.starts_with("### "))
    return BlockKind::heading;
  // As in CommonMark, within a paragraph a line that begins with "256. " is text, not an item.
  const bool may_begin_list =
      before != BlockKind::paragraph || line.starts_with("- ") || line.starts_with("1. ");
  if (item_mark(line) > 0 && may_begin_list) return BlockKind::item;
  return before == BlockKind::item ? BlockKind::item : BlockKind::paragraph;
}

// Returns true if a line that begins with this word does not look like a paragraph.
bool begins_a_block(std::string_view word) {
  const std::string line = std::string{word} + " ";
  return item_mark(line) > 0 || line[0] == '|' || line[0] == '#' || line[0] == '+' ||
         line[0] == '=' || line[0] == '>' || line.starts_with("* ") || line.starts_with("-");
}

// Replaces blanks that must not become line breaks: within `code`, 16 387 and 15 %, and before
// words that look like markup at the start of a line.
std::string glued(std::string text) {
  for (const auto& [begin, end] : code_spans(text))
    if (columns(std::string_view{text}.substr(begin, end - begin)) <= 40)
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin),
                   text.begin() + static_cast<std::ptrdiff_t>(end), ' ', glue);
  for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    const std::size_t begin = at + 1, end = std::min(text.find(' ', begin), text.size());
    const std::string_view next = std::string_view{text}.substr(begin, end - begin);
    const bool three = next.size() >= 3 && is_digit(next[0]) && is_digit(next[1]) &&
                       is_digit(next[2]) && (next.size() == 3 || !is_digit(next[3]));
    const bool group = at > 0 && is_digit(text[at - 1]) && three;
    if (group || next.starts_with("%") || (!next.empty() && begins_a_block(next))) text[at] = glue;
  }
  return text;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    text += (text.empty() ? "" : " ") + line.substr(begin);
  }
  return text;
}

// Fills text after `mark`, indented by the mark's width.
std::string filled(const std::string& mark, const std::string& text, std::size_t width) {
  std::string out;
  for (std::string line : wrapped(glued(text), width - mark.size())) {
    std::replace(line.begin(), line.end(), glue, ' ');
    out += (out.empty() ? mark : std::string(mark.size(), ' ')) + line + "\n";
  }
  return out;
}

bool is_rule(const std::vector<std::string>& cells) {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.find_first_not_of("-: ") == std::string::npos &&
           cell.find('-') != std::string::npos;
  });
}

std::string aligned(const Block& table) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : table.lines) rows.push_back(cells_of(line));
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (row.size() > widths.size()) widths.resize(row.size(), 3);
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!is_rule(row)) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::vector<bool> right(widths.size(), false);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && is_rule(row); ++i) right[i] = row[i].ends_with(':');
  std::string out;
  for (const auto& row : rows) {
    out += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t room = widths[i] - std::min(widths[i], columns(row[i]));
      if (is_rule(row))
        out += (row[i].starts_with(':') ? " :" : " -") + std::string(widths[i] - 2, '-') +
               (right[i] ? ": |" : "- |");
      else
        out += " " + std::string(right[i] ? room : 0, ' ') + row[i] +
               std::string(right[i] ? 0 : room, ' ') + " |";
    }
    out += "\n";
  }
  return out;
}

// Calls `each(text, link text, target)` for the text before each link and the link itself, and
// finally for the remaining text with an empty link.
template <class Each>
void for_each_link(const std::string& text, Each each) {
  const auto code = code_spans(text);
  std::size_t done = 0;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const bool in_code = std::any_of(code.begin(), code.end(), [&](const auto& span) {
      return at >= span.first && at < span.second;
    });
    const std::size_t open = text.rfind('[', at), close = text.find(')', at);
    if (in_code || open == std::string::npos || open < done || close == std::string::npos) continue;
    each(text.substr(done, open - done), text.substr(open + 1, at - open - 1),
         text.substr(at + 2, close - at - 2));
    done = close + 1;
  }
  each(text.substr(done), std::string{}, std::string{});
}

std::string without_stars(std::string text) {
  for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at))
    text.erase(at, 2);
  return text;
}

// Returns the way to follow a link from a terminal: a command, or the address of a web page.
// Returns an empty string if there is none.
std::string reachable(const std::string& target) {
  if (target.starts_with("http")) return target;
  const std::string path = target.substr(0, target.find('#'));
  if (path.ends_with("glossary.md")) return "histolab glossary";
  static const std::regex lesson(R"(\.\./(?:labs/)?(\d\d)-[^/]+/lesson\.md)");
  std::smatch match;
  return std::regex_match(path, match, lesson) ? "histolab lesson " + match[1].str()
                                               : std::string{};
}

std::string without_marks(const std::string& text) {
  std::string out;
  for_each_link(text, [&](const std::string& before, const std::string& label,
                          const std::string& target) {
    std::size_t done = 0;
    // The stars in `float** p` do not mark bold type.
    for (const auto& [begin, end] : code_spans(before)) {
      out += without_stars(before.substr(done, begin - done)) + before.substr(begin, end - begin);
      done = end;
    }
    out += without_stars(before.substr(done));
    if (target.empty()) return;
    const std::string where = reachable(target);
    out += where.empty() || label == where ? label : label + " (" + where + ")";
  });
  return out;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> code_spans(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> spans;
  for (std::size_t at = text.find('`'); at != std::string_view::npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string_view::npos) break;
    spans.emplace_back(at, end + 1);
    at = text.find('`', end + 1);
  }
  return spans;
}

std::vector<Block> blocks_of(std::string_view page) {
  std::vector<Block> blocks;
  BlockKind before = BlockKind::blank;
  bool in_fence = false, in_comment = false;
  int number = 0;
  for (std::string& line : lines_of(page)) {
    line.erase(line.find_last_not_of(" \r") + 1);
    ++number;
    if (in_fence || in_comment) {
      in_fence = in_fence && !line.starts_with("```");
      in_comment = in_comment && line.find("-->") == std::string::npos;
      blocks.back().lines.push_back(std::move(line));
      continue;
    }
    BlockKind kind = kind_of(line, before);
    // An empty line between two lines of indented code is part of the code. Only the next line
    // decides this.
    if (kind == BlockKind::indented && before == BlockKind::blank && blocks.size() >= 2 &&
        blocks[blocks.size() - 2].kind == BlockKind::indented) {
      blocks.pop_back();
      while (number - blocks.back().line > static_cast<int>(blocks.back().lines.size()))
        blocks.back().lines.emplace_back();
    }
    const bool goes_on = !blocks.empty() && blocks.back().kind == kind &&
                         kind != BlockKind::heading && kind != BlockKind::fenced &&
                         kind != BlockKind::comment &&
                         !(kind == BlockKind::item && item_mark(line) > 0);
    if (!goes_on) blocks.push_back({kind, number, {}, {}});
    if (kind == BlockKind::fenced) {
      blocks.back().info = line.substr(3);
      in_fence = true;
    }
    if (kind == BlockKind::comment) in_comment = line.find("-->") == std::string::npos;
    blocks.back().lines.push_back(std::move(line));
    before = kind;
  }
  return blocks;
}

Heading heading_of(const Block& block) {
  const std::size_t level = block.lines.front().find(' ');
  return {level, block.lines.front().substr(level + 1)};
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  const auto code = code_spans(row);
  std::size_t begin = row.find('|');
  for (std::size_t at = begin; at != std::string::npos; at = row.find('|', at + 1)) {
    if (at == begin || std::any_of(code.begin(), code.end(), [&](const auto& span) {
          return at > span.first && at < span.second;
        }))
      continue;
    std::string cell = row.substr(begin + 1, at - begin - 1);
    cell.erase(cell.find_last_not_of(' ') + 1)
        .erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
    cells.push_back(std::move(cell));
    begin = at;
  }
  return cells;
}

std::string code_of(const Block& block) {
  std::string code;
  for (std::size_t i = 1; i < block.lines.size(); ++i)
    if (!block.lines[i].starts_with("```")) code += block.lines[i] + "\n";
  return code;
}

std::string laid_out(const std::vector<Block>& blocks, std::size_t width) {
  std::string out;
  for (const Block& block : blocks) {
    switch (block.kind) {
      case BlockKind::comment: break;
      case BlockKind::blank:
        if (!out.empty() && !out.ends_with("\n\n")) out += "\n";
        break;
      case BlockKind::paragraph: out += filled("", joined(block.lines), width); break;
      case BlockKind::item: {
        const std::string text = joined(block.lines);
        out += filled(text.substr(0, item_mark(text)), text.substr(item_mark(text)), width);
        break;
      }
      case BlockKind::table: out += aligned(block); break;
      case BlockKind::heading:
      case BlockKind::fenced:
      case BlockKind::indented:
        for (const std::string& line : block.lines) out += line + "\n";
    }
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string for_terminal(std::string_view page, std::size_t width) {
  std::vector<Block> blocks = blocks_of(harmless(std::string{page}));
  for (Block& block : blocks) {
    if (block.kind == BlockKind::heading) {
      const Heading heading = heading_of(block);
      block.lines = {heading.text,
                     std::string(columns(heading.text), heading.level == 1 ? '=' : '-')};
    } else if (block.kind == BlockKind::fenced) {
      block.lines.erase(block.lines.begin());
      if (!block.lines.empty() && block.lines.back().starts_with("```")) block.lines.pop_back();
      for (std::string& line : block.lines) line.insert(0, line.empty() ? 0 : 4, ' ');
    } else if (block.kind == BlockKind::paragraph || block.kind == BlockKind::item) {
      block.lines = {without_marks(joined(block.lines))};
    } else if (block.kind == BlockKind::table) {
      for (std::string& line : block.lines) line = without_marks(line);
    }
  }
  return laid_out(blocks, width);
}

std::vector<Link> links_of(const std::vector<Block>& blocks) {
  std::vector<Link> links;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::fenced || block.kind == BlockKind::indented ||
        block.kind == BlockKind::comment)
      continue;
    // The text of a link may be broken over two lines. They are joined, and the link's line is that
    // of its target.
    std::string text;
    std::vector<std::size_t> ends;
    for (const std::string& line : block.lines) {
      text += line + " ";
      ends.push_back(text.size());
    }
    std::size_t at = 0;
    for_each_link(
        text, [&](const std::string& before, const std::string& label, const std::string& target) {
          at += before.size() + label.size() + 3;
          const auto line = std::upper_bound(ends.begin(), ends.end(), at) - ends.begin();
          if (!target.empty()) links.push_back({block.line + static_cast<int>(line), target});
          at += target.size() + 1;
        });
  }
  return links;
}

std::vector<std::string> anchors_of(const std::vector<Block>& blocks) {
  std::vector<std::string> anchors;
  std::map<std::string, int> seen;
  for (const Block& block : blocks) {
    if (block.kind != BlockKind::heading) continue;
    std::string anchor;
    for (const char c : heading_of(block).text) {
      if (c == ' ')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const int before = seen[anchor]++;
    anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

}  // namespace histolab::grader::lessons
