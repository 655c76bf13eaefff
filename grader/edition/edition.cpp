#include "grader/edition/edition.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "grader/bundle/kit_sources.h"
#include "grader/edition/questions.h"
#include "grader/files/read_file.h"
#include "grader/lessons/markdown.h"
#include "grader/quiz/quiz.h"

namespace histolab::edition {
namespace {

namespace fs = std::filesystem;
using bundle::File;
using grader::LabSpec;

// Sources of the program and the viewer, and the pages for students (docs/README.md).
const std::vector<std::string> sources = {"CMakeLists.txt",
                                          "CMakePresets.json",
                                          "LICENSE",
                                          "cmake",
                                          "datasets",
                                          "grader",
                                          "histolab",
                                          "kernels",
                                          "profiles",
                                          "reference",
                                          "viewer",
                                          "docs/command-line.md",
                                          "docs/counters.md",
                                          "docs/cuda-features.md",
                                          "docs/datasets",
                                          "docs/datasets.md",
                                          "docs/debugging.md",
                                          "docs/editors.md",
                                          "docs/glossary.md",
                                          "docs/gpu.md",
                                          "docs/install.md",
                                          "docs/measurements",
                                          "docs/model.md",
                                          "docs/student.md",
                                          "docs/viewer.md"};
// kernels/cuda holds finished histograms, for `bench`.
const std::vector<std::string> left_out = {"kernels/cuda",
                                           "grader/template",
                                           "grader/bundle/files",
                                           "docs/measurements/h100-envelope.json",
                                           "docs/measurements/h100-model.json",
                                           "docs/measurements/h100-profiler.json",
                                           "docs/measurements/h200-model.json"};

Result<File> page_of(const std::string& path, const std::string& as) {
  std::string text = TRY(grader::read_text_file(path, "page of a lab"));
  return File{as, std::move(text)};
}

// Files of the lab's folder that the page links to or shows.
std::set<std::string> linked_files(const std::string& page) {
  std::set<std::string> found;
  for (const grader::lessons::Link& link :
       grader::lessons::links_of(grader::lessons::blocks_of(page))) {
    const std::string file = link.target.substr(0, link.target.find('#'));
    if (!file.empty() && file.find('/') == file.npos && file.find(':') == file.npos)
      found.insert(file);
  }
  return found;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Status add_lab(const StudentEdition& edition, const LabSpec& lab, std::vector<File>& files) {
  const std::string to = "labs/" + lab.name + "/";
  std::set<std::string> names = {"lab.json", "stub.cu"};
  for (const char* page : {"lesson.md", "hints.md"}) {
    if (!is_there(lab.directory + "/" + page)) continue;
    names.insert(page);
    const std::string text =
        TRY(grader::read_text_file(lab.directory + "/" + page, "page of a lab"));
    names.merge(linked_files(text));
  }
  if (is_there(lab.read_path())) names.insert("read.cu");
  for (const std::string& name : names) {
    if (!is_there(lab.directory + "/" + name)) continue;
    std::vector<File> one = TRY(bundle::lab_files(lab.directory, {name}, to));
    std::ranges::move(one, std::back_inserter(files));
  }
  if (quiz::has_quiz(lab.directory)) {
    const nlohmann::ordered_json questions = TRY(questions_of(lab.directory, edition.measurements));
    files.push_back(
        {to + "quiz.json",
         questions.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"});
  }
  files.push_back({to + "recorded.json", edition.recorded.at(lab.name)});
  return Done{};
}

Result<File> readme_of(const StudentEdition& edition) {
  File readme = TRY(page_of(edition.tree + "/grader/edition/files/README.md", "README.md"));
  std::string labs;
  for (const LabSpec& lab : edition.labs)
    labs += fmt::format("| [{}](labs/{}/lesson.md) | {} |\n", lab.name, lab.name, lab.summary);
  constexpr std::string_view placeholder = "LABS\n";
  const std::size_t at = readme.bytes.find(placeholder);
  if (at == std::string::npos)
    return Error{"the README of the student edition has no place for the labs"};
  readme.bytes.replace(at, placeholder.size(), labs);
  return readme;
}

// The path in the edition that a link of the page names, without its heading.
std::string target_of(const std::string& path, const std::string& link) {
  return (fs::path(path).parent_path() / link.substr(0, link.find('#')))
      .lexically_normal()
      .string();
}

std::string without_outer_links(const std::string& path, const std::string& page,
                                const std::vector<File>& files) {
  const auto is_in = [&](std::string target) {
    while (target.ends_with('/')) target.pop_back();
    return std::ranges::any_of(files, [&](const File& file) {
      return file.path == target || file.path.starts_with(target + "/");
    });
  };
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t middle = page.find("](", at);
    if (middle == page.npos) return out + page.substr(at);
    const std::size_t open = page.rfind('[', middle), close = page.find(')', middle);
    const std::string link = close == page.npos ? "" : page.substr(middle + 2, close - middle - 2);
    const bool outside = link.empty() || link.front() == '#' || link.find(':') != link.npos ||
                         link.find_first_of(" \n") != link.npos;
    if (open == page.npos || open < at || outside || is_in(target_of(path, link))) {
      out += page.substr(at, middle + 2 - at);
      at = middle + 2;
      continue;
    }
    const bool is_picture = open > at && page[open - 1] == '!';
    out += page.substr(at, open - at - (is_picture ? 1 : 0)) +
           page.substr(open + 1, middle - open - 1);
    at = close + 1;
  }
  return out;
}

}  // namespace

std::string without_dead_links(const std::string& path, const std::string& page,
                               const std::vector<File>& files) {
  std::string text = page, before;
  do
    before = std::exchange(
        text, without_outer_links(path, text, files));  // a picture may be a link's text
  while (text != before);
  return text;
}

Result<std::vector<File>> files_of(const StudentEdition& edition) {
  std::vector<File> files = TRY(bundle::kit_sources(edition.tree, "", sources, left_out));
  for (const LabSpec& lab : edition.labs) TRY(add_lab(edition, lab, files));
  std::vector<File> of_all = TRY(bundle::lab_files(edition.tree + "/labs", {}, "labs/"));
  std::ranges::move(of_all, std::back_inserter(files));
  File readme = TRY(readme_of(edition));
  files.push_back(std::move(readme));
  for (File& file : files)
    if (file.path.ends_with(".md")) file.bytes = without_dead_links(file.path, file.bytes, files);
  return files;
}

}  // namespace histolab::edition
