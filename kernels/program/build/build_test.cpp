#include "kernels/program/build/build.h"
#include "kernels/program/build/source_files.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "kernels/emulator/code/object_file.h"
#include "kernels/program/build/build_commands.h"
#include "kernels/program/device_section.h"
#include "kernels/program/syntax/pass_text.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::program {
namespace {

// Stands in for the runtime library: launches and API functions do nothing.
constexpr const char* stub = R"(#include <cstdio>
#include <cstdlib>
extern "C" {
void histolab_go(...) {}
void histolab_on_host() { std::fputs("device function\n", stderr); std::abort(); }
char histolab_on_host_variable[64];
#define STUB(name) int name(...) { return 0; }
STUB(cudaMalloc) STUB(cudaFree) STUB(cudaMemcpy) STUB(cudaMemcpyToSymbol)
STUB(cudaDeviceSynchronize) STUB(cudaGetLastError)
}
)";

EmulatorPaths paths() {
  EmulatorPaths result;
  result.include_dir = HISTOLAB_SOURCE_DIR "/kernels/emulator/include";
  return result;
}

using Files = std::map<std::string, std::string>;

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder with these files, and a build of those that are sources.
class Project {
 public:
  explicit Project(const Files& files) : folder_(std::move(*worker::TemporaryFolder::make())) {
    write("stub.cpp", stub);
    write("libhistolab_cudart.a", "!<arch>\n");
    for (const auto& [name, text] : files) {
      write(name, text);
      if (!name.ends_with("h")) build.sources.push_back(path(name));
    }
    build.sources.push_back(path("stub.cpp"));
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  Built built() {
    Result<Built> result = build_program(build, paths(), path("libhistolab_cudart.a"));
    REQUIRE_MESSAGE(result, result.error().message);
    return std::move(*result);
  }

  // "file:line:column: message" of each diagnostic, without the folder.
  std::string messages() {
    std::string all;
    for (const worker::FileDiagnostic& each : built().diagnostics) {
      std::string file = each.file;
      if (file.starts_with(folder_.path())) file.erase(0, folder_.path().size() + 1);
      all += fmt::format("{}{}:{}:{}: {}", all.empty() ? "" : "\n", file, each.diagnostic.line,
                         each.diagnostic.column, each.diagnostic.message);
    }
    return all;
  }

  // Runs the executable; returns its standard output.
  std::string output() { return run().output; }

  worker::ProcessResult run() {
    const Built program = built();
    for (const worker::FileDiagnostic& each : program.diagnostics)
      MESSAGE(each.file, ":", each.diagnostic.line, ": ", each.diagnostic.message);
    REQUIRE_FALSE(program.executable.empty());
    worker::ProcessSpec spec;
    spec.command = {program.executable};
    return *worker::run_process(spec);
  }

  Build build;

 private:
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  worker::TemporaryFolder folder_;
};

std::string messages_of(const std::string& text) {
  return Project(Files{{"a.cu", text}}).messages();
}

// Kernels of all forms: templates, overloads, tables, namespaces, static ones, macros' launches.
constexpr const char* many_kernels = R"(#include <vector>
#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
struct Pair { int a; double b; };
template <class T, int N> __global__ void fill(T* out, T value) {
  extern __shared__ char bytes[];
  __shared__ T last[N];
  last[threadIdx.x % N] = value;
  __syncthreads();
  out[threadIdx.x] = last[0];
}
namespace space { __global__ void inside(Pair pair, float* out) { *out = pair.b; } }
namespace { __global__ void hidden(int* out) { *out = 1; } }
static __global__ void __launch_bounds__(256, 2) local(int* out, int n) {
  out[n] = atomicAdd(out, 1);
}
__global__ void plain(int* out) { *out = 3; }
__global__ void plain(float* out) { *out = 3; }
__constant__ float weights[3] = {1, 2, 3};
__device__ int total;
__managed__ int shared_by_both = 7;
__device__ float scaled(float x) { return x * weights[0] + blockIdx.x; }
template <class F> __global__ void apply(float* out, F f) { *out = f(scaled(*out)); }
struct Twice { __host__ __device__ float operator()(float x) const { return 2 * x; } };
int main() {
  int* d = nullptr;
  cudaMalloc(&d, 128);
  const dim3 grid(2, 2);
  fill<int, 4><<<grid, 32, 128>>>(d, 3);
  fill<double, 8><<<1, grid>>>((double*)d, 3.0);
  LAUNCH(space::inside, Pair{1, 2}, (float*)nullptr);
  hidden<<<1, 1>>>(d), local<<<1, 2, 0, 0>>>(d, 1);
  void (*table[])(int*) = {plain, hidden};
  for (auto kernel : table) kernel<<<1, 1>>>(d);
  plain<<<1, 1>>>((float*)d);
  if (d) apply<<<1, 1>>>((float*)d, Twice());
  else apply<<<1, 1>>>((float*)d, [](float x) { return x; });
  printf("%d %s\n", (int)std::vector<int>{1, 2}.size() + shared_by_both + max(1, 2), __FILE__);
  return cudaGetLastError();
}
)";

