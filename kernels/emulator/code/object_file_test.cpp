// Object files: the parsed contents; and a file that was tampered with is either refused or loaded,
// without a crash or an endless loop of the loader.
#include "kernels/emulator/code/object_file.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <algorithm>
#include <cstring>

#include "kernels/emulator/module/module.h"
#include "kernels/emulator/proof/confined_code.h"
#include "kernels/emulator/testing/random.h"
#include "kernels/emulator/testing/survival.h"
#include "kernels/worker/compiling/compiler.h"

// Of arch/guards.cpp: the valid targets of jumps, one mark per offset in the text.
extern "C" std::uint16_t histolab_code_places[];

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint16_t function_mark = 0x8000;

using Bytes = std::vector<std::uint8_t>;

// A kernel that contains one of each thing that the loader examines.
constexpr const char* source = R"(
#include <stdio.h>
extern "C" __device__ const unsigned int factor = 12;
__constant__ int table[3] = {1, 2, 3};
__device__ unsigned int total;
extern __shared__ unsigned int dynamic[];
__device__ __noinline__ int helper(int i) { return table[i % 3]; }
__global__ void __launch_bounds__(128) k(const char* data, unsigned int n, unsigned int* out) {
  __shared__ unsigned int part[8];
  __shared__ char letters[3];
  part[threadIdx.x % 8] = letters[n % 3] + dynamic[n];
  __syncthreads();
  if (blockIdx.x == n) printf("%u\n", n);
  switch (data[n]) { case 1: out[1] = 5; break; case 2: out[2] = 7; break; case 3: out[1] = 8;
                     break; case 4: out[3] = 9; break; case 5: n++; break; }
  unsigned int old = out[0];
  atomicCAS(&out[0], old, old + helper(n));
  __syncwarp();
  atomicAdd(&total, part[data[n] % 8]);
}
)";

const Bytes& object() {
  static const Bytes bytes = [] {
    const auto compiled = worker::compile_for_emulator(
        source, {"", HISTOLAB_SOURCE_DIR "/kernels/emulator/include", "g++"});
    REQUIRE(compiled.ok());
    REQUIRE(compiled->object.has_value());
    const auto object = compiled->object->bytes();
    return Bytes(object.begin(), object.end());
  }();
  return bytes;
}

KernelSignature signature() {
  using enum KernelSignature::Parameter;
  return {"k", {pointer, word, pointer}, "__global__ void k(...)", {"factor"}};
}

const Section* section_called(const ObjectFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.sections(), name, &Section::name);
  return found == file.sections().end() ? nullptr : &*found;
}

const Symbol* symbol_called(const ObjectFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.symbols(), name, &Symbol::name);
  return found == file.symbols().end() ? nullptr : &*found;
}

// Checks that all parts of a parsed file are within it and refer to existing parts.
bool is_sound(const ObjectFile& file) {
  const auto image = file.image();
  for (const Section& s : file.sections()) {
    if (s.data != nullptr && (s.data < image.data() || s.bytes > image.size() ||
                              s.data + s.bytes > image.data() + image.size()))
      return false;
    if (s.alignment == 0 || (s.alignment & (s.alignment - 1)) != 0) return false;
    if (s.allocated && !s.is_zero && s.data == nullptr) return false;
  }
  for (const Symbol& s : file.symbols())
    if (s.section >= file.sections().size() ||
        (s.section != 0 && s.value > file.sections()[s.section].bytes))
      return false;
  for (std::uint32_t i = 0; i < file.sections().size(); ++i)
    for (const Relocation& r : file.relocations(i))
      if (r.symbol >= file.symbols().size() || r.offset >= file.sections()[i].bytes ||
          file.sections()[i].data == nullptr)
        return false;
  return true;
}

// Returns the byte ranges of the file's structure and debug information. All other bytes are code
// and data.
std::vector<std::pair<std::size_t, std::size_t>> structure() {
  Elf64_Ehdr header;
  std::memcpy(&header, object().data(), sizeof header);
  std::vector<std::pair<std::size_t, std::size_t>> ranges{{0, sizeof header},
                                                          {header.e_shoff, object().size()}};
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, object().data() + header.e_shoff + i * sizeof section, sizeof section);
    const bool is_debug = section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) == 0;
    if (section.sh_size > 0 && (is_debug || section.sh_type == SHT_SYMTAB ||
                                section.sh_type == SHT_STRTAB || section.sh_type == SHT_RELA))
      ranges.push_back({section.sh_offset, section.sh_offset + section.sh_size});
  }
  return ranges;
}

