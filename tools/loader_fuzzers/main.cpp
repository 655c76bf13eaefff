// histolab-loaders [NAME...] [--rounds N] [--names] [--inputs NAME]: every loader on what is kept for it, and on N inputs made of that by
// cutting, doubling, overwriting and crossing, the same ones each time. No coverage leads it, so that any compiler will do;
// tools/fuzz_loaders has one that does.
//
// --names prints all names, --inputs the files that are kept for a loader. Status: 0 all came back; else the process ended where it should not.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "tools/loader_fuzzers/files.h"
#include "tools/loader_fuzzers/loaders.h"

namespace {

using namespace histolab::fuzzing;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& inputs) : inputs_(inputs) {}

  std::string next() {
    std::string bytes = inputs_[below(inputs_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(std::string& bytes) {
    static const std::vector<std::string> words = {"0", "-1", "1e999", "18446744073709551616", "4294967296", "null", "[]", "{}", "\"\"", "\"\\u0000\"", "true", "\xff\xfe", "[[[[[[[[", "\n", ","};
    const std::size_t at = below(bytes.size() + 1), size = std::min(bytes.size() - at, std::size_t{1} << below(8));
    const std::string& other = inputs_[below(inputs_.size())];
    switch (below(7)) {
      case 0: bytes.resize(at); break;
      case 1: bytes.erase(at, size); break;
      case 2: bytes.insert(at, bytes.substr(at, size)); break;
      case 3: bytes.insert(at, words[below(words.size())]); break;
      case 4: bytes.replace(at, size, words[below(words.size())]); break;
      case 5: bytes.replace(at, size, other.substr(below(other.size() + 1), size)); break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random_());
    }
  }

  const std::vector<std::string>& inputs_;
  std::mt19937_64 random_{815};
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"every loader on kept and on damaged inputs"};
  std::vector<std::string> names;
  std::string inputs_of_name;
  std::size_t rounds = 200;
  app.add_option("NAME", names, "loaders (all of them)");
  app.add_option("--rounds", rounds, "damaged inputs for each")->capture_default_str();
  app.add_option("--inputs", inputs_of_name, "print the files that are kept for this loader");
  bool only_names = false;
  app.add_flag("--names", only_names, "print the names of all loaders");
  CLI11_PARSE(app, argc, argv);

  for (const Loader& loader : loaders()) {
    if (only_names) std::printf("%.*s\n", static_cast<int>(loader.name.size()), loader.name.data());
    if (inputs_of_name == loader.name)
      for (const auto& path : inputs_of(loader)) std::printf("%s\n", path.c_str());
    if (only_names || !inputs_of_name.empty() || (!names.empty() && std::ranges::find(names, loader.name) == names.end())) continue;
    const std::vector<std::filesystem::path> paths = inputs_of(loader);
    std::vector<std::string> inputs = {""};
    for (const auto& path : paths) inputs.push_back(bytes_of(path));
    for (const std::string& input : inputs) loader.take(input);
    Mutator mutator(inputs);
    for (std::size_t i = 0; i < rounds; ++i) loader.take(mutator.next());
    std::printf("%-20.*s %4zu kept, %zu damaged\n", static_cast<int>(loader.name.size()), loader.name.data(), paths.size(), rounds);
    std::fflush(stdout);
  }
  for (const std::string& name : names)
    if (find_loader(name) == nullptr) {
      std::fprintf(stderr, "there is no loader %s\n", name.c_str());
      return 2;
    }
  return 0;
}
