// The addresses and the regions of sections in the window.
#include "kernels/emulator/module/placement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/emulator/testing/object_builder.h"
#include "kernels/program/memory_layout.h"

namespace histolab::kernels::emulator {
namespace {

using testing::ObjectBuilder;

// A file all of whose sections are loaded.
struct Loaded {
  explicit Loaded(const ObjectBuilder& builder, std::uint32_t dynamic_shared_bytes = 0,
                  const KeptVariables& kept = {})
      : object(builder.build()) {
    std::vector<std::uint32_t> roots(object.sections().size());
    std::iota(roots.begin(), roots.end(), 0);
    parts.emplace(object, roots, KernelParts::Checks::none);
    REQUIRE(window.ok());
    placed.emplace(place_sections(*parts, dynamic_shared_bytes, *window, kept));
  }
  [[nodiscard]] bool has_region(const std::string& name) const {
    return std::ranges::find(window->regions(), name, &Region::name) != window->regions().end();
  }
  [[nodiscard]] const Region& region(const std::string& name) const {
    REQUIRE_MESSAGE(has_region(name), name);
    return *std::ranges::find(window->regions(), name, &Region::name);
  }

  ObjectFile object;
  Result<Window> window = Window::reserve();
  std::optional<KernelParts> parts;
  std::optional<Placement> placed;
};

}  // namespace

TEST_CASE("a range hands out aligned pieces with red zones, as long as they fit") {
  alignas(64) std::uint8_t bytes[256];
  MemoryRange range(bytes, sizeof bytes);
  CHECK(range.take(10, 1) == bytes);
  CHECK(range.used() == 10);
  CHECK(range.take(8, 16) == bytes + 16);
  CHECK(range.take(8, 8, 20) == bytes + 48);
  CHECK(range.used() == 76);
  CHECK(range.take(200, 1) == nullptr);
  CHECK(range.take(~std::uint64_t{0}, 1) == nullptr);
  CHECK(range.take(180, 1, 1) == nullptr);
  CHECK(range.used() == 76);
  CHECK(range.take(180, 1) == bytes + 76);
  CHECK(range.take(1, 1) == nullptr);
  CHECK(range.take(0, 1) == bytes + 256);
}

TEST_CASE("text and constants come first, each section with its bytes") {
  ObjectBuilder builder;
  const std::uint32_t total = builder.variables(".data.total", {1, 2, 3, 4});
  const std::uint32_t kernel = builder.code(".text.k", {0x90, 0xc3});
  const std::uint32_t table = builder.constants(".rodata.table", {5, 6, 7, 8});
  const std::uint32_t zeroed = builder.zeroed(".bss.count", 8);
  const std::uint32_t debug = builder.debug(".debug_info", {1});
  const Loaded loaded(builder);
  CHECK(loaded.placed->problem.empty());
  const auto& address = loaded.placed->address;
  CHECK(address[kernel] == loaded.window->image());
  CHECK(std::memcmp(address[kernel], "\x90\xc3", 2) == 0);
  CHECK(std::memcmp(address[total], "\1\2\3\4", 4) == 0);
  CHECK(std::memcmp(address[table], "\5\6\7\x8", 4) == 0);
  CHECK(address[debug] == nullptr);
  const std::uint64_t end = loaded.placed->constants_end;
  CHECK(loaded.placed->begin_of(table) + 4 <= end);
  for (const std::uint32_t variable : {total, zeroed})
    CHECK(loaded.placed->begin_of(variable) >= end);
}

TEST_CASE("variables are regions with red zones, which end at a neighbour in the same section") {
  ObjectBuilder builder;
  const std::uint32_t both =
      builder.constants(".histolab_constant.ab", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  builder.variable("a", both, 0, 4);
  builder.variable("b", both, 8, 4);
  const std::uint32_t total = builder.zeroed(".bss.total", 64);
  builder.variable("total", total, 0, 64);
  builder.constants(".rodata.literal", {1, 2, 3, 4});
  const Loaded loaded(builder);
  const Region &a = loaded.region("a"), &b = loaded.region("b");
  CHECK(a.role == Region::Role::constant);
  CHECK(a.red_zone_after == 4);
  CHECK(b.red_zone_before == 4);
  CHECK(a.red_zone_before >= 256);
  CHECK(b.begin == a.begin + 8);
  const Region& variable = loaded.region("total");
  CHECK(variable.role == Region::Role::device_variable);
  CHECK_FALSE(variable.is_const);
  CHECK(variable.size == 64);
  CHECK(variable.begin - variable.red_zone_before >= b.begin + b.size + b.red_zone_after);
  CHECK(loaded.region("a literal").is_const);
}

TEST_CASE("shared variables are apart in the window, and side by side in the banks") {
  ObjectBuilder builder;
  const std::uint32_t small = builder.shared(".tbss.small", 16, 2);
  const std::uint32_t large = builder.shared(".tbss.large", 100, 16);
  builder.variable("small", small, 0, 16);
  builder.variable("large", large, 0, 100);
  builder.undefined_shared("dynamic");
  builder.undefined_shared("another");
  const Loaded loaded(builder, 1000);
  CHECK(loaded.placed->static_shared_bytes == 116);
  CHECK(loaded.region("small").bank_base == 0);
  CHECK(loaded.region("large").bank_base == 16);
  const Region& dynamic = loaded.region("dynamic");
  CHECK(dynamic.role == Region::Role::shared_dynamic);
  CHECK(dynamic.size == 1000);
  CHECK(dynamic.bank_base == 128);
  CHECK(dynamic.begin == loaded.placed->dynamic_shared);
  CHECK(loaded.region("large").begin - loaded.region("small").begin >= 2 * 4096);
  CHECK_FALSE(loaded.has_region("another"));
}

TEST_CASE("too much shared memory is not placed, because it is never launched") {
  ObjectBuilder builder;
  const std::uint32_t large = builder.shared(".tbss.large", 1 << 20);
  builder.variable("large", large, 0, 1 << 20);
  const Loaded fits(builder, 0), exceeds(builder, 1);
  CHECK(fits.placed->dynamic_shared != nullptr);
  CHECK(fits.has_region("large"));
  CHECK(exceeds.placed->problem.empty());
  CHECK(exceeds.placed->address[large] == nullptr);
  CHECK(exceeds.placed->dynamic_shared == nullptr);
  CHECK(exceeds.placed->static_shared_bytes == 1 << 20);
  CHECK_FALSE(exceeds.has_region("large"));
  ObjectBuilder wraps;
  wraps.shared(".tbss.a", 1ull << 63);
  wraps.shared(".tbss.b", 1ull << 63);
  CHECK(Loaded(wraps).placed->static_shared_bytes > 1 << 20);
}

TEST_CASE("code or variables that do not fit are a problem") {
  ObjectBuilder code, variables;
  code.code(".text.k", ObjectBuilder::Bytes(Window::text_bytes + 1));
  CHECK(
      Loaded(code).placed->problem.starts_with("the kernel's code or its variables are too large"));
  variables.zeroed(".bss.a", Window::image_bytes);
  CHECK_FALSE(Loaded(variables).placed->problem.empty());
  ObjectBuilder shared;
  for (int i = 0; i < 5000; ++i) shared.shared(".tbss." + std::to_string(i), 4);
  CHECK(Loaded(shared).placed->problem ==
        "there are too many __shared__ variables for the emulator. Put them into one array");
}

TEST_CASE("variables of a program stay at their addresses, and its constants are copied") {
  ObjectBuilder builder;
  const std::uint32_t both = builder.variables(".data.both", {1, 2, 3, 4, 5, 6, 7, 8});
  builder.variable("one", both, 0, 4);
  builder.variable("two", both, 4, 4);
  const std::uint32_t table = builder.constants(".histolab_constant.table", {1, 2, 3, 4});
  builder.variable("table", table, 0, 4);
  const std::uint32_t other = builder.zeroed(".bss.other", 4);
  builder.variable("other", other, 0, 4);
  alignas(16) std::uint8_t kept_data[8] = {9, 9, 9, 9, 8, 8, 8, 8}, kept_table[4] = {7, 7, 7, 7};
  const Loaded loaded(builder, 0, {{"two", kept_data + 4}, {"table", kept_table}});
  const auto& address = loaded.placed->address;
  CHECK(address[both] == kept_data);
  CHECK(loaded.placed->is_kept[both]);
  CHECK(kept_data[0] == 9);  // its contents are not the file's
  CHECK(loaded.region("one").begin == kept_data);
  CHECK(loaded.region("one").red_zone_after == 0);
  CHECK(loaded.region("two").begin == kept_data + 4);
  CHECK(loaded.region("two").red_zone_after == program::program_red_zone);
  CHECK(address[table] != kept_table);
  CHECK_FALSE(loaded.placed->is_kept[table]);
  CHECK(std::memcmp(address[table], kept_table, 4) == 0);
  CHECK_FALSE(loaded.placed->is_kept[other]);
}

}  // namespace histolab::kernels::emulator
