#include "grader/lessons/glossary.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace histolab::grader::lessons {
namespace {

// References at the end of an entry, to pages that only the source tree has.
std::string without_pages(const std::string& text) {
  static const std::regex page(R"(,?\s*\[[^\]]+\]\([a-z-]+\.md(#[^)]*)?\)\.?)");
  return std::regex_replace(text, page, "");
}

std::vector<std::string> terms_of(std::string bold) {
  if (bold.ends_with('.')) bold.pop_back();
  std::vector<std::string> terms;
  // "Multiprocessor (SM)" has two names.
  static const std::regex separator(R"(\s*(?:,|\(|\)|;)\s*)");
  for (std::sregex_token_iterator at(bold.begin(), bold.end(), separator, -1), end; at != end; ++at)
    if (at->length() > 0) terms.push_back(*at);
  return terms;
}

std::string bare(std::string_view term) {
  std::string plain;
  for (const char c : term)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (plain.size() > 3 && plain.ends_with('s')) plain.pop_back();
  return plain;
}

}  // namespace

std::vector<GlossaryEntry> glossary_of(std::string_view page) {
  std::vector<GlossaryEntry> entries;
  std::string paragraph;
  const auto end_paragraph = [&] {
    const std::size_t close =
        paragraph.starts_with("**") ? paragraph.find("**", 2) : std::string::npos;
    if (close != std::string::npos)
      entries.push_back({terms_of(paragraph.substr(2, close - 2)), without_pages(paragraph)});
    paragraph.clear();
  };
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = std::min(page.find('\n', begin), page.size());
    const std::string_view line = page.substr(begin, end - begin);
    if (line.empty())
      end_paragraph();
    else
      paragraph.append(line).append("\n");
    begin = end + 1;
  }
  end_paragraph();
  return entries;
}

std::vector<GlossaryEntry> find_entries(const std::vector<GlossaryEntry>& all,
                                        std::string_view term) {
  const std::string wanted = bare(term);
  if (wanted.empty()) return {};
  for (const bool whole : {true, false}) {
    std::vector<GlossaryEntry> found;
    std::ranges::copy_if(all, std::back_inserter(found), [&](const GlossaryEntry& entry) {
      return std::ranges::any_of(entry.terms, [&](const std::string& each) {
        const std::string known = bare(each);
        return whole ? known == wanted : known.find(wanted) != std::string::npos;
      });
    });
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace histolab::grader::lessons
