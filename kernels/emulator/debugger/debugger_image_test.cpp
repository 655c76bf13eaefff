// A module's image for a debugger: the object file with addresses, in the list that GDB reads.
#include "kernels/emulator/debugger/debugger_image.h"

#include <doctest/doctest.h>
#include <dwarf.h>
#include <elf.h>

#include <array>
#include <cstring>
#include <string>

#include "kernels/worker/compiling/compiler.h"

extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};
struct jit_descriptor {
  std::uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
}

namespace histolab::kernels::emulator {
namespace {

constexpr const char* source = R"(
__device__ unsigned int total;
__global__ void k(unsigned int* out) {
  __shared__ unsigned int part[8];
  part[threadIdx.x % 8] = out[0];
  __syncthreads();
  total = part[0];
}
)";

ObjectFile debuggable() {
  const EmulatorPaths paths{.worker = {},
                            .include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include"};
  const auto output = worker::compile_for_emulator(source, paths, "/somewhere/else/01-race.cu");
  REQUIRE(output);
  REQUIRE(output->object);
  auto object = ObjectFile::parse(output->object->bytes());
  REQUIRE(object);
  return std::move(*object);
}

std::vector<Elf64_Shdr> headers_of(const std::vector<std::uint8_t>& image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), image.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  return sections;
}

TEST_CASE("the image has the address of each mapped section, and no relocations or TLS sections") {
  const ObjectFile object = debuggable();
  std::vector<std::uint8_t*> address(object.sections().size(), nullptr);
  std::size_t kernel = 0, shared = 0;
  for (std::size_t i = 0; i < address.size(); ++i) {
    if (object.sections()[i].name == ".text._Z1kPj") kernel = i;
    if (object.sections()[i].is_thread_local) shared = i;
  }
  REQUIRE(kernel != 0);
  REQUIRE(shared != 0);
  address[kernel] = reinterpret_cast<std::uint8_t*>(0x10000);
  address[shared] = reinterpret_cast<std::uint8_t*>(0x20000);
  const std::vector<Elf64_Shdr> sections = headers_of(image_for_debugger(object, address));
  REQUIRE(sections.size() == address.size());
  CHECK(sections[kernel].sh_addr == 0x10000);
  CHECK((sections[kernel].sh_flags & SHF_ALLOC) != 0);
  CHECK(sections[shared].sh_addr == 0x20000);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    INFO(object.sections()[i].name);
    CHECK(sections[i].sh_type != SHT_RELA);
    CHECK((sections[i].sh_flags & SHF_TLS) == 0);
    CHECK(((sections[i].sh_flags & SHF_ALLOC) != 0) == (address[i] != nullptr));
  }
}

TEST_CASE("the debug information names the student's file") {
  const ObjectFile object = debuggable();
  const std::string image(object.image().begin(), object.image().end());
  CHECK(image.find("/somewhere/else/01-race.cu") != std::string::npos);
}

TEST_CASE("GDB's list contains an image while it exists, the newest first") {
  REQUIRE(__jit_debug_descriptor.first_entry == nullptr);
  {
    const DebuggerImage first({1, 2, 3});
    const jit_code_entry* entry = __jit_debug_descriptor.first_entry;
    REQUIRE(entry != nullptr);
    CHECK(entry->symfile_size == 3);
    CHECK(entry->symfile_addr[2] == 3);
    {
      const DebuggerImage second({4});
      CHECK(__jit_debug_descriptor.first_entry->symfile_size == 1);
      CHECK(__jit_debug_descriptor.first_entry->next_entry == entry);
      CHECK(entry->prev_entry == __jit_debug_descriptor.first_entry);
    }
    CHECK(__jit_debug_descriptor.first_entry == entry);
    CHECK(entry->prev_entry == nullptr);
  }
  CHECK(__jit_debug_descriptor.first_entry == nullptr);
  CHECK(__jit_debug_descriptor.version == 1);
}

TEST_CASE("a thread-local location becomes an address; any other location is unchanged") {
  for (const int push : {DW_OP_GNU_push_tls_address, DW_OP_form_tls_address}) {
    std::array<std::uint8_t, 10> location{
        DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(push)};
    CHECK(make_location_absolute(location.data() + 1, 0x123456789a));
    std::uint64_t address = 0;
    std::memcpy(&address, location.data() + 1, sizeof address);
    CHECK(location[0] == DW_OP_addr);
    CHECK(address == 0x123456789a);
    CHECK(location[9] == DW_OP_nop);
  }
  std::array<std::uint8_t, 10> other{DW_OP_const8u, 7, 0, 0, 0, 0, 0, 0, 0, DW_OP_plus};
  const auto before = other;
  CHECK_FALSE(make_location_absolute(other.data() + 1, 1));
  CHECK(other == before);
}

}  // namespace
}  // namespace histolab::kernels::emulator
