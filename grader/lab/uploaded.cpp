#include "grader/lab/uploaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <optional>

#include "grader/words/characters.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 4096, most_looked_at = 200'000;
constexpr int most_depth = 8;
constexpr std::string_view kernel_ending = ".cu", sheet_ending = ".quiz.json";

bool ends_with(std::string& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.resize(text.size() - ending.size());
  return true;
}

// Returns the name in lower case, with one '-' for each run of other characters than letters and
// digits.
std::string plain_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80)
      out += static_cast<char>(std::tolower(byte));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

// Removes the marks of downloads and copies: "race (2)", "race - copy", "race-1". Names of labs do
// not end in a number (catalogue.h).
std::string without_copy_marks(std::string name) {
  for (bool again = true; again;) {
    again = ends_with(name, "-copy");
    const std::size_t digits = name.find_last_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && digits + 1 < name.size() &&
        name[digits] == '-') {
      name.resize(digits);
      again = true;
    }
  }
  return name;
}

struct LabName {
  std::string number, slug;  // "1", "race"
};

std::string without_zeros(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

LabName parts_of(const std::string& name) {
  const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
  LabName parts{end == 0 ? "" : without_zeros(name.substr(0, end)), name.substr(end)};
  if (parts.slug.starts_with('-')) parts.slug.erase(0, 1);
  return parts;
}

// Returns true if `words` occur in `name`. Both consist of words with '-' between them.
bool contains_words(const std::string& name, const std::string& words) {
  return ("-" + name + "-").find("-" + words + "-") != std::string::npos;
}

bool has_number(const std::string& name) {
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    if (end > at && name.find_first_not_of("0123456789", at) >= end) return true;
    at = end + 1;
  }
  return false;
}

// Returns 0 for the exact name, more for less similar ones, and nullopt for the name of another
// lab.
std::optional<int> distance(const std::string& stem, const std::string& lab) {
  if (stem == lab) return 0;
  const LabName wanted = parts_of(lab);
  const std::string whole = without_copy_marks(plain_name(stem));
  bool is_numbered_lab = false;
  for (std::string name : {plain_name(stem), whole}) {
    const bool says_lab = name.starts_with("lab");
    if (says_lab) name = name.substr(name.starts_with("lab-") ? 4 : 3);
    const LabName found = parts_of(name);
    const bool number_fits = found.number == wanted.number, slug_fits = found.slug == wanted.slug;
    if (number_fits && slug_fits) return 1;
    if ((found.number.empty() && slug_fits) || (number_fits && found.slug.empty())) return 2;
    is_numbered_lab |= says_lab && number_fits;
  }
  if (contains_words(whole, lab)) return 3;
  // With a number it could be another lab's name: "lab3-race" fits lab 3 as well as 01-race.
  if (!has_number(whole) && contains_words(whole, wanted.slug)) return 4;
  if (is_numbered_lab) return 4;
  return std::nullopt;
}

// Returns the most similar lab and the distance. The name is empty if no lab fits, or two fit
// equally.
std::pair<std::string, int> nearest_lab(const std::string& stem,
                                        const std::vector<std::string>& labs) {
  std::pair<std::string, int> nearest{"", std::numeric_limits<int>::max() - farther_by_ending};
  for (const std::string& lab : labs) {
    const std::optional<int> far = distance(stem, lab);
    if (far && *far < nearest.second)
      nearest = {lab, *far};
    else if (far && *far == nearest.second)
      nearest.first.clear();
  }
  return nearest;
}

struct Stem {
  // The part of the path that names the lab: "01-race" of "01-race/stub.cu".
  std::string name;
  bool has_other_ending = false;  // for example ".CU" or ".cu~"
};

