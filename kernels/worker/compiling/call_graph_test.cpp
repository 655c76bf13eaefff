// Tests of reading g++'s call graph dump, in the formats of several versions.
#include "kernels/worker/compiling/call_graph.h"

#include <doctest/doctest.h>

#include <string>

using namespace histolab::kernels::worker;

namespace {

// A kernel `histogram` calls Bins::add, which calls a template, and a lambda. `unused` has no
// caller.
std::string dump(const std::string& title, const std::string& address,
                 const std::string& how_often) {
  return "Trivially needed symbols: void histogram(const char*)/2 \n\n" + title + "\n\n" +
         "_Z5twiceIiET_S0_/3 (T twice(T) [with T = int])" + address +
         "\n  Type: function definition analyzed\n  Aux: @0x7f1f0d61b330\n  Calls: \n" +
         "_ZZ9histogramPKcENKUlvE_clEv/4 (histogram(const char*)::<lambda()>)" + address +
         "\n  Calls: _Z5twiceIiET_S0_/3 " + how_often + "\n" +
         "_Z9histogramPKc/2 (void histogram(const char*))" + address +
         "\n  Type: function definition analyzed\n  Called by: \n" + "  Calls: _ZN4Bins3addEi/0 " +
         how_often + "_ZZ9histogramPKcENKUlvE_clEv/4 " + how_often + "\n" +
         "_Z6unusedi/1 (int unused(int))" + address +
         "\n  Type: function definition analyzed\n  Calls: \n" +
         "_ZN4Bins3addEi/0 (void Bins::add(int))" + address +
         "\n  Type: function definition analyzed\n  Calls: _Z5twiceIiET_S0_/3 " + how_often + "\n" +
         "\nReclaimed Symbol table:\n\n_Z9histogramPKc/2 (void histogram(const char*))" + address +
         "\n  Calls: _Z6unusedi/1\n";
}

const std::vector<Call> expected = {{"histogram", "add"}, {"add", "twice"}, {"", "twice"}};

}  // namespace

TEST_CASE("calls are read from dumps of g++ 12") {
  CHECK(calls_below(dump("Symbol table:", " @0x7f3a5c8b2110", "(inlined) (1.00 per call) "),
                    "histogram") == expected);
}

TEST_CASE("calls are read from dumps of g++ 13 and 14, without addresses") {
  CHECK(calls_below(dump("Initial Symbol table:", "", ""), "histogram") == expected);
}

TEST_CASE("text without a call graph yields no calls") {
  CHECK(calls_below("", "histogram").empty());
  CHECK(calls_below("Symbol table:\n\nhistogram (\n  Calls: ) (/\n", "histogram").empty());
}

TEST_CASE("a constructor's two symbols are one function; allocations of the library are marked") {
  const std::string dump =
      "Symbol table:\n\n_Znwm/1 (void* operator new(std::size_t))\n  Calls: \n"
      "_ZNSt15__new_allocatorIjE8allocateEmPKv/2 (_Tp* "
      "std::__new_allocator<_Tp>::allocate(size_type, const void*) [with _Tp = int])\n  Calls: "
      "_Znwm/1 \n"
      "_ZNSt6vectorIjSaIjEEC1Em/3 (constexpr std::vector<_Tp, _Alloc>::vector(size_type))\n  Type: "
      "function definition analyzed alias cpp_implicit_alias\n"
      "  References: _ZNSt6vectorIjSaIjEEC2Em/4 (alias) \n  Calls: \n"
      "_ZNSt6vectorIjSaIjEEC2Em/4 (constexpr std::vector<_Tp, _Alloc>::vector(size_type))\n  "
      "Calls: _ZNSt15__new_allocatorIjE8allocateEmPKv/2 \n"
      "_ZSt3minIjERKT_S2_S2_/5 (constexpr const _Tp& std::min(const _Tp&, const _Tp&))\n  Calls: \n"
      "_Z9histogramPKc/6 (void histogram(const char*))\n  Calls: _ZNSt6vectorIjSaIjEEC1Em/3 "
      "_ZSt3minIjERKT_S2_S2_/5 _Znwm/1 \n";
  CHECK(calls_below(dump, "histogram") == std::vector<Call>{{"histogram", "vector", true},
                                                            {"histogram", "min"},
                                                            {"histogram", "new"},
                                                            {"vector", "allocate"},
                                                            {"allocate", "new"}});
}

TEST_CASE("variables that are set before the launch are found in dumps of g++ 12 and later") {
  for (const std::string setter : {"_Z41__static_initialization_and_destruction_0ii/6 (void "
                                   "__static_initialization_and_destruction_0(int, int))",
                                   "_Z41__static_initialization_and_destruction_0v/6 (void "
                                   "__static_initialization_and_destruction_0())"})
    CHECK(set_before_launch(
              "Symbol table:\n\n" + setter +
              "\n  References: n/1 (write) _ZL5table/2 (addr) operations/3 (write) other/4 (read) "
              "\n  Calls: \n"
              "n/1 (int n)\n  References: \n_ZL5table/2 (int table [4])\n  References: "
              "\noperations/3 (void (* operations [2])(int))\n  References: \n"
              "other/4 (int other)\n  References: \n") == std::vector<std::string>{"n", "table"});
  CHECK_MESSAGE(set_before_launch(
                    "Symbol table:\n\n_Z41__static_initialization_and_destruction_0v/6 (void "
                    "__static_initialization_and_destruction_0())\n"
                    "  References: hs/1 (addr) \n  Calls: \nhs/1 (half hs [2])\n  References: \n")
                    .empty(),
                "a loop over elements whose constructor does nothing");
  CHECK(set_before_launch(
            "Symbol table:\n\n_Z41__static_initialization_and_destruction_0v/6 (void "
            "__static_initialization_and_destruction_0())\n  References: ( (write)/ (addr")
            .empty());
}
