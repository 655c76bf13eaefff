#include "viewer/model/warp_view.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace histolab::viewer;

namespace {

Access access(const char* kind, const char* space, std::uint32_t bytes, auto offset_of,
              std::uint32_t active = ~0u) {
  Access a;
  a.line = 6;
  a.kind = kind;
  a.space = space;
  a.variable = "data";
  a.bytes = bytes;
  a.active = active;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) a.offset[lane] = offset_of(lane);
  return a;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("warp view: coalesced bytes are one sector of one line, fully used") {
  Access a = access("load", "global", 1, [](std::uint32_t lane) { return 256 + lane; });
  a.sectors = 1;
  const SectorGrid grid = sector_grid(a);
  REQUIRE(grid.lines.size() == 1);
  CHECK(grid.lines[0].begin == 256);
  CHECK(grid.lines[0].lanes_in == std::array<std::uint32_t, 4>{~0u, 0, 0, 0});
  CHECK(grid.sectors == 1);
  CHECK(grid.bytes_used == 32);
  CHECK(
      sentence(a) ==
      "line 6, load of 1 byte from data: 32 lanes, 1 sector per request; 100 % of the bytes used");
  CHECK(has(lesson(a), "coalesced"));
}

TEST_CASE("warp view: a stride of one sector needs a sector per lane") {
  Access a = access("load", "global", 4, [](std::uint32_t lane) { return lane * 32; });
  a.sectors = 32;
  const SectorGrid grid = sector_grid(a);
  CHECK(grid.lines.size() == 8);
  CHECK(grid.sectors == 32);
  CHECK(grid.bytes_used == 128);
  CHECK(has(sentence(a), "32 sectors per request; 12 % of the bytes used"));
  CHECK(has(lesson(a), "4 sectors would suffice"));
}

TEST_CASE("warp view: a misaligned lane accesses two sectors") {
  const SectorGrid grid = sector_grid(access(
      "load", "global", 4, [](std::uint32_t lane) { return 4 * lane + 30; }, 1));
  REQUIRE(grid.lines.size() == 1);
  CHECK(grid.lines[0].lanes_in == std::array<std::uint32_t, 4>{1, 1, 0, 0});
}

TEST_CASE("warp view: offsets at the end of the address space are drawn") {
  const SectorGrid grid =
      sector_grid(access("load", "global", ~0u, [](std::uint32_t) { return ~0u; }));
  CHECK(grid.lines.size() == 2);  // 16 bytes at most, over the end of 32 bits
  Access shared = access("load", "shared", 16, [](std::uint32_t) { return ~0u; });
  shared.base = ~0ull;
  CHECK(bank_columns(shared).size() == banks);
}

TEST_CASE("warp view: words of one bank are stacked, and lanes on one word share a cell") {
  const auto words =
      bank_columns(access("load", "shared", 4, [](std::uint32_t lane) { return lane * 4; }));
  CHECK(highest(words) == 1);
  CHECK(words[5].cells == std::vector<std::uint32_t>{1u << 5});
  const auto column =
      bank_columns(access("load", "shared", 4, [](std::uint32_t lane) { return lane * 128; }));
  CHECK(column[0].cells.size() == 32);
  CHECK(column[1].cells.empty());
  const auto same = bank_columns(access("load", "shared", 4, [](std::uint32_t) { return 12u; }));
  CHECK(same[3].cells == std::vector<std::uint32_t>{~0u});
}

TEST_CASE("warp view: a variable's offset in shared memory shifts its banks") {
  Access a = access(
      "store", "shared", 4, [](std::uint32_t lane) { return lane * 4; }, 1);
  a.base = 8;
  CHECK(bank_columns(a)[2].cells.size() == 1);
  CHECK(bank_columns(a)[0].cells.empty());
}

TEST_CASE("warp view: sixteen bytes of a lane are words in four banks") {
  const auto columns =
      bank_columns(access("load", "shared", 16, [](std::uint32_t lane) { return lane * 16; }));
  for (const Column& column : columns) CHECK(column.cells.size() == 4);
  CHECK(columns[7].cells[0] == 2);  // lane 1 has the words 4 to 7
}

TEST_CASE("warp view: bank conflicts are the wavefronts of a word access beyond the first") {
  Access a = access("load", "shared", 4, [](std::uint32_t lane) { return lane * 8; });
  a.wavefronts = 2;
  CHECK(bank_conflicts(a) == 1);
  CHECK(has(sentence(a), "2 wavefronts per request, 1 bank conflict"));
  a.bytes = 8;
  CHECK_FALSE(bank_conflicts(a));
  CHECK_FALSE(has(sentence(a), "conflict"));
}

TEST_CASE("warp view: lanes are stacked on the element that they update") {
  const std::vector<std::string> labels{"a-d", "e-h", "i-l"};
  Access a = access(
      "atomic", "shared", 4, [](std::uint32_t lane) { return lane < 10 ? 4u : 0u; }, 0xffff);
  a.wavefronts = 1;
  a.same_address_degree = 10;
  const auto columns = element_columns(a, labels);
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].cells.size() == 6);
  CHECK(columns[1].cells.size() == 10);
  CHECK(columns[1].label == "e-h");
  CHECK(columns[2].cells.empty());
  CHECK(highest(columns) == 10);
  CHECK(has(sentence(a), "same-address degree 10"));
  CHECK(has(lesson(a), "up to 10 lanes access one element"));
  CHECK(has(lesson(a), "16 lanes are inactive"));
}

TEST_CASE("warp view: with many bins, only accessed bins have a column") {
  const std::vector<std::string> labels(256, "x");
  const auto columns = element_columns(
      access("atomic", "global", 4, [](std::uint32_t lane) { return lane % 2 * 1020; }), labels);
  REQUIRE(columns.size() == 2);
  CHECK(columns[1].number == 255);
}

TEST_CASE(
    "warp view: lanes of one sector share a colour, neighbouring sectors do not, at any stride") {
  const auto bytes =
      sector_groups(access("load", "global", 1, [](std::uint32_t lane) { return lane; }));
  CHECK(std::ranges::all_of(bytes, [&](int group) { return group == bytes[0]; }));
  for (const std::uint32_t stride : {32u, 256u, 4096u}) {
    const auto strided = sector_groups(
        access("load", "global", 1, [&](std::uint32_t lane) { return lane * stride; }));
    for (std::uint32_t lane = 1; lane < lanes; ++lane) CHECK(strided[lane] != strided[lane - 1]);
  }
  const auto half = sector_groups(access(
      "load", "global", 1, [](std::uint32_t lane) { return lane; }, 0xf0));
  CHECK(half[0] == -1);
  CHECK(half[4] >= 0);
}

TEST_CASE("warp view: a lane's text names its thread and its address") {
  Access a = access(
      "atomic", "shared", 4, [](std::uint32_t) { return 8u; }, 1u << 5);
  a.block = 2;
  a.warp = 1;
  a.base = 128;
  a.variable = "private_histo";
  const std::string text = about_lane(a, 5, 64, "i-l");
  CHECK(has(text, "lane 5: thread 37 of block 2 (165 of the grid)"));
  CHECK(has(text, "private_histo[2], bin i-l"));
  CHECK(has(text, "byte 136 of the block's shared memory: bank 2"));
  CHECK(has(about_lane(a, 6, 64, {}), "not active"));
}

TEST_CASE("warp view: lanes as ranges") {
  CHECK(lane_ranges(~0u) == "0-31");
  CHECK(lane_ranges(0x80000001) == "0, 31");
  CHECK(lane_ranges(0) == "");
  CHECK(lane_ranges(0x55555555).size() <= 28);
}
