#include "grader/web/pages/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "grader/lessons/markdown.h"

namespace histolab::web {
namespace {

using grader::Html;
using grader::html;
namespace lessons = grader::lessons;

// Empties the lines of comments, so that they do not appear as text. A comment within a block of
// code is part of the code.
std::string without_comments(std::string_view page) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    lines.emplace_back(page.substr(at, end - at));
    at = end + 1;
  }
  for (const lessons::Block& block : lessons::blocks_of(page)) {
    if (block.kind != lessons::BlockKind::comment) continue;
    const std::size_t first = static_cast<std::size_t>(block.line) - 1;
    for (std::size_t i = first; i < std::min(first + block.lines.size(), lines.size()); ++i)
      lines[i].clear();
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

// Returns the characters of an entity, or its own text if it is not one of the few that Markdown
// needs.
std::string_view text_of_entity(std::string_view entity) {
  if (entity == "&amp;") return "&";
  if (entity == "&lt;") return "<";
  if (entity == "&gt;") return ">";
  if (entity == "&quot;") return "\"";
  if (entity == "&nbsp;") return "\xC2\xA0";
  return entity;
}

bool is_safe(std::string_view address) {
  return (address.starts_with("/") && !address.starts_with("//")) || address.starts_with("#") ||
         address.starts_with("https://");
}

// Turns the events of md4c into markup.
class Renderer {
 public:
  explicit Renderer(const MarkdownOptions& options) : options_(options) {}

  void enter(MD_BLOCKTYPE type, void* detail);
  void leave(MD_BLOCKTYPE type, void* detail);
  void enter(MD_SPANTYPE type, void* detail);
  void leave(MD_SPANTYPE type);
  void add_text(MD_TEXTTYPE type, std::string_view text);
  [[nodiscard]] RenderedMarkdown finished();

 private:
  // A heading and the markup between it and the next one. Its anchor is known only when all
  // headings are.
  struct Part {
    Section heading;
    Html inner, after;
  };
  // The markup that is being written: of a heading, or what follows it.
  Html& out() { return in_heading_ ? parts_.back().inner : parts_.back().after; }
  void tag(const char* name, bool opens) {
    out() += Html{(opens ? "<" : "</") + std::string{name} + ">"};
  }

  const MarkdownOptions& options_;
  std::vector<Part> parts_{1};  // the first one has no heading
  std::vector<bool> links_;     // of each open link: it has an address
  bool in_heading_ = false;
  int pictures_ = 0;  // open ones; Markdown may nest them
};

void Renderer::enter(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
    case MD_BLOCK_QUOTE: return tag("blockquote", true);
    case MD_BLOCK_UL: out() += Html{"<ul>\n"}; return;
    case MD_BLOCK_OL: {
      const unsigned start = static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start;
      out() += start == 1 ? Html{"<ol>\n"} : html("<ol start=\"{}\">\n", start);
      return;
    }
    case MD_BLOCK_LI: return tag("li", true);
    case MD_BLOCK_HR: out() += Html{"<hr>\n"}; return;
    case MD_BLOCK_H:
      parts_.push_back({{.level = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level,
                         .text = {},
                         .anchor = {}},
                        {},
                        {}});
      in_heading_ = true;
      return;
    case MD_BLOCK_CODE: {
      std::string language = text_of(static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      std::erase_if(language, [](char c) {
        return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-';
      });
      out() += language.empty() ? Html{"<pre><code>"}
                                : html("<pre><code class=\"language-{}\">", language);
      return;
    }
    case MD_BLOCK_P: return tag("p", true);
    // The box scrolls if the table is wider than the page. A table cannot scroll and remain a
    // table for a screen reader.
    case MD_BLOCK_TABLE: out() += Html{"<div class=\"wide\"><table>\n"}; return;
    case MD_BLOCK_THEAD: return tag("thead", true);
    case MD_BLOCK_TBODY: return tag("tbody", true);
    case MD_BLOCK_TR: return tag("tr", true);
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
      const MD_ALIGN align = static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align;
      const char* const side = align == MD_ALIGN_RIGHT    ? " class=\"right\""
                               : align == MD_ALIGN_CENTER ? " class=\"center\""
                                                          : "";
      out() += Html{(type == MD_BLOCK_TH ? "<th scope=\"col\"" : "<td") + std::string{side} + ">"};
      return;
    }
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML: return;
  }
}

void Renderer::leave(MD_BLOCKTYPE type, void*) {
  switch (type) {
    case MD_BLOCK_QUOTE: out() += Html{"</blockquote>\n"}; return;
    case MD_BLOCK_UL: out() += Html{"</ul>\n"}; return;
    case MD_BLOCK_OL: out() += Html{"</ol>\n"}; return;
    case MD_BLOCK_LI: out() += Html{"</li>\n"}; return;
    case MD_BLOCK_H: in_heading_ = false; return;
    case MD_BLOCK_CODE: out() += Html{"</code></pre>\n"}; return;
    case MD_BLOCK_P: out() += Html{"</p>\n"}; return;
    case MD_BLOCK_TABLE: out() += Html{"</table></div>\n"}; return;
    case MD_BLOCK_THEAD: out() += Html{"</thead>\n"}; return;
    case MD_BLOCK_TBODY: out() += Html{"</tbody>\n"}; return;
    case MD_BLOCK_TR: out() += Html{"</tr>\n"}; return;
    case MD_BLOCK_TH: return tag("th", false);
    case MD_BLOCK_TD: return tag("td", false);
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML:
    case MD_BLOCK_HR: return;
  }
}

void Renderer::enter(MD_SPANTYPE type, void* detail) {
  if (pictures_ > 0 && type != MD_SPAN_IMG) return;  // only the text of a picture is shown
  switch (type) {
    case MD_SPAN_EM: return tag("em", true);
    case MD_SPAN_STRONG: return tag("strong", true);
    case MD_SPAN_CODE: return tag("code", true);
    case MD_SPAN_A: {
      const std::string target = text_of(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
      const std::optional<std::string> address =
          options_.link ? options_.link(target) : std::nullopt;
      links_.push_back(address && is_safe(*address));
      if (!links_.back()) return;
      const Html relation{address->starts_with("https://") ? " rel=\"noopener\"" : ""};
      out() += html("<a href=\"{}\"{}>", *address, relation);
      return;
    }
    case MD_SPAN_IMG:
      if (pictures_++ == 0) out() += Html{"<span class=\"picture\">[picture: "};
      return;
    default: return;
  }
}

void Renderer::leave(MD_SPANTYPE type) {
  if (type == MD_SPAN_IMG) {
    if (--pictures_ == 0) out() += Html{"]</span>"};
    return;
  }
  if (pictures_ > 0) return;
  switch (type) {
    case MD_SPAN_EM: return tag("em", false);
    case MD_SPAN_STRONG: return tag("strong", false);
    case MD_SPAN_CODE: return tag("code", false);
    case MD_SPAN_A:
      if (links_.back()) tag("a", false);
      links_.pop_back();
      return;
    default: return;
  }
}

void Renderer::add_text(MD_TEXTTYPE type, std::string_view text) {
  if (type == MD_TEXT_BR && pictures_ == 0) {
    out() += Html{"<br>\n"};
    return;
  }
  const std::string shown{type == MD_TEXT_BR         ? " "
                          : type == MD_TEXT_SOFTBR   ? "\n"
                          : type == MD_TEXT_NULLCHAR ? "\xEF\xBF\xBD"
                          : type == MD_TEXT_ENTITY   ? text_of_entity(text)
                                                     : text};
  out() += html("{}", shown);
  if (in_heading_) parts_.back().heading.text += shown == "\n" ? " " : shown;
}

RenderedMarkdown Renderer::finished() {
  const auto as_block = [](const std::string& text) {
    return lessons::Block{lessons::BlockKind::heading, 1, {"# " + text}, {}};
  };
  RenderedMarkdown page;
  std::vector<Part*> headings;
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    const bool is_title = i == 1 && parts_[0].after.empty() && parts_[1].heading.level == 1;
    if (is_title)
      page.title = parts_[1].heading.text;
    else
      headings.push_back(&parts_[i]);
  }
  std::vector<lessons::Block> blocks;
  for (const std::string& id : options_.taken_ids) blocks.push_back(as_block(id));
  for (const Part* part : headings) blocks.push_back(as_block(part->heading.text));
  const std::vector<std::string> anchors = lessons::anchors_of(blocks);
  for (std::size_t i = 0; i < headings.size(); ++i)
    headings[i]->heading.anchor = anchors[options_.taken_ids.size() + i];
  for (const Part& part : parts_) {
    const Section& section = part.heading;
    if (std::ranges::find(headings, &part) != headings.end()) {
      const std::size_t level = std::min<std::size_t>(section.level + options_.first_level - 1, 6);
      const Html id = section.anchor.empty() ? Html{} : html(" id=\"{}\"", section.anchor);
      page.body += html("<h{}{}>{}</h{}>\n", level, id, part.inner, level);
      page.sections.push_back(section);
    }
    page.body += part.after;
  }
  return page;
}

Renderer& renderer(void* user) { return *static_cast<Renderer*>(user); }

}  // namespace

