#include "tools/fuzzer/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace histolab::fuzzer {
namespace {

using Operands = std::map<std::uint32_t, std::string>;  // text that replaces a variable

const char* sign_of(Expr::Op op) {
  using Op = Expr::Op;
  switch (op) {
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::remainder: return "%";
    case Op::shift_left: return "<<";
    case Op::shift_right: return ">>";
    case Op::bit_and: return "&";
    case Op::bit_or: return "|";
    case Op::bit_xor: return "^";
    case Op::less: return "<";
    case Op::less_equal: return "<=";
    case Op::equal: return "==";
    default: return nullptr;
  }
}
bool compares(Expr::Op op) {
  return op == Expr::Op::less || op == Expr::Op::less_equal || op == Expr::Op::equal;
}

std::string text(const Expr& e, bool flat, const Operands& operands) {
  using Op = Expr::Op;
  switch (e.op) {
    case Op::number: return fmt::format("{}u", e.value);
    case Op::variable: {
      const auto operand = operands.find(e.value);
      return operand != operands.end() ? operand->second : fmt::format("v{}", e.value);
    }
    case Op::thread: return flat ? "threadIdx.x" : "(threadIdx.y * blockDim.x + threadIdx.x)";
    case Op::block: return "blockIdx.x";
    case Op::block_size: return flat ? "blockDim.x" : "(blockDim.x * blockDim.y)";
    case Op::grid_size: return "gridDim.x";
    case Op::length: return "length";
    default:
      return fmt::format("({} {} {})", text(e.of[0], flat, operands), sign_of(e.op),
                         text(e.of[1], flat, operands));
  }
  return {};
}

const char* element_type(std::uint32_t bytes) {
  return bytes == 1    ? "unsigned char"
         : bytes == 2  ? "unsigned short"
         : bytes == 4  ? "unsigned int"
         : bytes == 8  ? "unsigned long long"
         : bytes == 64 ? "Row"
                       : "uint4";
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  void print(const Body& body, int depth) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (is_operand(body, i)) {
        operands_[static_cast<std::uint32_t>(body[i].variable)] = operand(body[i]);
        continue;
      }
      print(body[i], depth);
    }
  }
  std::string out, helpers;

 private:
  using Form = Stmt::Form;

  // A structure with one member, and functions that take or return it. Each statement has its own
  // ones: with a function that is called only once, the next access is unambiguous.
  [[nodiscard]] std::string structure(const std::string& member) {
    const int n = ++helpers_;
    helpers += fmt::format("struct S{0} {{ {1} }};\n", n, member);
    return fmt::format("S{}", n);
  }
  [[nodiscard]] std::string function(const std::string& result, const std::string& parameter,
                                     const std::string& body) {
    const int n = ++helpers_;
    helpers += fmt::format("__device__ __attribute__((noipa)) {} f{}({}) {{ {} }}\n", result, n,
                           parameter, body);
    return fmt::format("f{}", n);
  }
  [[nodiscard]] std::string value_of(Form form, const std::string& type, const std::string& place) {
    const std::string at = fmt::format("(const {}*)&{}", type, place);
    switch (form) {
      case Form::by_value:
        return fmt::format("{}(*{})", function("unsigned int", type + " s", "return s.v;"), at);
      case Form::returned:
        return fmt::format("{}({}).v",
                           function(type, fmt::format("const {}* s", type), "return *s;"), at);
      case Form::member: return fmt::format("((volatile const {}*)&{})->v", type, place);
      default: return fmt::format("({})->v", at);
    }
  }
  [[nodiscard]] std::string made(const std::string& type, const std::string& value) {
    return fmt::format(
        "{}({})", function(type, "unsigned int v", fmt::format("{} s; s.v = v; return s;", type)),
        value);
  }
  void print_in_form(const Stmt& s, int depth, const std::string& place) {
    const Array& array = program_.arrays[static_cast<std::size_t>(s.array)];
    const std::string type = structure(
        s.form == Form::bit_field ? "unsigned int v : 31, rest : 1;"
                                  : fmt::format("{} v;", element_type(array.element_bytes)));
    const std::string to = fmt::format("*({}*)&{}", type, place);
    if (s.what == Stmt::What::load) {
      if (s.form == Form::aggregate)
        return line(depth, "{{ const {} s = *(const {}*)&{}; v{} = s.v; }}", type, type, place,
                    s.variable);
      return line(depth, "v{} = {};", s.variable, value_of(s.form, type, place));
    }
    if (s.what == Stmt::What::bump) {
      if (s.form == Form::bit_field)
        return line(depth, "(({}*)&{})->v += {};", type, place, text(s.value));
      return line(depth, "{{ unsigned int v = {}; v += {}; {} = {}; }}",
                  value_of(s.form, type, place), text(s.value), to, made(type, "v"));
    }
    if (s.form == Form::member)
      return line(depth, "((volatile {}*)&{})->v = {};", type, place, text(s.value));
    if (s.form == Form::aggregate)
      return line(depth, "{{ {} s; s.v = {}; {} = s; }}", type, text(s.value), to);
    if (s.form == Form::placed)
      return line(depth, "new ((void*)&{}) {}({});", place, type, made(type, text(s.value)));
    line(depth, "{} = {};", to, made(type, text(s.value)));
  }
  void print_pass(const Stmt& s, int depth, const std::string& place) {
    if (s.form == Form::bit_field) {
      const std::string type = structure("unsigned int v : 31, rest : 1;");
      return line(depth, "{{ {0}* const p = ({0}*)&{1}; p->v = v{2}; v{2} = p->v; }}", type, place,
                  s.variable);
    }
    const std::string type = structure(fmt::format("unsigned char of[{}];", s.bytes));
    const std::uint32_t bytes = std::min(s.bytes, 4u);
    std::string packs, unpacks;
    for (std::uint32_t b = 0; b < s.bytes; ++b)
      packs += fmt::format(" s.of[{}] = {};", b,
                           b < 4 ? fmt::format("v >> {}", 8 * b) : std::to_string(b));
    for (std::uint32_t b = 0; b < bytes; ++b)
      unpacks += fmt::format("{}s.of[{}] * {}u", b == 0 ? "" : " + ", b, 1u << 8 * b);
    const std::string pack =
        function(type, "unsigned int v", fmt::format("{} s;{} return s;", type, packs));
    const std::string unpack =
        function("unsigned int", type + " s", fmt::format("return {};", unpacks));
    const std::string begin = fmt::format("{{ {0}* const p = ({0}*)&{1};", type, place);
    const int v = s.variable;
    switch (s.form) {
      case Form::by_value:
        return line(depth, "{} *p = {}(v{}); v{} = {}(*p); }}", begin, pack, v, v, unpack);
      case Form::returned: {
        const std::string whole = function(type, fmt::format("const {}* s", type), "return *s;");
        return line(depth, "{} *p = {}(v{}); v{} = {}({}(p)); }}", begin, pack, v, v, unpack,
                    whole);
      }
      case Form::placed:
        return line(depth, "{} new (p) {}({}(v{})); v{} = {}(*p); }}", begin, type, pack, v, v,
                    unpack);
      case Form::copied:
        return line(
            depth,
            "{0} {1} s = {2}(v{3}); memcpy(p, &s, {4}); memcpy(&s, p, {4}); v{3} = {5}(s); }}",
            begin, type, pack, v, s.bytes, unpack);
      default:
        return line(depth, "{0} {1} s = {2}(v{3}); *p = s; s = *p; v{3} = {4}(s); }}", begin, type,
                    pack, v, unpack);
    }
  }

  [[nodiscard]] std::string text(const Expr& e) const {
    return fuzzer::text(e, program_.rows == 1, operands_);
  }

  // Whether the load at `at` is printed as an operand of the next statement.
  static bool is_operand(const Body& body, std::size_t at) {
    const Stmt& load = body[at];
    if (load.what != Stmt::What::load || !load.in_place || load.bytes != 0 ||
        load.form != Form::plain)
      return false;
    std::size_t user = at + 1;
    for (; user < body.size() && is_operand(body, user); ++user)
      if (reads_of(body[user].index, load.variable) > 0 || body[user].variable == load.variable)
        return false;
    if (user == body.size()) return false;
    using What = Stmt::What;
    const Stmt& s = body[user];
    const bool takes = s.what == What::let || s.what == What::store || s.what == What::atomic_add ||
                       s.what == What::bump || s.what == What::branch;
    if (!takes || s.form != Form::plain ||
        reads_of(s.index, load.variable) + reads_of(s.value, load.variable) != 1)
      return false;
    const auto rest = body.begin() + static_cast<std::ptrdiff_t>(user) + 1;
    return !reads(s.body, load.variable) && !reads(s.otherwise, load.variable) &&
           !reads(Body(rest, body.end()), load.variable);
  }

  // Without a cast, a narrow element would become a signed int.
  [[nodiscard]] std::string operand(const Stmt& s) const {
    const Array& array = program_.arrays[static_cast<std::size_t>(s.array)];
    return fmt::format("{}{}[{}]", array.element_bytes < 4 ? "(unsigned int)" : "", array.name,
                       text(s.index));
  }

  // Prints v = v + e as v += e.
  void print_let(const Stmt& s, int depth) {
    const Expr& value = s.value;
    const bool compound = value.of.size() == 2 && !compares(value.op) &&
                          value.of[0].op == Expr::Op::variable &&
                          static_cast<int>(value.of[0].value) == s.variable;
    if (compound)
      line(depth, "v{} {}= {};", s.variable, sign_of(value.op), text(value.of[1]));
    else
      line(depth, "v{} = {};", s.variable, text(value));
  }

  template <class... Parts>
  void line(int depth, fmt::format_string<Parts...> format, Parts&&... parts) {
    out += std::string(static_cast<std::size_t>(2 * depth), ' ') +
           fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  void print_load(const Stmt& s, int depth) {
    const Array& array = program_.arrays[static_cast<std::size_t>(s.array)];
    if (s.bytes == 0) return line(depth, "v{} = {}[{}];", s.variable, array.name, text(s.index));
    const char* type = s.bytes == 8 ? "uint2" : element_type(s.bytes);
    const std::string from = fmt::format("*(const {}*)({} + {}u + {} * {}u)", type, array.name,
                                         s.skipped, text(s.index), s.bytes / array.element_bytes);
    if (s.bytes <= 4) return line(depth, "v{} = {};", s.variable, from);
    std::string words;
    for (std::uint32_t w = 0; w < s.bytes / 4; ++w)
      words += fmt::format(" v{} = words.{};", s.variable + static_cast<int>(w), "xyzw"[w]);
    line(depth, "{{ const {} words = {};{} }}", type, from, words);
  }

  void print(const Stmt& s, int depth) {
    using What = Stmt::What;
    const std::string place =
        s.what == What::store || s.what == What::atomic_add || s.what == What::bump
            ? fmt::format("{}[{}]", program_.arrays[static_cast<std::size_t>(s.array)].name,
                          text(s.index))
            : std::string();
    if (s.what == What::pass || s.form != Form::plain) {
      const std::string at = fmt::format(
          "{}[{}]", program_.arrays[static_cast<std::size_t>(s.array)].name, text(s.index));
      s.what == What::pass ? print_pass(s, depth, at) : print_in_form(s, depth, at);
      operands_.clear();
      return;
    }
    switch (s.what) {
      case What::pass: break;
      case What::let: print_let(s, depth); break;
      case What::load: return print_load(s, depth);
      case What::store: line(depth, "{} = {};", place, text(s.value)); break;
      case What::atomic_add: {
        const bool wide = program_.arrays[static_cast<std::size_t>(s.array)].element_bytes == 8;
        line(depth, "atomicAdd(&{}, {}{});", place, wide ? "(unsigned long long)" : "",
             text(s.value));
        break;
      }
      case What::bump: line(depth, "{} += {};", place, text(s.value)); break;
      case What::branch:
        line(depth, "if ({}) {{", text(s.value));
        operands_.clear();
        print(s.body, depth + 1);
        if (!s.otherwise.empty()) {
          line(depth, "}} else {{");
          print(s.otherwise, depth + 1);
        }
        return line(depth, "}}");
      case What::loop:
        line(depth, "for (v{0} = {1}; {2}; v{0} += {3}) {{", s.variable, text(s.start),
             text(s.value), text(s.step));
        print(s.body, depth + 1);
        return line(depth, "}}");
      case What::barrier: return line(depth, "__syncthreads();");
      case What::grid_barrier: return line(depth, "cooperative_groups::this_grid().sync();");
      case What::go_on: return line(depth, "continue;");
      case What::leave: return line(depth, "break;");
      case What::end: return line(depth, "return;");
      case What::count: return line(depth, "// count {} in bin {}", text(s.value), text(s.index));
    }
    operands_.clear();
  }

  const Program& program_;
  Operands operands_;  // for the next statement
  int helpers_ = 0;    // structures and functions so far
};

}  // namespace