// Returns nullopt if the file is of another kind.
std::optional<Stem> stem_of(const std::string& path, std::string_view ending) {
  const fs::path file(path);
  Stem stem{file.filename().string()};
  ends_with(stem.name, ".txt");
  if (!ends_with(stem.name, ending)) {
    const std::string low = lower(stem.name);
    std::optional<std::string> meant;
    if (ending == kernel_ending)
      meant = meant_kernel(stem.name);
    else if (low.ends_with(ending))
      meant = low;
    if (!meant) return std::nullopt;
    stem.has_other_ending = true;
    stem.name.resize(meant->size() - ending.size());
  }
  if (plain_name(stem.name) == "stub") stem.name = file.parent_path().filename().string();
  if (stem.name.empty()) return std::nullopt;
  return stem;
}

std::optional<NearLab> nearest(const std::string& path, std::string_view ending,
                               const std::vector<std::string>& labs) {
  const std::optional<Stem> stem = stem_of(path, ending);
  if (!stem) return std::nullopt;
  const auto [lab, far] = nearest_lab(stem->name, labs);
  if (lab.empty()) return std::nullopt;
  return NearLab{lab, far + (stem->has_other_ending ? farther_by_ending : 0)};
}

constexpr std::array other_sources = {"c",   "cc",  "cpp", "cxx",  "c++", "cp",  "h",   "hh",
                                      "hpp", "hxx", "cuh", "cuda", "cl",  "hip", "inl", "ipynb"};
// Files that often accompany a kernel but are never one.
constexpr std::array harmless_endings = {
    "pdf",  "png",  "jpg",  "jpeg", "gif",      "svg",  "bmp",   "webp",   "heic",
    "tif",  "tiff", "ico",  "mp4",  "mov",      "avi",  "mkv",   "webm",   "mp3",
    "wav",  "csv",  "json", "xml",  "yml",      "yaml", "log",   "o",      "obj",
    "exe",  "out",  "so",   "a",    "dll",      "ptx",  "cubin", "fatbin", "pyc",
    "html", "htm",  "css",  "js",   "ds_store", "url",  "sh",    "bat",    "cmake"};

// Returns "cpp" for "01-race (1).CPP" and "01-race.cpp (1)", or an empty string if there is no
// ending.
std::string ending_of(const std::string& name) {
  const std::string low = lower(name);
  const std::size_t dot = low.rfind('.');
  if (dot == std::string::npos) return {};
  std::size_t end = dot + 1;
  while (end < low.size() && (std::isalnum(static_cast<unsigned char>(low[end])) != 0 ||
                              low[end] == '+' || low[end] == '_'))
    ++end;
  return low.substr(dot + 1, end - dot - 1);
}

// Returns the file for each lab. Adds remarks to `undecided` about labs with several equally good
// files, and to `unmatched` about files that fit no lab.
std::map<std::string, std::string> matched(const std::vector<std::string>& files,
                                           std::string_view ending,
                                           const std::vector<std::string>& labs,
                                           std::vector<std::string>& undecided,
                                           std::vector<std::string>& unmatched) {
  std::map<std::string, std::string> found;
  std::map<std::string, int> nearest_of;
  std::map<std::string, std::vector<std::string>> rivals;
  std::vector<std::string> strangers;
  for (const std::string& path : files) {
    const std::optional<NearLab> near = nearest(path, ending, labs);
    if (!near) {
      if (stem_of(path, ending)) strangers.push_back(path);
      continue;
    }
    const auto& [lab, far] = *near;
    const auto known = nearest_of.find(lab);
    if (known != nearest_of.end() && known->second < far) continue;
    if (known != nearest_of.end() && known->second > far) rivals[lab].clear();
    nearest_of[lab] = far;
    rivals[lab].push_back(path);
  }
  for (const auto& [lab, paths] : rivals) {
    if (paths.size() == 1)
      found[lab] = paths.front();
    else
      undecided.push_back(fmt::format(
          "{} fit {} equally well, so none of them was graded. Hand in one file, named {}{}",
          fmt::join(paths, " and "), lab, lab, ending));
  }
  if (labs.size() == 1 && rivals.empty() && strangers.size() == 1) {
    found[labs.front()] = strangers.front();
    strangers.clear();
  }
  for (const std::string& path : strangers)
    unmatched.push_back(
        labs.size() == 1
            ? fmt::format("{} was not graded: name it {}{}", path, labs.front(), ending)
            : fmt::format(
                  "{} was not graded: its name does not fit a lab. Rename it, for example to {}{}",
                  path, labs.front(), ending));
  return found;
}

}  // namespace

