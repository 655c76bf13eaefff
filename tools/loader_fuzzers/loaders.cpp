#include "tools/loader_fuzzers/loaders.h"

#include <algorithm>
#include <iterator>

namespace histolab::fuzzing {

const std::vector<Loader>& loaders() {
  static const std::vector<Loader> all = [] {
    std::vector<Loader> joined;
    for (const auto part : {course_loaders, class_loaders, kernel_loaders, launch_loaders,
                            viewer_loaders, web_loaders})
      std::ranges::move(part(), std::back_inserter(joined));
    return joined;
  }();
  return all;
}

const Loader* find_loader(std::string_view name) {
  const auto found = std::ranges::find(loaders(), name, &Loader::name);
  return found == loaders().end() ? nullptr : &*found;
}

}  // namespace histolab::fuzzing