TEST_CASE("a program is compiled for the host and for the device, and linked") {
  Project project(Files{{"a.cu", many_kernels}});
  CHECK(project.output() == fmt::format("11 {}\n", project.path("a.cu")));
}

TEST_CASE("the library for programs defines all that a program needs") {
  Project project(Files{{"a.cu", many_kernels}});
  project.build.sources.pop_back();  // the stub
  const Result<Built> built = build_program(project.build, paths(), HISTOLAB_CUDART);
  REQUIRE_MESSAGE(built, built.error().message);
  CHECK(built->diagnostics.empty());
  CHECK_FALSE(built->executable.empty());
}

TEST_CASE("every standard compiles") {
  for (const char* standard : {"c++11", "c++14", "c++17", "c++20"}) {
    CAPTURE(standard);
    Project project(Files{{"a.cu", many_kernels}});
    project.build.standard = standard;
    CHECK(project.messages().empty());
  }
}

TEST_CASE("several units: headers, macros, C++ sources, one device object for each .cu") {
  Project project(
      {{"main.cpp",
        "#include <cuda_runtime.h>\n#include <iostream>\n#include \"both.h\"\n"
        "#ifdef __CUDACC__\n#error\n#endif\n"
        "int main() { dim3 d(3); std::cout << twice(NUMBER) + d.x << '\\n'; launch(); }"},
       {"a.cu",
        "#include \"both.h\"\nstatic __global__ void k() {}\n"
        "void launch() { k<<<1, 1>>>(); other(); }"},
       {"b.cu",
        "#include <both.h>\nstatic __global__ void k() {}\n"
        "void other() { k<<<1, 1>>>(); }"},
       {"include/both.h",
        "#pragma once\nvoid launch();\nvoid other();\n"
        "inline int twice(int x) { return 2 * x; }"}});
  project.build.include_dirs = {project.path("include")};
  project.build.defines = {"NUMBER=20"};
  CHECK(project.output() == "43\n");
  const Built built = project.built();
  const std::string program = contents_of(built.executable);
  std::size_t records = 0;
  for (std::size_t at = program.find("HLDEVICE"); at != std::string::npos;
       at = program.find("HLDEVICE", at + 1))
    ++records;
  CHECK(records == 2);
}

TEST_CASE("sources are compiled alone, into objects for a later link") {
  Project project(Files{{"a.cu", many_kernels}});
  project.build.dependencies = {"-MMD", "-MT", "a.o"};
  const Result<Built> built = compile_sources(project.build, paths());
  REQUIRE_MESSAGE(built, built.error().message);
  CHECK(built->executable.empty());
  REQUIRE(built->files.size() == 2);
  REQUIRE(built->dependencies.size() == 2);
  CHECK(contents_of(built->dependencies[0]).starts_with("a.o: "));
  project.build.dependencies.clear();
  project.build.sources = built->files;
  CHECK(project.output() == fmt::format("11 {}\n", project.path("a.cu")));
}