// Changes one to four bytes, mostly in the file's structure. The same number makes the same change.
Bytes tampered_with(std::uint32_t number) {
  static const auto ranges = structure();
  testing::Random random(number);
  Bytes bytes = object();
  for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
    auto [begin, end] = random.one_in(4)
                            ? std::pair<std::size_t, std::size_t>{0, bytes.size()}
                            : ranges[random.below(static_cast<std::uint32_t>(ranges.size()))];
    std::uint8_t& byte = bytes[begin + random.below(static_cast<std::uint32_t>(end - begin))];
    switch (random.below(4)) {
      case 0: byte = static_cast<std::uint8_t>(byte ^ 1u << random.below(8)); break;
      case 1: byte = random.one_in(2) ? 0xff : 0; break;
      case 2: byte = static_cast<std::uint8_t>(byte + (random.one_in(2) ? 1 : 255)); break;
      default: byte = static_cast<std::uint8_t>(random.bits()); break;
    }
  }
  return bytes;
}

// Loads the file in a window of its own. Returns false if the loader reports success, but there is
// no kernel to call.
bool loads_or_is_refused(const Bytes& bytes) {
  auto window = Window::reserve();
  if (!window) return false;
  bool fine = false;
  testing::on_window_thread(*window, [&] {
    const auto module = Module::load(bytes, signature(), *window,
                                     {.dynamic_shared_bytes = 64, .name_variables = true});
    if (!module || !module->diagnostics.empty())
      fine = true;
    else
      fine = reinterpret_cast<std::uint64_t>(module->entry) - window->begin() < Window::text_bytes;
  });
  return fine;
}

}  // namespace

TEST_CASE("sections, symbols and relocations of a compiled kernel") {
  const auto file = ObjectFile::parse(object());
  REQUIRE(file.ok());
  CHECK(is_sound(*file));
  CHECK(std::ranges::equal(file->image(), object()));
  CHECK(file->sections()[0].data == nullptr);

  const Symbol* kernel = symbol_called(*file, "_Z1kPKcjPj");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->is_function);
  CHECK(kernel->is_kernel);
  const Section& text = file->sections()[kernel->section];
  CHECK(text.executable);
  CHECK(text.allocated);
  CHECK_FALSE(text.writable);
  CHECK_FALSE(text.is_zero);
  CHECK(text.bytes >= kernel->bytes);

  const Symbol* factor = symbol_called(*file, "factor");
  REQUIRE(factor != nullptr);
  CHECK(factor->bytes == 4);
  CHECK_FALSE(factor->is_kernel);
  CHECK(file->sections()[factor->section].data[factor->value] == 12);

  const Symbol* total = symbol_called(*file, "total");
  REQUIRE(total != nullptr);
  CHECK(file->sections()[total->section].is_zero);
  CHECK(file->sections()[total->section].writable);

  const Symbol* dynamic = symbol_called(*file, "dynamic");
  REQUIRE(dynamic != nullptr);
  CHECK(dynamic->is_thread_local);
  CHECK(dynamic->section == 0);

  const auto calls = [&](const char* name) {
    return std::ranges::any_of(file->relocations(kernel->section), [&](const Relocation& r) {
      return file->symbols()[r.symbol].name == name;
    });
  };
  CHECK(calls("histolab_syncthreads"));
  CHECK(calls("__tsan_write4"));
  CHECK_FALSE(calls("factor"));
  CHECK(section_called(*file, ".debug_line") != nullptr);
}

TEST_CASE("an unmodified kernel loads") {
  CHECK(loads_or_is_refused(object()));
  auto window = Window::reserve();
  REQUIRE(window.ok());
  testing::on_window_thread(*window, [&] {
    const auto module = Module::load(object(), signature(), *window,
                                     {.dynamic_shared_bytes = 64, .name_variables = false});
    REQUIRE(module.ok());
    CHECK(module->diagnostics.empty());
    CHECK(module->entry != nullptr);
    CHECK(module->exports.at("factor") == 12);
    CHECK(module->has_compare_and_swap);
    CHECK(module->has_warp_sync);
    CHECK(module->max_threads_per_block == 128);
    CHECK(module->static_shared_bytes >= 35);
  });
}

