#include "kernels/program/build/source_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace histolab::kernels::program {

std::string read_source(const std::string& path, const std::vector<std::string>& readable) {
  constexpr std::size_t most_source_bytes = 4 << 20;
  std::error_code failure;
  const std::string real = std::filesystem::canonical(path, failure).string();
  if (failure || !std::filesystem::is_regular_file(real, failure)) return {};
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

}  // namespace histolab::kernels::program
