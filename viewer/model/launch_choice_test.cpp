#include "viewer/model/launch_choice.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace histolab::viewer {
namespace {

TEST_CASE("launch choice: the command for a terminal") {
  LaunchChoice choice;
  choice.kernel = "work/my kernel's.cu";
  CHECK(typed_command(choice) ==
        "histolab run 01-race --kernel 'work/my kernel'\\''s.cu' --dataset english --length 65536 "
        "--block 256 "
        "--schedule lockstep --seed 1");
  choice.text = "to be";
  choice.grid = 3;
  choice.exports = {{"coarsening_factor", 8}};
  CHECK(typed_command(choice) ==
        "histolab run 01-race --kernel 'work/my kernel'\\''s.cu' --dataset 'text:to be' --grid 3 "
        "--block 256 --export "
        "coarsening_factor=8 --schedule lockstep --seed 1");
}

TEST_CASE("launch choice: a block order is named unless it is the default") {
  LaunchChoice choice;
  choice.block_order = "random";
  CHECK(typed_command(choice).ends_with("--schedule lockstep --block-order random --seed 1"));
  choice.device = "gpu";
  CHECK(typed_command(choice).ends_with("--device gpu --seed 1"));
}

TEST_CASE("launch choice: a file determines its length, and a GPU its schedule") {
  LaunchChoice choice;
  choice.dataset = "/etc/services";
  choice.device = "gpu";
  CHECK(typed_command(choice) ==
        "histolab run 01-race --dataset /etc/services --block 256 --device gpu --seed 1");
}

TEST_CASE("launch choice: a whole program") {
  LaunchChoice choice;
  choice.program = {{"main.cu", "add.cu"}, {"--define", "N=4"}, {"a b"}, 3};
  CHECK(typed_command(choice) == "histolab exec main.cu add.cu --define N=4 -- 'a b'");
  CHECK(stream_command(choice) == std::vector<std::string>{"exec", "main.cu", "add.cu", "--define",
                                                           "N=4", "--stream", "--launch", "3",
                                                           "--accesses", "2048", "--", "a b"});
}

TEST_CASE("launch choice: the viewer's command streams and reads commands") {
  LaunchChoice choice;
  choice.repeat = true;
  const std::vector<std::string> command = stream_command(choice);
  CHECK(command.front() == "run");
  for (const char* word : {"--stream", "--control", "--repeat", "--accesses"})
    CHECK(std::ranges::count(command, word) == 1);
  choice.device = "gpu";  // cannot record accesses
  CHECK(std::ranges::count(stream_command(choice), "--accesses") == 0);
}

}  // namespace
}  // namespace histolab::viewer
