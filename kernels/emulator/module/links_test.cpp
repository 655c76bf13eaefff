// Relocations of each kind, applied; and what is noted of the runtime and of mistakes.
#include "kernels/emulator/module/links.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>

#include "kernels/emulator/memory/built_in_variables.h"
#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using testing::ObjectBuilder;

constexpr std::uint64_t far_away = 1ull << 62;

// A kernel of 64 bytes that is linked with whatever the test adds.
struct Linked {
  Linked() : kernel(builder.code(".text.k", ObjectBuilder::Bytes(64, 0x90))) {
    builder.kernel("k", kernel);
  }
  // Loads all sections that the kernel refers to. Returns the links, or an error.
  const Result<Links>& link(bool for_debugger = false) {
    object.emplace(builder.build());
    REQUIRE(window.ok());
    parts.emplace(*object, std::vector<std::uint32_t>{kernel}, KernelParts::Checks::none);
    placed.emplace(place_sections(*parts, 0, *window));
    REQUIRE(placed->problem.empty());
    const BoundSymbols symbols = bind_symbols(*parts);
    links.emplace(emulator::link(*parts, symbols, *placed, for_debugger));
    return *links;
  }
  template <class T>
  [[nodiscard]] T at(std::uint32_t section, std::uint64_t offset) const {
    T value;
    std::memcpy(&value, placed->address[section] + offset, sizeof value);
    return value;
  }
  // Returns the value of a four-byte field of the kernel, with its sign.
  [[nodiscard]] std::uint64_t field(std::uint64_t offset) const {
    return static_cast<std::uint64_t>(std::int64_t{at<std::int32_t>(kernel, offset)});
  }
  [[nodiscard]] std::uint64_t place(std::uint64_t offset) const {
    return placed->begin_of(kernel) + offset;
  }

  ObjectBuilder builder;
  std::uint32_t kernel;
  std::optional<ObjectFile> object;
  Result<Window> window = Window::reserve();
  std::optional<KernelParts> parts;
  std::optional<Placement> placed;
  std::optional<Result<Links>> links;
};

std::uint64_t thread_pointer() {
  return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

}  // namespace

TEST_CASE("addresses and distances of the kernel's own variables") {
  Linked file;
  const std::uint32_t table = file.builder.constants(".rodata.table", ObjectBuilder::Bytes(32));
  const std::uint32_t symbol = file.builder.variable("table", table, 8, 16);
  file.builder.relocate(file.kernel, 0, R_X86_64_64, symbol, 3);
  file.builder.relocate(file.kernel, 8, R_X86_64_PC32, symbol, -4);
  file.builder.relocate(file.kernel, 16, R_X86_64_PC64, symbol, 5);
  file.builder.relocate(file.kernel, 24, R_X86_64_NONE, symbol, 5);
  file.builder.relocate(table, 0, R_X86_64_64, symbol);
  REQUIRE(file.link().ok());
  const std::uint64_t address = file.placed->begin_of(table) + 8;
  CHECK(file.at<std::uint64_t>(file.kernel, 0) == address + 3);
  CHECK(file.field(8) == address - 4 - file.place(8));
  CHECK(file.at<std::uint64_t>(file.kernel, 16) == address + 5 - file.place(16));
  CHECK(file.at<std::uint32_t>(file.kernel, 24) == 0x90909090);
  CHECK(file.at<std::uint64_t>(table, 0) == address);
}

TEST_CASE("shared and built-in variables are at distances from the thread pointer") {
  Linked file;
  const std::uint32_t part = file.builder.shared(".tbss.part", 16);
  const std::uint32_t of_part = file.builder.variable("part", part, 4, 8);
  const std::uint32_t index = file.builder.undefined_shared("histolab_threadIdx");
  const std::uint32_t dynamic = file.builder.undefined_shared("dynamic");
  file.builder.relocate(file.kernel, 0, R_X86_64_TPOFF64, of_part, 1);
  file.builder.relocate(file.kernel, 8, R_X86_64_TPOFF32, index, 4);
  file.builder.relocate(file.kernel, 16, R_X86_64_TPOFF64, dynamic);
  file.builder.relocate(file.kernel, 24, R_X86_64_GOTTPOFF, of_part, -4);
  REQUIRE(file.link().ok());
  const std::uint64_t offset = file.placed->begin_of(part) + 4 - thread_pointer();
  CHECK(file.at<std::uint64_t>(file.kernel, 0) == offset + 1);
  CHECK(file.field(8) == static_cast<std::uint64_t>(*built_in_variable("histolab_threadIdx")) + 4);
  CHECK(file.at<std::uint64_t>(file.kernel, 16) ==
        reinterpret_cast<std::uint64_t>(file.placed->dynamic_shared) - thread_pointer());
  const std::uint64_t word = file.place(24) + 4 + file.field(24);
  CHECK(file.at<std::uint64_t>(file.kernel, word - file.place(0)) == offset);
}

