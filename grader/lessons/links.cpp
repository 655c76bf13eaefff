#include "grader/lessons/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/lessons/markdown.h"
#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

namespace fs = std::filesystem;

bool is_address(const std::string& target) {
  const std::size_t colon = target.find(':');
  return colon != std::string::npos && colon > 0 &&
         std::all_of(target.begin(), target.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

std::string without_heading(const std::string& file, const std::string& anchor,
                            std::string_view page) {
  const std::vector<std::string> anchors = anchors_of(blocks_of(page));
  if (std::find(anchors.begin(), anchors.end(), anchor) != anchors.end()) return {};
  const std::string meant = nearest(anchor, anchors);
  return fmt::format("{} has no heading #{}{}", file, anchor,
                     meant.empty() ? std::string{} : fmt::format("; did you mean #{}?", meant));
}

}  // namespace

std::vector<PageProblem> dead_links(const std::string& path, std::string_view page) {
  std::vector<PageProblem> problems;
  for (const Link& link : links_of(blocks_of(page))) {
    if (is_address(link.target)) continue;
    const std::size_t hash = std::min(link.target.find('#'), link.target.size());
    const std::string file = link.target.substr(0, hash),
                      anchor = link.target.substr(std::min(hash + 1, link.target.size()));
    const fs::path target = fs::path(path).parent_path() / file;
    std::error_code ignored;
    if (!file.empty() && !fs::exists(target, ignored)) {
      problems.push_back(
          {link.line, fmt::format("the link leads to {}, which does not exist", link.target)});
      continue;
    }
    if (anchor.empty()) continue;
    std::string missing;
    if (file.empty()) {
      missing = without_heading("this page", anchor, page);
    } else {
      const Result<std::string> other = read_text_file(target.string(), "page");
      missing = other ? without_heading(file, anchor, *other) : other.error().message;
    }
    if (!missing.empty()) problems.push_back({link.line, missing});
  }
  return problems;
}

}  // namespace histolab::grader::lessons
