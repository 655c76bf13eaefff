#include <fmt/format.h>

#include <algorithm>

#include "tools/fuzzer/build.h"
#include "tools/fuzzer/generate.h"

namespace histolab::fuzzer {
namespace {

using Op = Expr::Op;
using What = Stmt::What;

// Returns all matching statements of a body, as pairs of list and index.
template <class Fits>
void find(Body& body, const Fits& fits, std::vector<std::pair<Body*, std::size_t>>& found) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (fits(body[i])) found.emplace_back(&body, i);
    find(body[i].body, fits, found);
    find(body[i].otherwise, fits, found);
  }
}

bool ends_at_length(const Expr& e) { return e.op == Op::less && e.of[1].op == Op::length; }

bool relax(Expr& e) {  // changes < to <= if the length is the bound
  if (ends_at_length(e)) return e.op = Op::less_equal, true;
  return std::any_of(e.of.begin(), e.of.end(), relax);
}
bool can_relax(const Expr& e) {
  return ends_at_length(e) || std::any_of(e.of.begin(), e.of.end(), can_relax);
}

bool loads_first(const Stmt& s) {
  return s.what == What::loop && !s.body.empty() && s.body.front().what == What::load;
}

}  // namespace

std::optional<std::string> spoil(Program& program, Random& random) {
  struct Mistake {
    const char* name;
    bool (*fits)(const Stmt&);
    void (*make)(Body&, std::size_t, Random&);
  };
  static constexpr Mistake mistakes[] = {
      {"a barrier is missing",
       [](const Stmt& s) { return s.what == What::barrier || s.what == What::grid_barrier; },
       [](Body& b, std::size_t i, Random&) {
         b.erase(b.begin() + static_cast<std::ptrdiff_t>(i));
       }},
      {"an update is not atomic", [](const Stmt& s) { return s.what == What::atomic_add; },
       [](Body& b, std::size_t i, Random&) { b[i].what = What::bump; }},
      {"one too far",
       [](const Stmt& s) {
         return (s.what == What::loop || s.what == What::branch) && can_relax(s.value);
       },
       [](Body& b, std::size_t i, Random&) { relax(b[i].value); }},
      {"a store is missing", [](const Stmt& s) { return s.what == What::store; },
       [](Body& b, std::size_t i, Random&) {
         b.erase(b.begin() + static_cast<std::ptrdiff_t>(i));
       }},
      {"a barrier under a condition", [](const Stmt& s) { return s.what == What::barrier; },
       [](Body& b, std::size_t i, Random& r) {
         b[i] = branch(less(thread(), number(1 + r.below(31))), {plain(What::barrier)});
       }},
      {"a vector from the middle of another",
       [](const Stmt& s) { return s.what == What::load && s.bytes > 0; },
       [](Body& b, std::size_t i, Random&) { b[i].skipped = 1; }},
      {"two threads share what is each one's own",
       [](const Stmt& s) { return s.what == What::pass; },
       [](Body& b, std::size_t i, Random&) { b[i].index = join(thread(), Op::divide, number(2)); }},
      {"a loop that never advances", loads_first,
       [](Body& b, std::size_t i, Random&) { b[i].step = number(0); }},
  };
  const Mistake& mistake = mistakes[random.below(std::size(mistakes))];
  std::vector<std::pair<Body*, std::size_t>> places;
  find(program.body, mistake.fits, places);
  if (places.empty()) return std::nullopt;
  const auto [body, index] = places[random.below(static_cast<std::uint32_t>(places.size()))];
  mistake.make(*body, index, random);
  program.description += fmt::format("; {}", mistake.name);
  return mistake.name;
}

}  // namespace histolab::fuzzer