int reads_of(const Expr& e, int variable) {
  if (e.op == Expr::Op::variable) return static_cast<int>(e.value) == variable ? 1 : 0;
  int reads = 0;
  for (const Expr& part : e.of) reads += reads_of(part, variable);
  return reads;
}
bool reads(const Body& body, int variable) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt& s) {
    const bool passes = s.what == Stmt::What::pass && s.variable == variable;
    const int own = passes + reads_of(s.index, variable) + reads_of(s.value, variable) +
                    reads_of(s.start, variable) + reads_of(s.step, variable);
    return own > 0 || reads(s.body, variable) || reads(s.otherwise, variable);
  });
}

std::string source_of(const Program& program) {
  Printer printer(program);
  printer.print(program.body, 1);
  const std::string body = std::move(printer.out);
  const Array &data = program.arrays[data_array], &histo = program.arrays[histo_array];
  printer.out = fmt::format("// {}\n// {} blocks of {} x {} threads, {} launches; {} elements\n",
                            program.description, program.grid, program.block / program.rows,
                            program.rows, program.launches, program.length);
  if (std::ranges::any_of(program.body,
                          [](const Stmt& s) { return s.what == Stmt::What::grid_barrier; }))
    printer.out += "#include <cooperative_groups.h>\n";
  if (std::ranges::any_of(program.arrays, [](const Array& a) { return a.element_bytes == 64; }))
    printer.out += "struct Row { unsigned char of[64]; };\n";
  if (printer.helpers.find("S") != std::string::npos)
    printer.out += "#include <new>\n" + printer.helpers;
  printer.out +=
      fmt::format("__global__ void k(const {}*{} data, unsigned int length, {}* histo) {{\n",
                  element_type(data.element_bytes), program.restricts ? " __restrict__" : "",
                  element_type(histo.element_bytes));
  for (const Array& array : program.arrays)  // each begins on the first bank
    if (array.shared)
      printer.out += fmt::format("  __shared__ __align__(128) {} {}[{}];\n",
                                 element_type(array.element_bytes), array.name, array.elements);
  if (program.variables > 0) {
    printer.out += "  unsigned int ";
    for (int v = 0; v < program.variables; ++v)
      printer.out += fmt::format("{}v{} = 0", v == 0 ? "" : ", ", v);
    printer.out += ";\n";
  }
  return printer.out + body + "}\n";
}

}  // namespace histolab::fuzzer
