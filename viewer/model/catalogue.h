// Catalogue: the labs and their kernels, read from `histolab list --json`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace histolab::viewer {

struct KernelFile {
  std::string role;  // "work", "stub", "solution", "attempt"
  std::string name;  // as displayed: "solution", "wrong-no-barrier"
  std::string path;

  [[nodiscard]] std::string label() const { return role == "work" ? "my kernel" : name; }
};

struct Lab {
  std::string name, title, summary;  // "04-privatization"
  // The strategy of the solution, by its name in `histolab bench`. Empty if it has no name there.
  std::string strategy;
  std::vector<std::string> bin_labels;
  std::vector<KernelFile> kernels;

  // Returns the student's own kernel if it exists, else the solution, or nullptr if the lab has no
  // kernel.
  [[nodiscard]] const KernelFile* preferred() const;
  [[nodiscard]] const KernelFile* solution() const;
  // Finds a kernel by its name or its role. Returns nullptr if none matches.
  [[nodiscard]] const KernelFile* kernel(const std::string& word) const;
};

struct Catalogue {
  std::vector<Lab> labs;
  // Finds a lab by its name, its number or a unique prefix. Returns nullptr if none matches.
  [[nodiscard]] const Lab* find(const std::string& word) const;
};

[[nodiscard]] Catalogue catalogue_in(const nlohmann::json& list);

}  // namespace histolab::viewer