TEST_CASE("in a window far from the runtime, call stubs are not part of the kernel's text") {
  const auto file = ObjectFile::parse(object());
  REQUIRE(file.ok());
  std::uint64_t of_kernel = 0;
  for (std::uint32_t i = 0; i < file->sections().size(); ++i)
    if (file->sections()[i].executable)
      of_kernel += confine(*file, i).bytes.size() + file->sections()[i].alignment - 1;
  const auto beside = Window::reserve();
  auto far = Window::reserve();  // its preferred addresses are in use
  REQUIRE(beside.ok());
  REQUIRE(far.ok());
  REQUIRE(far->begin() - reinterpret_cast<std::uint64_t>(&Window::reserve) > 1u << 31);
  testing::on_window_thread(*far, [&] {
    const auto module = Module::load(object(), signature(), *far,
                                     {.dynamic_shared_bytes = 64, .name_variables = false});
    REQUIRE(module.ok());
    CHECK(module->text.size() > 0);
    CHECK(module->text.size() <= of_kernel);
    // A call through a pointer may not enter the stubs: the kernel takes no function's address.
    const auto* const end = module->text.data() + module->text.size();
    const auto behind = static_cast<std::size_t>(end - far->image());
    CHECK(std::count(histolab_code_places + behind, histolab_code_places + Window::text_bytes,
                     function_mark) == 0);
    CHECK(std::count(histolab_code_places, histolab_code_places + behind, function_mark) > 0);
  });
}

TEST_CASE("an invalid header or an object file for another machine is an error") {
  const auto with = [](std::size_t at, std::uint8_t value) {
    Bytes bytes = object();
    bytes[at] = value;
    return bytes;
  };
  CHECK_FALSE(ObjectFile::parse({}).ok());
  CHECK_FALSE(ObjectFile::parse(Bytes(4096, 0)).ok());
  CHECK_FALSE(ObjectFile::parse(with(0, 'E')).ok());
  CHECK_FALSE(ObjectFile::parse(with(EI_CLASS, ELFCLASS32)).ok());
  CHECK_FALSE(ObjectFile::parse(with(offsetof(Elf64_Ehdr, e_type), ET_EXEC)).ok());
  CHECK_FALSE(ObjectFile::parse(with(offsetof(Elf64_Ehdr, e_machine), EM_AARCH64)).ok());
}

TEST_CASE("a kernel with a name that no compiler makes is loaded or refused") {
  const std::string mangled = "_Z1kPKcjPj";
  for (const std::string name : {"k(kPKcjPj(", "k(,,,,,,,,", "k()()()())", "k)k(k)k(k)",
                                 "((((((((((", "_ZZZZZZZZZ", "_Z1kIIIIII", "k(, , , , "}) {
    CAPTURE(name);
    Bytes bytes = object();
    int renamed = 0;
    for (auto rest = std::ranges::search(bytes, mangled); !rest.empty();
         rest = std::ranges::search(bytes, mangled), ++renamed)
      std::ranges::copy(name, rest.begin());
    CHECK(renamed > 0);
    const auto died =
        testing::all_survive(1, 1, [&](std::uint32_t) { return loads_or_is_refused(bytes); });
    CHECK_MESSAGE(died.empty(), died);
  }
}

TEST_CASE("a truncated file is parsed to a sound object or an error") {
  const auto died = testing::all_survive(
      static_cast<std::uint32_t>(object().size()), 100'000, [](std::uint32_t bytes) {
        const auto file = ObjectFile::parse({object().data(), bytes});
        return !file || is_sound(*file);
      });
  CHECK_MESSAGE(died.empty(), died);
}

TEST_CASE("a corrupted file is parsed to a sound object or an error") {
  const auto died = testing::all_survive(20'000, 100'000, [](std::uint32_t number) {
    const auto file = ObjectFile::parse(tampered_with(number));
    return !file || is_sound(*file);
  });
  CHECK_MESSAGE(died.empty(), died);
}

TEST_CASE("a truncated file is loaded, refused or an error") {
  const std::uint32_t step = 61;
  const auto died = testing::all_survive(
      static_cast<std::uint32_t>(object().size()) / step, 250, [](std::uint32_t i) {
        return loads_or_is_refused(Bytes(object().begin(), object().begin() + i * step));
      });
  CHECK_MESSAGE(died.empty(), died);
}

TEST_CASE("a corrupted file is loaded, refused or an error") {
  const auto died = testing::all_survive(
      5'000, 250, [](std::uint32_t number) { return loads_or_is_refused(tampered_with(number)); });
  CHECK_MESSAGE(died.empty(), died);
}

}  // namespace histolab::kernels::emulator
