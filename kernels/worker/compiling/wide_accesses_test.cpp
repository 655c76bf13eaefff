// Tests of recognizing ranges of bytes that are one access in the source, from g++'s dump.
#include "kernels/worker/compiling/wide_accesses.h"

#include <doctest/doctest.h>

using namespace histolab::kernels;
using namespace histolab::kernels::worker;

namespace {

// Lists "line:bytes " per access.
std::string told(const std::string& statements) {
  std::string text;
  for (const emulator::WideAccess& access :
       wide_accesses("void k (unsigned int * histo)\n{\n" + statements + "}\n", "kernel.cu"))
    text += std::to_string(access.line) + ":" + std::to_string(access.bytes) + " ";
  return text;
}

}  // namespace

TEST_CASE("an access through a pointer to a type that a GPU moves at once is wide") {
  CHECK(told("  const struct uint4 & _13;\n\n"
             "  [kernel.cu:5:70] __builtin___tsan_read_range (_13, 16);\n"
             "  [kernel.cu:5:70] p = [kernel.cu:5:70] *_13;\n") == "5:16 ");
  CHECK(told("  double * _7;\n  [kernel.cu:3:60] __builtin___tsan_write_range (_7, 8);\n  "
             "[kernel.cu:3:60] *_7 = D.4750;\n") == "3:8 ");
}

TEST_CASE("an access to a variable at a known distance is wide by the type of its cast") {
  CHECK(told("  [kernel.cu:4:28] __builtin___tsan_write_range (&[kernel.cu:4:25] MEM[(double "
             "*)&raw + 4B], 8);\n"
             "  [kernel.cu:4:28] [kernel.cu:4:25] MEM[(double *)&raw + 4B] = 1.0e+0;\n") == "4:8 ");
  CHECK(told("  [kernel.cu:18:36] __builtin___tsan_read_range (&MEM[(const struct uint4 &)&dyn + "
             "12], 16);\n"
             "  [kernel.cu:18:36] v = MEM[(const struct uint4 &)&dyn + 12];\n") == "18:16 ");
}

TEST_CASE("members of packed structures and copies of structures are not wide accesses") {
  CHECK(told("  [kernel.cu:14:10] __builtin___tsan_write_range (_68, 4);\n"
             "  [kernel.cu:14:10] [kernel.cu:14:8] [kernel.cu:14:6] q[t_37].n = 0;\n")
            .empty());
  CHECK(told("  struct Pair * _9;\n  [kernel.cu:15:8] __builtin___tsan_read_range (_9, 8);\n  "
             "[kernel.cu:15:8] x = *_9;\n")
            .empty());
  CHECK(told("  [kernel.cu:27:34] __builtin___tsan_read_range (_1, 4);\n  [kernel.cu:27:34] _3 = "
             "MEM[(struct uint4 *)&s + 2B].z;\n")
            .empty());
  CHECK(told("  [kernel.cu:23:9] __builtin___tsan_write_range (_76, 8);\n  _77 = "
             "&[kernel.cu:23:17] pr[_23];\n"
             "  [kernel.cu:23:9] __builtin___tsan_read_range (_77, 8);\n  [kernel.cu:23:9] "
             "[kernel.cu:23:7] pr[t_37] = [kernel.cu:23:17] pr[_23];\n")
            .empty());
}

TEST_CASE("a line with a wide and another access of equal size is not reported") {
  CHECK(
      told("  double * _7;\n  struct Pair * _9;\n  [kernel.cu:3:6] __builtin___tsan_write_range "
           "(_7, 8);\n  [kernel.cu:3:6] *_7 = 1.0e+0;\n"
           "  [kernel.cu:3:20] __builtin___tsan_read_range (_9, 8);\n  [kernel.cu:3:20] x = *_9;\n")
          .empty());
}

TEST_CASE("lines of other files and invalid dumps yield no wide accesses") {
  CHECK(told("  double * _7;\n  [shim.h:3:6] __builtin___tsan_write_range (_7, 8);\n  [shim.h:3:6] "
             "*_7 = 1.0e+0;\n")
            .empty());
  CHECK(wide_accesses("", "kernel.cu").empty());
  const std::string name(1 << 20, 'a');
  CHECK(told("  double * " + name + ";\n  [kernel.cu:3:6] __builtin___tsan_write_range (" + name +
             ", 8);\n  [kernel.cu:3:6] *" + name + " = 1.0e+0;\n")
            .empty());
  CHECK(wide_accesses("  [kernel.cu:1:1] __builtin___tsan_read_range (", "kernel.cu").empty());
}
