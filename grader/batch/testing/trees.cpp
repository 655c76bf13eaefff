#include "grader/batch/testing/trees.h"

#include <doctest/doctest.h>

#include "grader/batch/tree_builder.h"

namespace histolab::batch::testing {

Tree tree_of(const std::vector<std::pair<std::string, std::string>>& files) {
  Tree tree;
  for (const auto& [path, text] : files) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      tree.folders.insert(path.substr(0, slash));
      if (is_archive_name(path.substr(0, slash))) tree.archives.insert(path.substr(0, slash));
    }
    tree.files[path] = {text, true, {}, 1000};
  }
  return tree;
}

Tree tree_of_archive(const std::string& name, std::string_view bytes, const TreeLimits& limits) {
  TreeBuilder builder{limits};
  builder.add_archive(bytes, name + "/", 1);
  return std::move(builder).tree();
}

Tree tree_at(const std::string& path, const TreeLimits& limits) {
  Result<Tree> tree = read_tree(path, limits);
  REQUIRE_MESSAGE(tree.ok(), tree.error().message);
  return std::move(*tree);
}

std::string error_of(const std::string& path, const TreeLimits& limits) {
  const Result<Tree> tree = read_tree(path, limits);
  return tree ? "" : tree.error().message;
}

}  // namespace histolab::batch::testing