TEST_CASE("the loader's words hold addresses, one word per symbol") {
  Linked file;
  const std::uint32_t table = file.builder.constants(".rodata.table", ObjectBuilder::Bytes(32));
  const std::uint32_t symbol = file.builder.variable("table", table, 8, 16);
  file.builder.relocate(file.kernel, 0, R_X86_64_REX_GOTPCRELX, symbol, -4);
  file.builder.relocate(file.kernel, 8, R_X86_64_GOTPCREL, symbol, -4);
  REQUIRE(file.link().ok());
  const std::uint64_t word = file.place(0) + 4 + file.field(0);
  CHECK(file.place(8) + 4 + file.field(8) == word);
  CHECK(word - file.place(0) < Window::text_bytes);
  CHECK(file.at<std::uint64_t>(file.kernel, word - file.place(0)) ==
        file.placed->begin_of(table) + 8);
}

TEST_CASE("a call of the runtime is noted with the address behind it") {
  Linked file;
  ObjectBuilder::Bytes code(64, 0x90);
  code[0] = 0xe8;
  code[8] = 0xe9;
  file.kernel = file.builder.code(".text.calls", code);
  const std::uint32_t read = file.builder.undefined("__tsan_read4");
  file.builder.relocate(file.kernel, 1, R_X86_64_PLT32, read, -4);
  file.builder.relocate(file.kernel, 9, R_X86_64_PLT32, read, -4);
  const Result<Links>& links = file.link();
  REQUIRE(links.ok());
  REQUIRE(links->references.size() == 2);
  CHECK(links->references[0].symbol == read);
  CHECK(links->references[0].behind == file.place(5));
  CHECK(links->references[1].behind == file.place(13));
  CHECK(links->by_address.empty());
  CHECK(links->callable_stubs.empty());
  const std::uint64_t called = file.place(5) + file.field(1);
  CHECK(file.place(13) + file.field(9) == called);
}

TEST_CASE(
    "the address of a function leads to a stub; of one that accesses memory it is a mistake") {
  Linked file;
  const std::uint32_t read = file.builder.undefined("__tsan_read4");
  const std::uint32_t sine = file.builder.undefined("sinf");
  file.builder.relocate(file.kernel, 8, R_X86_64_64, sine);
  file.builder.relocate(file.kernel, 16, R_X86_64_64, sine);
  file.builder.relocate(file.kernel, 24, R_X86_64_64, read);
  const Result<Links>& links = file.link();
  REQUIRE(links.ok());
  const std::uint64_t stub = file.at<std::uint64_t>(file.kernel, 8);
  CHECK(stub - file.place(0) < Window::text_bytes);
  CHECK(file.at<std::uint64_t>(file.kernel, 16) == stub);
  REQUIRE(links->callable_stubs.size() == 3);
  CHECK(links->callable_stubs[0] == stub - file.place(0));
  REQUIRE(links->by_address.size() == 1);
  CHECK(links->by_address.at(read) == file.place(24));
}

TEST_CASE("the first use of a symbol that does not exist here is noted, and nothing is written") {
  Linked file;
  const std::uint32_t open = file.builder.undefined("fopen");
  file.builder.relocate(file.kernel, 9, R_X86_64_PLT32, open, -4);
  file.builder.relocate(file.kernel, 17, R_X86_64_PLT32, open, -4);
  const Result<Links>& links = file.link();
  REQUIRE(links.ok());
  REQUIRE(links->unsupported.size() == 1);
  CHECK(links->unsupported.at(open) == file.place(9));
  CHECK(file.at<std::uint32_t>(file.kernel, 9) == 0x90909090);
}

