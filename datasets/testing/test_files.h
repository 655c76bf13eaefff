// Files for the tests of this module: a temporary folder, and helpers that make and load files.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "datasets/datasets.h"

namespace histolab::datasets {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "histolab-datasets-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

  // Writes the file and returns its path.
  std::string file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }
  std::string file(const std::string& name, std::span<const std::uint8_t> content) const {
    return file(name,
                std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
  }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

// Returns a binary PGM or PPM.
inline std::vector<std::uint8_t> pnm(std::string_view header,
                                     const std::vector<std::uint8_t>& samples) {
  std::vector<std::uint8_t> file = bytes_of(header);
  file.insert(file.end(), samples.begin(), samples.end());
  return file;
}

inline Result<std::vector<std::uint8_t>> load(const std::string& name_or_path,
                                              std::optional<std::uint64_t> length,
                                              std::uint64_t seed) {
  return load_samples(name_or_path, length, seed, 1);
}

}  // namespace histolab::datasets