TEST_CASE("a source may only be preprocessed") {
  Project project(Files{{"a.cu", "int x = NUMBER;\nint main() {}\n"}});
  project.build.defines = {"NUMBER=20"};
  const Result<Built> built = compile_sources(project.build, paths(), Step::preprocessed);
  REQUIRE_MESSAGE(built, built.error().message);
  REQUIRE_FALSE(built->files.empty());
  CHECK(contents_of(built->files[0]).find("int x = 20;") != std::string::npos);
}

TEST_CASE("a C source is compiled as C") {
  Project project(Files{{"main.c", "int main(void) { int class = 3; return class; }\n"}});
  CHECK(project.run().code == 3);
}

TEST_CASE("device code of several files is linked if a file asks for it") {
  Project project({{"a.cu", "__device__ int twice(int x) { return 2 * x; }\n"},
                   {"b.cu",
                    "__device__ int twice(int x);\n__global__ void k(int* n) { *n = twice(*n); }\n"
                    "int main() { k<<<1, 1>>>(nullptr); }\n"}});
  for (const bool is_relocatable : {false, true}) {
    project.build.relocatable = is_relocatable;
    const std::string program = contents_of(project.built().executable);
    const std::size_t first = program.find("HLDEVICE");
    CHECK((program.find("HLDEVICE", first + 1) == std::string::npos) == is_relocatable);
  }
}

// Runs a compiler's command of the build; returns the file that it writes.
std::string made_by(const worker::ProcessSpec& spec, const char* name) {
  const auto ran = worker::run_process(spec);
  REQUIRE(ran);
  CHECK_MESSAGE(ran->code == 0, ran->errors);
  return contents_of(spec.directory + "/" + name);
}