TEST_CASE(
    "a value that does not fit is noted by its symbol; in debug information it is malformed") {
  Linked file;
  const std::uint32_t table = file.builder.constants(".rodata.table", ObjectBuilder::Bytes(32));
  const std::uint32_t symbol = file.builder.variable("table", table, 0, 16);
  const auto out = static_cast<std::int64_t>(far_away);
  file.builder.relocate(file.kernel, 4, R_X86_64_PC32, symbol, out);
  file.builder.relocate(file.kernel, 12, R_X86_64_PC32, symbol, out);
  const Result<Links>& links = file.link();
  REQUIRE(links.ok());
  REQUIRE(links->out_of_reach.size() == 1);
  CHECK(links->out_of_reach.at(symbol) == file.place(4));
  CHECK(file.at<std::uint32_t>(file.kernel, 4) == 0x90909090);
  Linked debug;
  const std::uint32_t info = debug.builder.debug(".debug_info", ObjectBuilder::Bytes(16));
  const std::uint32_t in_info = debug.builder.variable("info", info, 0, 16);
  debug.builder.relocate(info, 0, R_X86_64_32, in_info, out);
  CHECK_FALSE(debug.link().ok());
}

TEST_CASE("debug information is relocated in the copy of the file, where sections are offsets") {
  Linked file;
  const std::uint32_t info = file.builder.debug(".debug_info", ObjectBuilder::Bytes(32));
  const std::uint32_t in_info = file.builder.variable("info", info, 8, 16);
  const std::uint32_t code = file.builder.function("code", file.kernel, 2);
  file.builder.relocate(info, 0, R_X86_64_32, in_info, 4);
  file.builder.relocate(info, 8, R_X86_64_64, code, 1);
  REQUIRE(file.link().ok());
  std::uint32_t offset = 0;
  std::uint64_t address = 0;
  std::memcpy(&offset, file.object->sections()[info].data, sizeof offset);
  std::memcpy(&address, file.object->sections()[info].data + 8, sizeof address);
  CHECK(offset == 12);
  CHECK(address == file.place(2) + 1);
}

TEST_CASE("a debugger finds a shared variable at its address") {
  constexpr std::uint8_t constant = 0x0e, address = 0x03, in_thread = 0xe0, nothing = 0x96;
  for (const bool for_debugger : {false, true}) {
    Linked file;
    const std::uint32_t part = file.builder.shared(".tbss.part", 16);
    const std::uint32_t symbol = file.builder.variable("part", part, 4, 8);
    file.builder.relocate(file.kernel, 0, R_X86_64_TPOFF32, symbol);
    ObjectBuilder::Bytes location(12);
    location[0] = constant;
    location[9] = in_thread;
    const std::uint32_t info = file.builder.debug(".debug_info", location);
    file.builder.relocate(info, 1, R_X86_64_DTPOFF64, symbol);
    REQUIRE(file.link(for_debugger).ok());
    const std::uint8_t* const linked = file.object->sections()[info].data;
    std::uint64_t where = 0;
    std::memcpy(&where, linked + 1, sizeof where);
    CHECK(linked[0] == (for_debugger ? address : constant));
    CHECK(linked[9] == (for_debugger ? nothing : in_thread));
    CHECK(where == (for_debugger ? file.placed->begin_of(part) + 4 : 0));
  }
}

TEST_CASE("relocations that cannot be applied are an error with their type") {
  const auto fails = [](std::uint64_t offset, std::uint32_t type) {
    Linked file;
    file.builder.relocate(file.kernel, offset, type, 1);
    const Result<Links>& links = file.link();
    return !links.ok() &&
           links.error().message.find("(type " + std::to_string(type) + ")") != std::string::npos;
  };
  CHECK(fails(0, R_X86_64_COPY));
  CHECK(fails(0, R_X86_64_DTPOFF64));
  CHECK(fails(57, R_X86_64_64));
  CHECK(fails(61, R_X86_64_PC32));
  CHECK_FALSE(fails(56, R_X86_64_64));
  CHECK_FALSE(fails(60, R_X86_64_PC32));
}

}  // namespace histolab::kernels::emulator
