// Catalogue: the labs and their kernels, as `histolab list --json` gives them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace histolab::viewer {

struct KernelFile {
  std::string role;  // "work", "stub", "solution", "attempt"
  std::string name;  // for a person: "solution", "wrong-no-barrier"
  std::string path;

  [[nodiscard]] std::string label() const { return role == "work" ? "my kernel" : name; }
};

struct Lab {
  std::string name, title, summary;  // "04-privatization"
  // What its solution does, as `histolab bench` calls it; empty: nothing that has a name.
  std::string strategy;
  std::vector<std::string> bin_labels;
  std::vector<KernelFile> kernels;

  // The student's own where there is one, else the solution; nullptr: it has no kernel.
  [[nodiscard]] const KernelFile* preferred() const;
  [[nodiscard]] const KernelFile* solution() const;
  [[nodiscard]] const KernelFile* kernel(
      const std::string& word) const;  // by its name or its role; nullptr: there is none
};

struct Catalogue {
  std::vector<Lab> labs;
  // By name, number or unique prefix; nullptr: there is none.
  [[nodiscard]] const Lab* find(const std::string& word) const;
};

[[nodiscard]] Catalogue catalogue_in(const nlohmann::json& list);

}  // namespace histolab::viewer