emulator::ObjectFile object_of(Pass pass, const std::string& source) {
  const BuildSettings settings{paths(), {"-std=gnu++17"}, {}, {}, {}};
  const auto folder = worker::TemporaryFolder::make();
  std::ofstream(folder->path() + "/a.cu") << source;
  const std::string text = made_by(
      preprocess_pass(settings, pass, folder->path() + "/a.cu", folder->path()), preprocessed_name);
  std::ofstream(folder->path() + "/" + text_name) << text_for(pass, text).text;
  const std::string bytes = made_by(compile_pass(settings, pass, folder->path()), object_name);
  auto object = emulator::ObjectFile::parse(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  REQUIRE_MESSAGE(object, object.error().message);
  return std::move(*object);
}

TEST_CASE("each kernel of the host object has the same mangled name in the device object") {
  const emulator::ObjectFile host = object_of(Pass::host, many_kernels),
                             device = object_of(Pass::device, many_kernels);
  std::set<std::string> kernels, missing;
  for (std::uint32_t s = 0; s < host.sections().size(); ++s) {
    if (host.sections()[s].name != "__patchable_function_entries") continue;
    for (const emulator::Relocation& entry : host.relocations(s)) {
      const emulator::Symbol& target = host.symbols()[entry.symbol];
      const std::uint64_t value = target.value + static_cast<std::uint64_t>(entry.addend);
      for (const emulator::Symbol& each : host.symbols())
        if (each.is_function && each.section == target.section && each.value == value)
          kernels.insert(each.name);
    }
  }
  missing = kernels;
  for (const emulator::Symbol& each : device.symbols())
    if (each.is_function && each.section != 0) missing.erase(each.name);
  CHECK(kernels.size() == 9);
  CHECK(fmt::format("{}", fmt::join(missing, " ")).empty());
}

TEST_CASE("device code shifts as a GPU does; host code and classes with own operators do not") {
  const auto checks_shifts = [](const std::string& kernel) {
    Project project(Files{{"a.cu",
                           "#include <iostream>\nstruct Bits { unsigned bits : 3; };\n"
                           "__global__ void k(int* p, Bits* b) { " +
                               kernel +
                               " }\nint main(int n, char**) { std::cout << 1 << '\\n'; "
                               "k<<<1, 1>>>(nullptr, nullptr); }"}});
    const Built built = project.built();
    CHECK(built.diagnostics.empty());
    return contents_of(built.executable).find("__ubsan_handle_shift") != std::string::npos;
  };
  CHECK_FALSE(checks_shifts("p[0] = p[1] << p[2]; p[p[3]] += 1;"));
  CHECK(checks_shifts("p[0] = p[1] << p[2]; b[p[1]].bits += 1;"));  // does not compile with marks
}

TEST_CASE("a mistake in host code is reported once, though two passes have it") {
  CHECK(messages_of("int main() {\n  int x = undeclared;\n}") ==
        "a.cu:2:11: 'undeclared' was not declared in this scope");
  CHECK(messages_of("int main() { return 0 }").starts_with("a.cu:1:"));
}

TEST_CASE("a mistake in a kernel is reported once, in CUDA's terms") {
  CHECK(messages_of("__global__ void k(int* p) {\n  p[threadIdx] = 1;\n}\nint main() {}") ==
        "a.cu:2:4: threadIdx is a triple (x, y, z), not a number. Write threadIdx.x");
  CHECK(messages_of("__global__ void k(int* p) {\n  syncthreads();\n}\nint main() {}") ==
        "a.cu:2:3: CUDA has no `syncthreads`. Write `__syncthreads()`, with two underscores in "
        "front");
}

TEST_CASE("a mistake in a header names the header") {
  Project project(
      Files{{"a.cu", "#include \"b.h\"\nint main() {}"}, {"b.h", "\nint x = undeclared;\n"}});
  CHECK(project.messages() == "b.h:2:9: 'undeclared' was not declared in this scope");
}

TEST_CASE("mistakes in a launch point at it") {
  const std::string kernel = "__global__ void k(int* p, int n) {}\n";
  CHECK(messages_of(kernel + "int main() {\n  k<<<1, 1>>>(nullptr);\n}") ==
        "a.cu:3:14: too few arguments to function 'void k(int*, int)'");
  CHECK(messages_of(kernel + "int main() {\n  k<<<1,\n      \"a\">>>(nullptr,\n 1);\n}") ==
        "a.cu:3:0: invalid conversion from 'const char*' to 'unsigned int'");
  CHECK(messages_of(kernel + "int main() {\n  k<<<1, 1, 0, 0, 0>>>(nullptr, 1);\n}") ==
        "a.cu:3:0: the values in this launch's <<<...>>> have wrong types: write the blocks and "
        "the threads per block (each an int or a dim3), then, if needed, the bytes of dynamic "
        "shared memory and the stream");
  CHECK(messages_of(kernel + "int main() {\n  k<<<1>>>(nullptr, 1);\n}") ==
        "a.cu:3:0: a launch needs the number of blocks and the number of threads per block: write "
        "kernel<<<blocks, threads>>>(arguments)");
  CHECK(messages_of(kernel + "int main() {\n  k<<<1, undeclared>>>(nullptr, 1);\n}") ==
        "a.cu:3:0: 'undeclared' was not declared in this scope");
}

TEST_CASE("what the emulator does not have is named") {
  const auto unsupported = [](const char* place, const char* name) {
    return fmt::format(
        "{}: not supported yet: {}. Your code may be valid CUDA, but it cannot run here", place,
        name);
  };
  CHECK(messages_of("#include <thrust/device_vector.h>\nint main() {}") ==
        unsupported("a.cu:1:10", "<thrust/device_vector.h>"));
  // Also if this machine has it, perhaps included by a header.
  Project project(Files{{"a.cu", "#include <stdio.h>\n#include \"b.h\"\nint main() {}"},
                        {"b.h", "\n\n#include <curand_kernel.h>\n"}});
  const std::string said = project.messages();
  const bool is_here = said.starts_with("b.h:3:0");  // g++ says where a header is missing
  CHECK(said == unsupported(is_here ? "b.h:3:0" : "b.h:3:10", "<curand_kernel.h>"));
  CHECK(messages_of("int main() {\n  cudaGraph_t graph;\n}") ==
        unsupported("a.cu:2:3", "`cudaGraph_t`"));
  // g++'s first message about it is only a consequence.
  CHECK(messages_of("void f(cudaGraphExec_t* exec, float* data) {}\nint main() {}") ==
        unsupported("a.cu:1:8", "`cudaGraphExec_t`"));
  CHECK(messages_of("int main() {\n  cudaGraphLaunch(0, 0);\n  cudaGraphLaunch(0, 0);\n}") ==
        unsupported("a.cu:2:3", "`cudaGraphLaunch`"));
  CHECK(messages_of("extern \"C\" int cublasCreate_v2(void*);\nint main() {\n  return "
                    "cublasCreate_v2(0);\n}") == unsupported("a.cu:3:0", "`cublasCreate_v2`"));
}

TEST_CASE("a pointer that should be the address of a pointer") {
  CHECK(messages_of("int main() {\n  float* data;\n  cudaMalloc(data, 4);\n}") ==
        "a.cu:3:14: `data` is not the address of a pointer. The call stores a pointer there: if "
        "`data` is the pointer, write `&data`");
}

TEST_CASE("inline PTX is named; assembly of the host is the host's own") {
  const std::string lane =
      "{\n  unsigned r;\n  asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(r));\n  return r;\n}\n";
  CHECK(messages_of("__device__ unsigned lane() " + lane + "int main() {}") ==
        "a.cu:3:0: inline PTX (asm) is not supported yet. Write it in CUDA C++ instead");
  CHECK(messages_of("int main() { asm volatile(\"nop\"); }").empty());
  CHECK(messages_of("unsigned lane() " + lane + "int main() {}") ==
        "a.cu:0:0: `asm` is CUDA, but this version of the emulator does not have inline PTX yet. "
        "Your code may be correct, but it cannot run here: write it in CUDA C++ instead");
}

TEST_CASE("headers of other folders") {
  const Files files = {{"a/a.cu", "#include \"../b/b.h\"\nint main() { return x; }"},
                       {"b/b.h", "const int x = 0;"}};
  CHECK(Project(files).messages().empty());  // without a sandbox all folders are readable
  CHECK(messages_of("#include \"../c/c.h\"") ==
        "a.cu:1:10: ../c/c.h was not found in the folders that the sources may read: their own and "
        "those of -I. Name its folder with -I");
}

TEST_CASE("mistakes that only the linker sees") {
  CHECK(messages_of("void f(int);\nint main() {\n  f(1);\n}") ==
        "a.cu:3:0: undefined reference to `f(int)`: it is declared, but no file of this program "
        "defines it");
  Project twice(Files{{"a.cu", "int x;\nint main() {}"}, {"b.cu", "int x;"}});
  CHECK(twice.messages() == ":0:0: `x` is defined in more than one file: keep one definition");
}

TEST_CASE("a source cannot name another file to have its text read") {
  Project other(Files{{"secret.h", "int private_words = undeclared_word;\n"}});
  const std::string text = "#line 1 \"" + other.path("secret.h") + "\"\nint x = }";
  CHECK(messages_of(text).find("private_words") == std::string::npos);
}

TEST_CASE("notes come with an executable") {
  Project project(Files{{"a.cu", "int main() { int x = 0; if (x = 1) return 0; }"}});
  const Built built = project.built();
  CHECK_FALSE(built.executable.empty());
  REQUIRE(built.diagnostics.size() == 1);
  CHECK(built.diagnostics[0].diagnostic.severity == Severity::note);
}

TEST_CASE("halves on the host have the values of the device") {
  Project project(Files{{"a.cu", R"(#include <cuda_fp16.h>
__global__ void k(__half* p) { __shared__ __half s[2]; s[0] = *p; *p = __hadd(s[0], *p); }
int main() {
  for (double x : {0.0, -1.5, 0.1, 65504.0, 65519.0, 65520.0, 1e-7, 5.9604644775390625e-8, 1e-9,
                   1.0 / 3})
    printf("%a ", (double)__half2float(__double2half(x)));
  printf("%a %a %a\n", (double)__half2float(__float2half_rz(0.1f)),
         (double)__half2float(__float2half_ru(1e-9f)), (double)(float)__half(-2e30));
  k<<<1, 1>>>(nullptr);
})"}});
  CHECK(project.output() ==
        "0x0p+0 -0x1.8p+0 0x1.998p-4 0x1.ffcp+15 0x1.ffcp+15 inf 0x1p-23 0x1p-24 0x0p+0 "
        "0x1.554p-2 0x1.998p-4 0x1p-24 -inf\n");
  for (const char* standard : {"c++14", "c++17", "c++20"}) {
    project.build.standard = standard;
    CHECK(project.messages().empty());
  }
}

TEST_CASE("a device function that the host calls ends the program") {
  Project project(Files{{"a.cu",
                         "#include <cstdio>\n__device__ int f(int* p) { return atomicAdd(p, 1); "
                         "}\nint main() { int x = 0; f(&x); std::puts(\"not here\"); }"}});
  const worker::ProcessResult ran = project.run();
  CHECK(ran.output.empty());
  CHECK(ran.errors == "device function\n");
}

TEST_CASE("a source that does not exist is an Error") {
  Build build;
  build.sources = {"/nowhere/a.cu"};
  const Result<Built> result = build_program(build, paths(), "none.a");
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "/nowhere/a.cu: cannot be read");
}

TEST_CASE("a file is read once, whatever it is called, and files of the system never") {
  const worker::TemporaryFolder folder = std::move(*worker::TemporaryFolder::make());
  const std::string path = folder.path() + "/a.cu";
  std::ofstream(path) << "first\n\nthird";
  std::ofstream(folder.path() + "/empty");
  SourceFiles files;
  files.allow(folder.path());
  CHECK(files.line(path, 1) == "first");
  CHECK(files.line(path, 2).empty());
  CHECK(files.line(path, 3) == "third");
  for (const int none : {-1, 0, 4}) CHECK(files.line(path, none).empty());
  CHECK(&files.text(path) == &files.text(folder.path() + "/./././a.cu"));
  CHECK(files.text(folder.path() + "/none").empty());
  CHECK(files.text(folder.path() + "/empty").empty());
  CHECK(files.text("/etc/passwd").empty());
  SourceFiles all;
  all.allow("/");
  CHECK(all.text(path) == "first\n\nthird");
  for (const char* of_the_system : {"/proc/version", "/proc/self/environ", "/sys/kernel/notes"})
    CHECK(all.text(of_the_system).empty());
}

TEST_CASE("the texts of sources take up a limited memory") {
  const worker::TemporaryFolder folder = std::move(*worker::TemporaryFolder::make());
  SourceFiles files;
  files.allow(folder.path());
  const std::string lines(4 << 20, '\n');
  std::size_t bytes = 0;
  for (int i = 0; i < 6; ++i) {
    const std::string path = folder.path() + "/" + std::to_string(i);
    std::ofstream(path) << lines;
    bytes += files.text(path).size();
  }
  CHECK(bytes == 8 << 20);  // a line takes up nine bytes
}

}  // namespace
}  // namespace histolab::kernels::program
