#include "kernels/program/build/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace histolab::kernels::program {

std::string read_source(const std::string& path, const std::vector<std::string>& readable) {
  constexpr std::size_t most_source_bytes = 4 << 20;
  std::error_code failure;
  const std::string real = std::filesystem::canonical(path, failure).string();
  // Files of the kernel have contents without a size, or without an end.
  if (failure || real.starts_with("/proc/") || real.starts_with("/sys/") ||
      !std::filesystem::is_regular_file(real, failure) ||
      std::filesystem::file_size(real, failure) == 0)
    return {};
  const bool allowed = std::ranges::any_of(readable, [&](const std::string& folder) {
    std::error_code missing;
    const std::string root = std::filesystem::canonical(folder, missing).string();
    return !missing && real.starts_with(root.ends_with('/') ? root : root + "/");
  });
  if (!allowed) return {};
  std::ifstream file(real, std::ios::binary);
  std::string text(most_source_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

const SourceFiles::File& SourceFiles::file(const std::string& path) {
  if (const auto known = names_.find(path); known != names_.end()) return *known->second;
  constexpr std::size_t most_names = 1000;
  if (names_.size() == most_names) names_.clear();
  return *(names_[path] = &find(path));
}

const SourceFiles::File& SourceFiles::find(const std::string& path) {
  constexpr std::size_t most_bytes = 64 << 20;
  static const File nothing;
  std::error_code failure;
  const std::string real = std::filesystem::canonical(path, failure).string();
  if (failure) return nothing;
  if (const auto known = files_.find(real); known != files_.end()) return known->second;
  if (bytes_ >= most_bytes) return nothing;
  File& added = files_[real];
  added.text = read_source(real, readable_);
  for (std::size_t at = 0; at < added.text.size();) {
    added.begins.push_back(at);
    at = std::min(added.text.find('\n', at), added.text.size()) + 1;
  }
  bytes_ += real.size() + added.text.size() + added.begins.size() * sizeof(std::size_t);
  return added;
}

std::string SourceFiles::line(const std::string& path, int number) {
  const File& found = file(path);
  if (number < 1 || static_cast<std::size_t>(number) > found.begins.size()) return {};
  const std::size_t begin = found.begins[static_cast<std::size_t>(number) - 1];
  return found.text.substr(begin, found.text.find('\n', begin) - begin);
}

}  // namespace histolab::kernels::program
