#include "viewer/model/catalogue.h"

#include <algorithm>

#include "reference/fields.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {

template <class F, Describes<KernelFile> Value>
void fields(F& f, Value& kernel) {
  f("role", kernel.role), f("name", kernel.name), f.exact("path", kernel.path);
}
template <class F, Describes<Lab> Value>
void fields(F& f, Value& lab) {
  f("lab", lab.name), f("title", lab.title), f("summary", lab.summary);
  f("strategy", lab.strategy), f("bin_labels", lab.bin_labels), f("kernels", lab.kernels);
}
template <class F, Describes<Catalogue> Value>
void fields(F& f, Value& catalogue) {
  f("labs", catalogue.labs);
}

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
  auto catalogue = read_leniently<Catalogue>(list);
  std::erase_if(catalogue.labs, [](const Lab& lab) { return lab.name.empty(); });
  return catalogue;
}

}  // namespace histolab::viewer
