// The command line of nvcc, as far as it matters to a program that runs on the emulator.
//
// Options that only choose a GPU or its code are accepted silently. Options that change the results
// of a GPU's code, which the emulator does not do, are accepted with a note. Options that ask for a
// file that histolab cannot make, and unknown ones, are errors.
#pragma once

#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::cli {

struct NvccWords {
  enum class Product { program, objects, preprocessed, dependencies, version, toolkit };
  Product product = Product::program;
  // In the order of the link: sources, objects, archives, and libraries (-lm).
  std::vector<std::string> inputs;
  std::string output, output_folder;  // -o, -odir; if empty, the usual names
  std::string language;               // -x: "cu", "c", "c++"; if empty, by suffix
  std::string standard;               // c++17; if empty, the default
  std::vector<std::string> include_dirs, defines;
  std::vector<std::string> words;         // other options of g++ for all compilations
  std::vector<std::string> host_words;    // for host code and the link: -Xcompiler, -O
  std::vector<std::string> link_words;    // for the link: -Xlinker
  std::vector<std::string> library_dirs;  // -L
  // -MD and its relatives: "-MD" or "-MMD", "-MF FILE", "-MT NAME", "-MP".
  std::string dependencies, dependency_file, dependency_target;
  bool phony_targets = false;
  bool relocatable = false;  // -rdc=true, -dc
  bool device_link = false;  // -dlink
  bool dry = false;          // --dryrun: nothing is made
  bool verbose = false;      // -v
  std::vector<std::string> notes;
};

// Returns an Error that names the option and says what to do.
[[nodiscard]] Result<NvccWords> parse_nvcc(const std::vector<std::string>& words);

// Suffixes decide as for nvcc, unless -x does.
enum class InputKind { cuda, cpp, c, binary, library, unknown };
[[nodiscard]] InputKind kind_of(const NvccWords& words, const std::string& input);

}  // namespace histolab::cli
