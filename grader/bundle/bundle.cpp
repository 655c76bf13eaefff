#include "grader/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/bundle/kit_sources.h"
#include "grader/files/read_file.h"
#include "grader/words/words.h"

namespace histolab::bundle {
namespace {

namespace fs = std::filesystem;

// Where in the archive the kit lies, and beside it `arguments` and rubric.json.
std::string folder_of_kit(const std::string& system) { return system == "classroom50" ? "histolab-image/" : ""; }

// One word a line, as the scripts read them.
std::string arguments_of(const Settings& settings) {
  std::string text;
  if (settings.seed) text += fmt::format("--seed\n{}\n", *settings.seed);
  for (const std::string& lab : settings.labs) text += lab + "\n";
  return text;
}

Status add_scripts(const std::string& system, const std::string& tree, std::vector<File>& files) {
  const fs::path folder = fs::path(tree) / "grader" / "bundle" / "files" / system;
  std::error_code failure;
  for (fs::recursive_directory_iterator at{folder, failure}, end; !failure && at != end; at.increment(failure)) {
    if (!at->is_regular_file()) continue;
    const Result<std::string> text = grader::read_text_file(at->path().string(), "script of a bundle");
    if (!text) return text.error();
    files.push_back({at->path().lexically_relative(folder).string(), *text, text->starts_with("#!")});
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", folder.string(), failure.message())};
  return Done{};
}

}  // namespace

const std::vector<std::string>& systems() {
  static const std::vector<std::string> all = {"gradescope", "prairielearn", "classroom50", "exercism"};
  return all;
}

Result<std::vector<File>> files_of(const std::string& system, const Settings& settings, const std::string& tree) {
  if (std::find(systems().begin(), systems().end(), system) == systems().end())
    return Error{fmt::format("there is no bundle \"{}\"{}; {} are known", system, grader::did_you_mean(system, systems()), fmt::join(systems(), ", "))};
  const std::string kit = folder_of_kit(system);
  Result<std::vector<File>> files = kit_sources(tree, kit + "histolab/");
  if (!files) return files;
  if (Status added = add_scripts(system, tree, *files); !added) return added.error();
  files->push_back({kit + "arguments", arguments_of(settings)});
  if (settings.rubric) files->push_back({kit + "rubric.json", *settings.rubric});
  return files;
}

}  // namespace histolab::bundle