RenderedMarkdown render_markdown(std::string_view text, const MarkdownOptions& options) {
  const std::string page = without_comments(text);
  Renderer out{options};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return renderer(user).enter(type, detail), 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return renderer(user).leave(type, detail), 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    return renderer(user).enter(type, detail), 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    return renderer(user).leave(type), 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* begin, MD_SIZE size, void* user) {
    return renderer(user).add_text(type, {begin, size}), 0;
  };
  // It only fails if memory runs out or a callback does. Then the page ends where it stopped.
  (void)md_parse(page.data(), static_cast<MD_SIZE>(page.size()), &parser, &out);
  return out.finished();
}

LinkOf links_of_page(std::string page, std::function<bool(const std::string& path)> exists) {
  return [page = std::move(page),
          exists = std::move(exists)](std::string_view target) -> std::optional<std::string> {
    if (target.starts_with("https://") || target.starts_with("#")) return std::string{target};
    if (target.starts_with("/") || target.find(':') != target.npos) return std::nullopt;
    const std::size_t hash = std::min(target.find('#'), target.size());
    const std::string anchor{target.substr(hash)};
    const std::string path = (std::filesystem::path{page}.parent_path() / target.substr(0, hash))
                                 .lexically_normal()
                                 .generic_string();
    static const std::regex of_lab("labs/([A-Za-z0-9][A-Za-z0-9_-]*)/(lesson|hints)\\.md"),
        of_docs("docs/[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\\.md");
    std::smatch match;
    const bool is_lab = std::regex_match(path, match, of_lab);
    if (!is_lab && !std::regex_match(path, of_docs)) return std::nullopt;
    if (exists && !exists(path)) return std::nullopt;
    if (is_lab) return "/lab/" + match[1].str() + (match[2] == "hints" ? "#hints" : anchor);
    return (path == "docs/glossary.md" ? "/glossary" : "/" + path) + anchor;
  };
}

}  // namespace histolab::web
