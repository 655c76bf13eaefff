#include "grader/bundle/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "grader/bundle/kit_sources.h"
#include "grader/files/read_file.h"
#include "grader/words/words.h"

namespace histolab::bundle {
namespace {

namespace fs = std::filesystem;

// The archive's folder for the kit, `arguments` and rubric.json.
std::string folder_of_kit(const std::string& system) {
  return system == "classroom50" ? "histolab-image/" : "";
}

// One word per line, as the scripts read them.
std::string arguments_of(const Settings& settings) {
  std::string text;
  if (settings.seed) text += fmt::format("--seed\n{}\n", *settings.seed);
  for (const std::string& lab : settings.labs) text += lab + "\n";
  return text;
}

const std::vector<std::string>& labs_that_count(const Settings& settings) {
  return settings.labs.empty() ? settings.all_labs : settings.labs;
}

// The names of the files to hand in, as PrairieLearn's <pl-file-upload> lists them.
std::string with_lab_files(std::string page, const Settings& settings) {
  constexpr std::string_view placeholder = "LAB_FILES";
  std::string names;
  for (const std::string& lab : labs_that_count(settings))
    names += (names.empty() ? "" : ",") + lab + ".cu";
  if (const std::size_t at = page.find(placeholder); at != page.npos)
    page.replace(at, placeholder.size(), names);
  return page;
}

Status add_scripts(const std::string& system, const Settings& settings, const std::string& tree,
                   std::vector<File>& files) {
  const fs::path folder = fs::path(tree) / "grader" / "bundle" / "files" / system;
  std::error_code failure;
  for (fs::recursive_directory_iterator at{folder, failure}, end; !failure && at != end;
       at.increment(failure)) {
    if (!at->is_regular_file()) continue;
    const std::string text = TRY(grader::read_text_file(at->path().string(), "script of a bundle"));
    const bool is_page = at->path().extension() == ".html";
    files.push_back({at->path().lexically_relative(folder).string(),
                     is_page ? with_lab_files(text, settings) : text, text.starts_with("#!")});
  }
  if (failure)
    return Error{fmt::format("{}: cannot be read: {}", folder.string(), failure.message())};
  return Done{};
}

}  // namespace

const std::vector<std::string>& systems() {
  static const std::vector<std::string> all = {"gradescope", "prairielearn", "classroom50",
                                               "exercism"};
  return all;
}

Result<std::vector<File>> files_of(const std::string& system, const Settings& settings,
                                   const std::string& tree) {
  if (std::find(systems().begin(), systems().end(), system) == systems().end())
    return Error{fmt::format("there is no bundle \"{}\"{}; the bundles are {}", system,
                             grader::did_you_mean(system, systems()), fmt::join(systems(), ", "))};
  const std::string kit = folder_of_kit(system);
  std::vector<File> files = TRY(kit_sources(tree, kit + "histolab/"));
  std::vector<File> labs =
      TRY(lab_files(settings.labs_folder, settings.all_labs, kit + "histolab/labs/"));
  std::ranges::move(labs, std::back_inserter(files));
  TRY(add_scripts(system, settings, tree, files));
  files.push_back({kit + "arguments", arguments_of(settings)});
  if (settings.rubric) files.push_back({kit + "rubric.json", *settings.rubric});
  return files;
}

}  // namespace histolab::bundle
