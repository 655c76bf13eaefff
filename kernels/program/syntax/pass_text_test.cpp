#include "kernels/program/syntax/pass_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace histolab::kernels::program {
namespace {

// The new text, or "file:line: message" of each problem.
std::string rewritten(std::string_view text, Pass pass = Pass::device) {
  const PassText result = text_for(pass, text);
  std::string problems;
  for (const SyntaxProblem& each : result.problems)
    problems += each.file + ":" + std::to_string(each.line) + ": " + each.message + "\n";
  return problems.empty() ? result.text : problems;
}

TEST_CASE("a launch becomes a call and a call of histolab_go, with lines and columns kept") {
  CHECK(rewritten("k<<<g, b>>>(a, 1);\n") == "k          (a, 1),histolab_go(g, b);\n");
  CHECK(rewritten("k<T, 3><<<g,b,4*n,s>>>(x);") ==
        "k<T, 3>               (x),histolab_go(g,b,4*n,s);");
  CHECK(rewritten("if (n)\n  k <<<\n  dim3(1,\n 2), b\n>>> (\n  x\n); else f();") ==
        "if (n)\n  k    \n         \n      \n    (\n  x\n),histolab_go(dim3(1, 2), "
        "b); else f();");
}

TEST_CASE("any expression may be launched: tables of functions, casts, members, macros' results") {
  CHECK(rewritten("table[i]<<<1, n>>>();") == "table[i]          (),histolab_go(1, n);");
  CHECK(rewritten("(*f)<<<1, n>>>();") == "(*f)          (),histolab_go(1, n);");
  CHECK(rewritten("{ a<<<1,2>>>(f(1)); b<<<3,4>>>(); }") ==
        "{ a         (f(1)),histolab_go(1,2); b         (),histolab_go("
        "3,4); }");
}

TEST_CASE("blanks in <<< and >>> count as nvcc counts them") {
  CHECK(rewritten("k<< <1, 2>> >(x);") == "k            (x),histolab_go(1, 2);");
  CHECK(rewritten("k< <<1, 2> >>(x);") == "k            (x),histolab_go(1, 2);");
}

TEST_CASE("template arguments may end in front of >>>") {
  CHECK(rewritten("k<<<1, A<int>{}>>>(x);") == "k                 (x),histolab_go(1, A<int>{});");
  CHECK(rewritten("k<<<1, n<int>>>>(x);") == "k               (x),histolab_go(1, n<int>);");
}

TEST_CASE("a launch in the arguments of another one") {
  CHECK(rewritten("k<<<1, 2>>>([] { q<<<3, 4>>>(5); });") ==
        "k          ([] { q          (5),histolab_go(3, 4); "
        "}),histolab_go("
        "1, 2);");
}

TEST_CASE("text that is not a launch stays as it is") {
  for (const char* text :
       {"a << b < c;", "v<v<v<int>>>(x);", "\"k<<<1, 2>>>(x)\";", "R\"(k<<<1, 2>>>(x))\";",
        "friend ostream& operator<< <>(ostream&, const T&);", "operator<<<T>(a, b);",
        "// k<<<1, 2>>>(x)", "#pragma k<<<1, 2>>>(x)\n", ""}) {
    CAPTURE(text);
    CHECK(rewritten(text) == text);
    CHECK(text_for(Pass::device, text).launches.empty());
  }
}

TEST_CASE("line markers within a launch stay; positions follow them") {
  const char* text =
      "# 1 \"a.cu\"\n"
      "# 1 \"/usr/include/stdio.h\" 1 3 4\n"
      "x<<<oops;\n"
      "# 7 \"/usr/include/more.h\" 1 3\n"
      "# 9 \"/usr/include/stdio.h\" 2 3\n"
      "x<<<oops;\n"
      "# 2 \"a.cu\" 2\n"
      "# 1 \"own.h\" 1\n"
      "  a<<<1, 1>>>();\n"
      "# 3 \"a.cu\" 2\n"
      "\n"
      "k<<<1,\n"
      "# 5 \"a.cu\" 3 4\n"
      "  __null\n"
      "# 5 \"a.cu\"\n"
      ">>>(x,\n"
      " y); z<<<;\n";
  const PassText result = text_for(Pass::device, text);
  CHECK(result.text.find("\n# 5 \"a.cu\" 3 4\n        \n# 5 \"a.cu\"\n   (x,\n y),histolab_go("
                         "1, __null); z<<<;\n") != std::string::npos);
  CHECK(result.text.find("x<<<oops;\n# 2") != std::string::npos);
  REQUIRE(result.launches.size() == 2);
  CHECK(result.launches[0].file == "own.h");
  CHECK(result.launches[0].line == 1);
  const Launch& launch = result.launches[1];
  CHECK(launch.file == "a.cu");
  CHECK(launch.line == 4);
  CHECK(launch.call_line == 6);
  CHECK(launch.call_column == 4);
  CHECK(launch.call_bytes == std::string(",histolab_go(1, __null)").size());
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].file == "a.cu");
  CHECK(result.problems[0].line == 6);
}

