#include "tools/fuzzer/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace histolab::fuzzer {
namespace {

std::string text(const Expr& e, bool flat) {
  using Op = Expr::Op;
  const auto joined = [&](const char* sign) { return fmt::format("({} {} {})", text(e.of[0], flat), sign, text(e.of[1], flat)); };
  switch (e.op) {
    case Op::number: return fmt::format("{}u", e.value);
    case Op::variable: return fmt::format("v{}", e.value);
    case Op::thread: return flat ? "threadIdx.x" : "(threadIdx.y * blockDim.x + threadIdx.x)";
    case Op::block: return "blockIdx.x";
    case Op::block_size: return flat ? "blockDim.x" : "(blockDim.x * blockDim.y)";
    case Op::grid_size: return "gridDim.x";
    case Op::length: return "length";
    case Op::add: return joined("+");
    case Op::subtract: return joined("-");
    case Op::multiply: return joined("*");
    case Op::divide: return joined("/");
    case Op::remainder: return joined("%");
    case Op::shift_right: return joined(">>");
    case Op::bit_and: return joined("&");
    case Op::bit_xor: return joined("^");
    case Op::less: return joined("<");
    case Op::less_equal: return joined("<=");
    case Op::equal: return joined("==");
  }
  return {};
}

const char* element_type(std::uint32_t bytes) {
  return bytes == 1   ? "unsigned char"
         : bytes == 2 ? "unsigned short"
         : bytes == 4 ? "unsigned int"
         : bytes == 8 ? "unsigned long long"
                      : "uint4";
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  void print(const Body& body, int depth) {
    for (const Stmt& s : body) print(s, depth);
  }
  std::string out;

 private:
  [[nodiscard]] std::string text(const Expr& e) const { return fuzzer::text(e, program_.rows == 1); }

  template <class... Parts>
  void line(int depth, fmt::format_string<Parts...> format, Parts&&... parts) {
    out += std::string(static_cast<std::size_t>(2 * depth), ' ') + fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  void print_load(const Stmt& s, int depth) {
    const Array& array = program_.arrays[static_cast<std::size_t>(s.array)];
    if (s.bytes == 0) return line(depth, "v{} = {}[{}];", s.variable, array.name, text(s.index));
    const char* type = s.bytes == 8 ? "uint2" : element_type(s.bytes);
    const std::string from =
        fmt::format("*(const {}*)({} + {}u + {} * {}u)", type, array.name, s.skipped, text(s.index), s.bytes / array.element_bytes);
    if (s.bytes <= 4) return line(depth, "v{} = {};", s.variable, from);
    std::string words;
    for (std::uint32_t w = 0; w < s.bytes / 4; ++w) words += fmt::format(" v{} = words.{};", s.variable + static_cast<int>(w), "xyzw"[w]);
    line(depth, "{{ const {} words = {};{} }}", type, from, words);
  }

  void print(const Stmt& s, int depth) {
    using What = Stmt::What;
    const std::string place = s.what == What::store || s.what == What::atomic_add || s.what == What::bump
                                  ? fmt::format("{}[{}]", program_.arrays[static_cast<std::size_t>(s.array)].name, text(s.index))
                                  : std::string();
    switch (s.what) {
      case What::let: return line(depth, "v{} = {};", s.variable, text(s.value));
      case What::load: return print_load(s, depth);
      case What::store: return line(depth, "{} = {};", place, text(s.value));
      case What::atomic_add: {
        const bool wide = program_.arrays[static_cast<std::size_t>(s.array)].element_bytes == 8;
        return line(depth, "atomicAdd(&{}, {}{});", place, wide ? "(unsigned long long)" : "", text(s.value));
      }
      case What::bump: return line(depth, "{} += {};", place, text(s.value));
      case What::branch:
        line(depth, "if ({}) {{", text(s.value));
        print(s.body, depth + 1);
        if (!s.otherwise.empty()) {
          line(depth, "}} else {{");
          print(s.otherwise, depth + 1);
        }
        return line(depth, "}}");
      case What::loop:
        line(depth, "for (v{0} = {1}; {2}; v{0} += {3}) {{", s.variable, text(s.start), text(s.value), text(s.step));
        print(s.body, depth + 1);
        return line(depth, "}}");
      case What::barrier: return line(depth, "__syncthreads();");
      case What::grid_barrier: return line(depth, "cooperative_groups::this_grid().sync();");
      case What::go_on: return line(depth, "continue;");
      case What::leave: return line(depth, "break;");
      case What::end: return line(depth, "return;");
      case What::count: return line(depth, "// count {} in bin {}", text(s.value), text(s.index));
    }
  }

  const Program& program_;
};

}  // namespace

std::string source_of(const Program& program) {
  Printer printer(program);
  const Array &data = program.arrays[data_array], &histo = program.arrays[histo_array];
  printer.out = fmt::format("// {}\n// {} blocks of {} x {} threads, {} launches; {} elements\n", program.description, program.grid,
                            program.block / program.rows, program.rows, program.launches, program.length);
  if (std::ranges::any_of(program.body,
                          [](const Stmt& s) { return s.what == Stmt::What::grid_barrier; }))
    printer.out += "#include <cooperative_groups.h>\n";
  printer.out += fmt::format("__global__ void k(const {}* data, unsigned int length, {}* histo) {{\n", element_type(data.element_bytes),
                             element_type(histo.element_bytes));
  for (const Array& array : program.arrays)  // each begins on the first bank
    if (array.shared)
      printer.out += fmt::format("  __shared__ __align__(128) {} {}[{}];\n", element_type(array.element_bytes), array.name, array.elements);
  if (program.variables > 0) {
    printer.out += "  unsigned int ";
    for (int v = 0; v < program.variables; ++v) printer.out += fmt::format("{}v{} = 0", v == 0 ? "" : ", ", v);
    printer.out += ";\n";
  }
  printer.print(program.body, 1);
  return printer.out + "}\n";
}

}  // namespace histolab::fuzzer
