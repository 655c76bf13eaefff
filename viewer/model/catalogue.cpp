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

const Lab* Catalogue::find(const std::string& word) const {
  if (word.empty()) return nullptr;
  const Lab* only = nullptr;
  for (const Lab& lab : labs) {
    if (lab.name == word) return &lab;
    const bool by_slug = lab.name.find("-" + word) != std::string::npos && lab.name.substr(lab.name.find('-') + 1).starts_with(word);
    const bool by_number = word.size() == 1 && lab.name.starts_with("0" + word);
    if (!lab.name.starts_with(word) && !by_slug && !by_number) continue;
    if (only != nullptr) return nullptr;
    only = &lab;
  }
  return only;
}

Catalogue catalogue_in(const Json& list) {
  Catalogue catalogue;
  for (const Json& each : at(list, "labs")) {
    Lab lab{text(each, "lab"), text(each, "title"), text(each, "summary"), words(each, "objectives"), words(each, "bin_labels"), {}};
    for (const Json& kernel : at(each, "kernels")) lab.kernels.push_back({text(kernel, "role"), text(kernel, "name"), text(kernel, "path")});
    if (!lab.name.empty()) catalogue.labs.push_back(std::move(lab));
  }
  return catalogue;
}

}  // namespace histolab::viewer