TEST_CASE("launches that cannot be read are problems of their line") {
  const auto first_line = [](const char* text) {
    const PassText result = text_for(Pass::device, text);
    return result.problems.size() != 1
               ? "not one problem"
               : std::to_string(result.problems[0].line) + ": " + result.problems[0].message;
  };
  CHECK(first_line("\n= <<<1, 2>>>(x);") ==
        "2: a launch needs a kernel in front of <<<: write kernel<<<blocks, threads>>>(arguments)");
  const std::string no_end =
      ": this launch has no >>> followed by the arguments in parentheses: write "
      "kernel<<<blocks, threads>>>(arguments)";
  CHECK(first_line("\n\nk<<<1, 2>>(x);") == "3" + no_end);
  CHECK(first_line("k<<<1, 2>>>;") == "1" + no_end);
  CHECK(first_line("{ k<<<1, 2 }") == "1" + no_end);
  CHECK(first_line("k<<<1, 2>>>(x;") ==
        "1: the parenthesis after this launch's >>> is never closed");
  CHECK(first_line("k<<<1>>>(x);") ==
        "1: a launch needs the number of blocks and the number of threads per block: write "
        "kernel<<<blocks, threads>>>(arguments)");
  CHECK(first_line("k<<<1, q<<<1, 2>>>(x)>>>(x);").ends_with("of another launch"));
}

TEST_CASE("kernels have no body in the host pass") {
  const std::string kernel = "__attribute__((noipa, used, patchable_function_entry(32))) ";
  const auto on_host = [&](const std::string& text) {
    return rewritten(kernel + text, Pass::host).substr(kernel.size());
  };
  CHECK(on_host("void k(int a = f({1})) { a;\n b } int x = 1;") ==
        "void k(int a = f({1})) {   \n   } int x = 1;");
  CHECK(on_host("void __attribute__((x(3))) k(); void f() { g(); }") ==
        "void __attribute__((x(3))) k(); void f() { g(); }");
  CHECK(on_host("void k() { if (a) { b(); }\n# 7 \"a.cu\"\n c(); }") ==
        "void k() {                \n# 7 \"a.cu\"\n      }");
  CHECK(on_host("void k() { ") == "void k() { ");
  CHECK(rewritten(kernel + "void k() { a; }") == kernel + "void k() { a; }");
  CHECK(rewritten("\n" + kernel + "void k() {\n if (x) k<<<1, 1>>>();\n}", Pass::host) ==
        ":3: a kernel launches another kernel here (dynamic parallelism), which is not supported "
        "yet: launch it from the host instead\n");
}

TEST_CASE("extern shared arrays are weak in the host pass") {
  const std::string shared = " __attribute__((histolab_shared)) ",
                    weak = " __attribute__((weak           )) ";
  CHECK(rewritten("extern" + shared + "int a[];", Pass::host) == "extern" + weak + "int a[];");
  CHECK(rewritten("extern int" + shared + "a[];", Pass::host) == "extern int" + weak + "a[];");
  CHECK(rewritten("__attribute__((patchable_function_entry(32))) void k() { extern" + shared +
                      "int a[]; }",
                  Pass::host)
            .find("weak") == std::string::npos);
  CHECK(rewritten("extern int b;" + shared + "int a[3];", Pass::host) ==
        "extern int b;" + shared + "int a[3];");
}

TEST_CASE("the bodies of kernels and device functions") {
  const auto bodies = [](const std::string& text) {
    std::string all;
    for (const TextRange& each : device_bodies(text))
      all += "[" + text.substr(each.begin, each.end - each.begin) + "]";
    return all;
  };
  const std::string kernel = "__attribute__((used, flatten)) ",
                    device = "__attribute__((histolab_device)) ";
  CHECK(bodies(kernel + "void k() { a(); }\nvoid f() { b(); } " + device +
               "int g(int x) { return x; } int h() { return 1; }") == "[a();][return x;]");
  CHECK(bodies(kernel + "void k() { auto l = [] " + device + "(int i) { return i; }; }") ==
        "[auto l = [] " + device + "(int i) { return i; };]");
  CHECK(bodies(device + "int x; void f() { b(); }" + kernel + "void k();").empty());
  CHECK(bodies(kernel + "void k() {}" + kernel + "void k() {").empty());
}

TEST_CASE("any bytes are accepted, in linear time") {
  std::mt19937 random(7);
  const std::string_view words[] = {"<<<",
                                    ">>>",
                                    "<<",
                                    "< ",
                                    ">",
                                    "(",
                                    ")",
                                    "k",
                                    ",",
                                    ";",
                                    "{",
                                    "}",
                                    "\n",
                                    "\"",
                                    "R\"(",
                                    "# 1 \"a\" 1 3\n",
                                    "\\",
                                    "'",
                                    "/*",
                                    "//",
                                    "patchable_function_entry",
                                    "histolab_device",
                                    "[",
                                    "\xff",
                                    "\0",
                                    "# 2 \"a\" 2\n"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += words[random() % std::size(words)];
    for (const TextRange& body : device_bodies(text))
      CHECK((body.begin < body.end && body.end <= text.size()));
    const PassText result = text_for(round % 2 == 0 ? Pass::host : Pass::device, text);
    CHECK(std::ranges::count(result.text, '\n') == std::ranges::count(text, '\n'));
  }
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "k<<<";
  CHECK(text_for(Pass::device, many).problems.size() == 20);
  many.clear();
  for (int i = 0; i < 20'000; ++i) many += "k<<<1,1>>>(";
  CHECK(text_for(Pass::device, many).problems.size() == 20);
  for (int i = 0; i < 20'000; ++i) many += ")";
  CHECK(text_for(Pass::device, many).launches.size() == 20'000);
}

}  // namespace
}  // namespace histolab::kernels::program
