#include "viewer/model/catalogue.h"

#include <algorithm>

#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

std::vector<std::string> words(const Json& object, const char* key) {
  std::vector<std::string> all;
  for (const Json& each : at(object, key))
    if (each.is_string()) all.push_back(each.get<std::string>());
  return all;
}

}  // namespace

const KernelFile* Lab::preferred() const {
  const auto work = std::ranges::find(kernels, "work", &KernelFile::role);
  return work != kernels.end() ? &*work : solution();
}

const KernelFile* Lab::solution() const {
  const auto found = std::ranges::find(kernels, "solution", &KernelFile::role);
  if (found != kernels.end()) return &*found;
  return kernels.empty() ? nullptr : &kernels.front();
}

const KernelFile* Lab::kernel(const std::string& word) const {
  const auto found = std::ranges::find_if(
      kernels, [&](const KernelFile& each) { return each.name == word || each.role == word; });
  return found == kernels.end() ? nullptr : &*found;
}

const Lab* Catalogue::find(const std::string& word) const {
  if (word.empty()) return nullptr;
  const bool is_number = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  const Lab* only = nullptr;
  for (const Lab& lab : labs) {
    if (lab.name == word) return &lab;
    const std::size_t dash = lab.name.find('-');
    const std::string number = lab.name.substr(0, dash),
                      slug = dash == std::string::npos ? lab.name : lab.name.substr(dash + 1);
    const bool fits = is_number ? number == word || number == "0" + word
                                : lab.name.starts_with(word) || slug.starts_with(word);
    if (slug == word) return &lab;
    if (!fits) continue;
    if (only != nullptr) return nullptr;
    only = &lab;
  }
  return only;
}

Catalogue catalogue_in(const Json& list) {
  Catalogue catalogue;
  for (const Json& each : at(list, "labs")) {
    Lab lab{text(each, "lab"),      text(each, "title"),       text(each, "summary"),
            text(each, "strategy"), words(each, "bin_labels"), {}};
    for (const Json& kernel : at(each, "kernels"))
      lab.kernels.push_back({text(kernel, "role"), text(kernel, "name"), text(kernel, "path")});
    if (!lab.name.empty()) catalogue.labs.push_back(std::move(lab));
  }
  return catalogue;
}

}  // namespace histolab::viewer