std::optional<std::string> meant_kernel(const std::string& name) {
  const std::string low = lower(name);
  for (std::size_t at = low.rfind(kernel_ending); at != std::string::npos && at > 0;
       at = low.rfind(kernel_ending, at - 1)) {
    const std::size_t end = at + kernel_ending.size();
    // ".cuh" and ".cube" are different endings.
    if (end == low.size() || std::isalnum(static_cast<unsigned char>(low[end])) == 0)
      return low.substr(0, end);
  }
  return std::nullopt;
}

bool is_other_source(const std::string& name) {
  return std::ranges::find(other_sources, ending_of(name)) != other_sources.end();
}

bool is_plain_text(const std::string& name) { return ending_of(name) == "txt"; }

bool has_kernel(std::string_view text) { return text.find("__global__") != std::string_view::npos; }

std::optional<NearLab> lab_of_other_file(const std::string& path,
                                         const std::vector<std::string>& labs) {
  const fs::path file(path);
  const std::string name = file.filename().string();
  if (stem_of(path, kernel_ending) || stem_of(path, sheet_ending) ||
      std::ranges::find(harmless_endings, ending_of(name)) != harmless_endings.end())
    return std::nullopt;
  std::string stem = name.substr(0, name.rfind('.'));
  if (plain_name(stem) == "stub") stem = file.parent_path().filename().string();
  const auto [lab, far] = nearest_lab(stem, labs);
  if (lab.empty()) return std::nullopt;
  return NearLab{lab, far + farther_by_ending};
}

std::optional<NearLab> lab_of_kernel(const std::string& path,
                                     const std::vector<std::string>& labs) {
  return nearest(path, kernel_ending, labs);
}

std::optional<NearLab> lab_of_sheet(const std::string& path, const std::vector<std::string>& labs) {
  return nearest(path, sheet_ending, labs);
}

Uploaded match_uploaded(std::vector<std::string> files, const std::vector<std::string>& labs) {
  std::sort(files.begin(), files.end());
  Uploaded found;
  found.kernels = matched(files, kernel_ending, labs, found.remarks, found.remarks);
  for (const std::string& path : files) {
    if (stem_of(path, kernel_ending) || stem_of(path, sheet_ending)) continue;
    const std::optional<NearLab> near = lab_of_other_file(path, labs);
    if (near ? found.kernels.contains(near->lab) : found.kernels.size() == labs.size()) continue;
    found.remarks.push_back(fmt::format(
        "{} was not graded: the name of a kernel's file must end in .cu. Name it {}.cu{}", path,
        near ? near->lab : labs.front(), near ? "" : ", for example"));
  }
  // Ignored here, since the quiz check reports missing answers.
  std::vector<std::string> ignored;
  found.sheets = matched(files, sheet_ending, labs, found.remarks, ignored);
  return found;
}

Result<std::vector<std::string>> files_below(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> files;
  std::size_t seen = 0;
  fs::recursive_directory_iterator at{folder, fs::directory_options::skip_permission_denied,
                                      failure},
      end;
  for (; !failure && at != end && ++seen <= most_looked_at && files.size() < most_files;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    const bool hidden = name.starts_with('.') || name == "__MACOSX";
    if (at->is_directory(ignored) && (hidden || at.depth() >= most_depth))
      at.disable_recursion_pending();
    if (hidden || at->symlink_status(ignored).type() != fs::file_type::regular) continue;
    const std::string path = at->path().lexically_relative(folder).string();
    if (stem_of(path, kernel_ending) || stem_of(path, sheet_ending) || is_other_source(name))
      files.push_back(path);
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", folder, failure.message())};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace histolab::grader
