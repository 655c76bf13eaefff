// histolab-loaders [NAME...] [--rounds N] [--names] [--inputs NAME FOLDER]: runs every loader on
// its stored inputs, on the same inputs with deeply nested lists, and on N damaged inputs. Damage
// means cutting, doubling, overwriting and crossing, the same each time. It works with any compiler
// because it does not use coverage; tools/fuzz_loaders does.
//
// --names prints all names. --inputs NAME FOLDER writes the stored inputs of a loader into a
// folder, one file each. Status: 0 if all loaders returned; else the process crashed.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "tools/loader_fuzzers/files.h"
#include "tools/loader_fuzzers/loaders.h"

namespace {

using namespace histolab::fuzzing;

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
    static const std::vector<std::string> words = {
        "0",        "-1", "1e999", "18446744073709551616", "4294967296", "null",
        "[]",       "{}", "\"\"",  "\"\\u0000\"",          "true",       "\xff\xfe",
        "[[[[[[[[", "\n", ","};
    const std::size_t at = below(bytes.size() + 1),
                      size = std::min(bytes.size() - at, std::size_t{1} << below(8));
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

// Inserts deeply nested lists before a value, in up to sixteen places. Code that recurses once per
// level overflows the stack. A fuzzer rarely finds such a regular input.
std::vector<std::string> deepened(const std::string& input) {
  constexpr std::size_t depth = 100'000, most = 16;
  const std::string lists = std::string(depth, '[') + std::string(depth, ']');
  std::vector<std::size_t> places;
  for (std::size_t at = 0; (at = input.find("\":", at)) != std::string::npos; at += 2)
    places.push_back(at + 2);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < std::min(most, places.size()); ++i) {
    std::string& one = all.emplace_back(input);
    one.insert(places[i * places.size() / std::min(most, places.size())], lists + ",\"more\":");
  }
  if (all.empty()) all.push_back(lists);
  return all;
}

void write_inputs(const Loader& loader, const std::string& folder) {
  std::size_t number = 0;
  for (const std::string& input : inputs_of(loader))
    std::ofstream(folder + "/kept-" + std::to_string(number++), std::ios::binary)
        .write(input.data(), static_cast<std::streamsize>(input.size()));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"runs every loader on stored and on damaged inputs"};
  std::vector<std::string> names;
  std::pair<std::string, std::string> kept;
  std::size_t rounds = 200;
  app.add_option("NAME", names, "loaders (all)");
  app.add_option("--rounds", rounds, "damaged inputs per loader")->capture_default_str();
  app.add_option("--inputs", kept, "write the stored inputs of this loader into that folder")
      ->type_name("NAME FOLDER");
  bool only_names = false;
  app.add_flag("--names", only_names, "print the names of all loaders");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (const Loader* loader = find_loader(kept.first)) write_inputs(*loader, kept.second);
  if (!kept.first.empty()) names.push_back(kept.first);

  for (const Loader& loader : loaders()) {
    if (only_names) std::printf("%.*s\n", static_cast<int>(loader.name.size()), loader.name.data());
    if (only_names || !kept.first.empty() ||
        (!names.empty() && std::ranges::find(names, loader.name) == names.end()))
      continue;
    std::vector<std::string> inputs = inputs_of(loader);
    inputs.emplace_back();
    for (const std::string& input : inputs) loader.take(input);
    for (const std::string& input : deepened(inputs.front())) loader.take(input);
    Mutator mutator(inputs);
    for (std::size_t i = 0; i < rounds; ++i) loader.take(mutator.next());
    std::printf("%-20.*s %4zu stored, %zu damaged\n", static_cast<int>(loader.name.size()),
                loader.name.data(), inputs.size() - 1, rounds);
    std::fflush(stdout);
  }
  for (const std::string& name : names)
    if (find_loader(name) == nullptr) {
      std::fprintf(stderr, "there is no loader %s\n", name.c_str());
      return 2;
    }
  return 0;
}
