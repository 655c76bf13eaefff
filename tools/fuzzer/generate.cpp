#include "tools/fuzzer/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tools/fuzzer/build.h"

namespace histolab::fuzzer {
namespace {

using Op = Expr::Op;
using What = Stmt::What;

void append(Body& to, Body more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  Program make() {
    const std::uint32_t data_bytes = random_.pick(1, 1, 1, 2, 4);
    bins_ = random_.pick(2, 5, 7, 7, 8, 16, 26, 33, 64);
    p_.block = random_.pick(32, 32, 64, 64, 96, 128, 48, 100, 40);
    p_.restricts = random_.one_in(3);
    p_.rows = random_.one_in(4) && p_.block % 8 == 0 ? random_.pick(2, 4, 8) : 1;
    p_.grid = 1 + random_.below(3);
    p_.launches = random_.one_in(4) ? 2 + static_cast<int>(random_.below(2)) : 1;
    p_.length = random_.pick(0, 1, 31, 33, 1 + random_.below(100), 100 + random_.below(200),
                             100 + random_.below(300));
    p_.arrays = {{"data", false, data_bytes, 0}, {"histo", false, 4, bins_}};
    x_ = fresh();
    p_.element_variable = x_;
    p_.element = element();
    Body counting = iterate();
    surround(std::move(counting));
    choose_forms(p_.body);
    constexpr std::uint32_t most_resident = 264;  // resident blocks of any size
    if (!early_return_ && p_.grid <= most_resident && random_.one_in(5)) wait_for_grid();
    p_.arrays[data_array].elements = p_.length;
    make_data();
    p_.description = fmt::format("{}, {}, {}; {}-byte elements, {} bins", what_, how_, where_,
                                 data_bytes, bins_);
    return std::move(p_);
  }

 private:
  int fresh() { return p_.variables++; }
  Expr x() const { return variable(x_); }
  Expr gained() {
    return random_.one_in(5) ? add(join(x(), Op::bit_and, number(3)), number(random_.below(2)))
                             : number(1 + random_.below(2));
  }

  // ---- computing on an element
  Body element() {
    what_ = "element:";
    return element(0);
  }
  Body element(int depth) {
    switch (random_.below(depth > 1 ? 5 : 9)) {
      case 0: {  // letters
        what_ += " letters";
        const int y = fresh();
        const std::uint32_t width = std::max(1u, (26 + bins_ - 1) / bins_);
        Body others;
        if (random_.one_in(4)) others = {count(rest(x(), bins_), number(1))};
        return {let(y, join(x(), Op::subtract, number('a'))),
                branch(less(variable(y), number(26)),
                       {count(join(variable(y), Op::divide, number(width)), number(1))}, others)};
      }
      case 1: what_ += " mod"; return {count(rest(x(), bins_), gained())};
      case 2:
        what_ += " shift";
        return {count(rest(join(x(), Op::shift_right, number(random_.below(5))), bins_), gained())};
      case 3: return computed();
      case 4: {
        what_ += " both operands";
        const int y = fresh();
        return {let(y, join(x(), random_.one_in(2) ? Op::shift_left : Op::shift_right,
                            join(x(), Op::bit_and, number(7)))),
                count(rest(variable(y), bins_), number(1))};
      }
      case 5: {
        what_ += " two(";
        Body both = element(depth + 1);
        append(both, element(depth + 1));
        what_ += ")";
        return both;
      }
      case 6:
      case 7: {
        what_ += " if(";
        const Expr condition =
            random_.one_in(2) ? less(rest(x(), 10), number(1 + random_.below(9)))
                              : negation(join(x(), Op::bit_and, number(1u << random_.below(4))));
        Body then = element(depth + 1), otherwise;
        if (random_.one_in(2)) {
          what_ += " else";
          otherwise = element(depth + 1);
        }
        what_ += ")";
        return {branch(condition, std::move(then), std::move(otherwise))};
      }
      default: {
        what_ += " repeated";
        const int j = fresh();
        const Expr number_in_round = add(x(), variable(j));
        Body body{count(rest(number_in_round, bins_), number(1))};
        if (random_.one_in(3)) {
          const bool leaves = random_.one_in(2);
          what_ += leaves ? "/break" : "/continue";
          body.insert(body.begin() + random_.below(2),
                      branch(negation(rest(number_in_round, random_.pick(2, 3, 5))),
                             {plain(leaves ? What::leave : What::go_on)}));
        }
        if (random_.one_in(4))
          what_ += " if(",
              body.push_back(branch(less(rest(x(), 5), number(1 + random_.below(4))),
                                    {count(rest(variable(j), bins_), number(1))})),
              what_ += ")";
        return {loop(j, number(0),
                     less(variable(j), join(x(), Op::bit_and, number(random_.pick(1, 3, 7)))),
                     number(1), std::move(body))};
      }
    }
  }

  // The element is an operand, which may be read directly from memory. A shift may be by the width
  // or more.
  Body computed() {
    const auto [sign, right] = [&]() -> std::pair<Op, Expr> {
      switch (random_.below(4)) {
        case 0: return {Op::shift_left, rest(x(), random_.pick(8, 32, 40))};
        case 1: return {Op::shift_right, rest(x(), random_.pick(8, 32, 40))};
        case 2:
          return {Op::divide, join(join(x(), Op::bit_and, number(15)), Op::bit_or, number(1))};
        default: return {Op::remainder, add(rest(x(), 13), number(1))};
      }
    }();
    const Expr left = number(random_.pick(1, 1000, 0x80000001u, 0xffffffffu));
    what_ += " computed";
    if (!random_.one_in(3)) return {count(rest(join(left, sign, right), bins_), number(1))};
    what_ += " by assignment";
    const int y = fresh();
    return {let(y, left), let(y, join(variable(y), sign, right)),
            count(rest(variable(y), bins_), number(1))};
  }

  // ---- the elements of a thread: contains the element's body, with its `count` statements
  Body iterate() {
    const std::uint32_t threads = p_.grid * p_.block;
    const int i = fresh();
    switch (random_.below(6)) {
      case 0: {
        how_ = "an element a thread";
        p_.grid = std::max(1u, (p_.length + p_.block - 1) / p_.block) + random_.below(2);
        Body body{let(i, first_element())};
        early_return_ = random_.one_in(4);
        if (early_return_) {
          how_ += " or return";
          body.push_back(branch(negation(less(variable(i), length())), {plain(What::end)}));
          append(body, taken(variable(i)));
        } else {
          body.push_back(branch(less(variable(i), length()), taken(variable(i))));
        }
        return body;
      }
      case 1:
      case 2: {
        how_ = "grid stride";
        Body body = taken(variable(i));
        if (random_.one_in(4)) {
          how_ += " with continue";
          const Expr skipped = less(rest(x(), 7), number(1 + random_.below(5)));
          p_.element = {branch(negation(skipped), p_.element)};
          body.insert(body.begin() + 1, branch(skipped, {plain(What::go_on)}));
        }
        return {
            loop(i, first_element(), less(variable(i), length()), all_threads(), std::move(body))};
      }
      case 3: {
        how_ = "contiguous";
        const std::uint32_t factor = std::max(p_.length / threads + 1, random_.pick(2, 3, 4, 8));
        p_.grid = p_.length / (factor * p_.block) + 1;
        const int begin = fresh();
        const Expr inside = less(variable(i), add(variable(begin), number(factor)));
        Body body{let(begin, times(first_element(), number(factor)))};
        if (random_.one_in(3)) {
          how_ += " with break";
          Body each{branch(negation(less(variable(i), length())), {plain(What::leave)})};
          append(each, taken(variable(i)));
          body.push_back(loop(i, variable(begin), inside, number(1), std::move(each)));
        } else {
          body.push_back(loop(i, variable(begin),
                              join(inside, Op::bit_and, less(variable(i), length())), number(1),
                              taken(variable(i))));
        }
        return body;
      }
      case 4: return wide(i);
      default: return tiles(i);
    }
  }

  Body taken(Expr index) { return taken(load(x_, data_array, std::move(index))); }
  // Starts with this load. Its variable may be printed as the load itself; then each operand may be
  // a separate load.
  Body taken(Stmt first) {
    first.in_place = !random_.one_in(3);
    Body body{first};
    append(body, p_.element);
    Stmt& user = body[1];
    const bool twice = user.what == What::let && reads_of(user.value, x_) == 2 &&
                       !reads(Body(body.begin() + 2, body.end()), x_);
    if (!first.in_place || !twice) return body;
    Stmt second = first;
    second.variable = fresh();
    int seen = 0;
    rename_second(user.value, second.variable, seen);
    body.insert(body.begin() + 1, std::move(second));
    return body;
  }
  void rename_second(Expr& e, int to, int& seen) const {
    if (e.op == Op::variable && static_cast<int>(e.value) == x_ && ++seen == 2) e = variable(to);
    for (Expr& part : e.of) rename_second(part, to, seen);
  }

  // Loads several elements at once, and the rest one by one.
  Body wide(int i) {
    const std::uint32_t each = p_.arrays[data_array].element_bytes;
    const std::uint32_t bytes = std::max(random_.pick(4, 8, 16), 2 * each), at_once = bytes / each;
    how_ = fmt::format("loads of {} bytes", bytes);
    const int words = fresh();
    for (std::uint32_t w = 1; w < bytes / 4; ++w) fresh();
    Stmt vector = load(words, data_array, variable(i));
    vector.bytes = bytes;
    Body body{vector};
    for (std::uint32_t e = 0; e < at_once; ++e) {
      const std::uint32_t bit = e * each * 8;
      Expr value =
          join(variable(words + static_cast<int>(bit / 32)), Op::shift_right, number(bit % 32));
      if (each < 4) value = join(std::move(value), Op::bit_and, number((1u << (8 * each)) - 1));
      body.push_back(let(x_, std::move(value)));
      append(body, p_.element);
    }
    const int left = fresh();
    return {loop(i, first_element(), less(variable(i), join(length(), Op::divide, number(at_once))),
                 all_threads(), std::move(body)),
            let(left, rest(length(), at_once)),
            branch(less(first_element(), variable(left)),
                   taken(add(join(length(), Op::subtract, variable(left)), first_element())))};
  }

  // Through shared memory: each thread loads an element and takes that of another thread.
  Body tiles(int t) {
    const std::uint32_t shift = random_.pick(0, 1, 7, 32) % p_.block;
    how_ = fmt::format("tiles, shifted by {}", shift);
    const int tile = static_cast<int>(p_.arrays.size());
    p_.arrays.push_back({"tile", true, p_.arrays[data_array].element_bytes, p_.block});
    const int other = fresh(), staged = fresh();
    Body body{branch(less(add(variable(t), thread()), length()),
                     {load(staged, data_array, add(variable(t), thread())),
                      store(tile, thread(), variable(staged))}),
              plain(What::barrier), let(other, rest(add(thread(), number(shift)), p_.block))};
    Body mine = taken(load(x_, tile, variable(other)));
    body.push_back(branch(less(add(variable(t), variable(other)), length()), std::move(mine)));
    body.push_back(plain(What::barrier));
    return {loop(t, times(built_in(Op::block), block_size()), less(variable(t), length()),
                 all_threads(), std::move(body))};
  }

  // ---- the memory of the updates
  void surround(Body counting) {
    constexpr std::uint32_t global = 0, shared = 1, per_warp = 2, per_lane = 3, rows = 4;
    std::uint32_t scheme =
        early_return_ ? global : random_.pick(global, shared, shared, per_warp, per_lane, rows);
    if (scheme == rows && bins_ * p_.block > 4096) scheme = per_warp;
    const std::uint32_t warps = (p_.block + 31) / 32;
    const std::uint32_t copies = scheme == per_warp   ? warps
                                 : scheme == per_lane ? 32
                                 : scheme == rows     ? p_.block
                                                      : 1;
    int target = histo_array;
    if (scheme != global) {
      target = static_cast<int>(p_.arrays.size());
      const bool pad = scheme == rows && random_.one_in(2);
      row_ = bins_ + (pad ? 1 : 0);
      const std::uint32_t bytes = scheme != rows && scheme != per_lane && random_.one_in(5) ? 8 : 4;
      p_.arrays.push_back({"counts", true, bytes, scheme == per_lane ? bins_ * 32 : row_ * copies});
    }
    const auto place = [=, this](Expr bin, Expr copy) {
      if (scheme == per_lane) return add(times(std::move(bin), number(32)), std::move(copy));
      return scheme == per_warp || scheme == rows
                 ? add(times(std::move(copy), number(row_)), std::move(bin))
                 : bin;
    };
    const Expr own = scheme == per_warp   ? join(thread(), Op::divide, number(32))
                     : scheme == per_lane ? rest(thread(), 32)
                                          : thread();
    where_ = scheme == global     ? "global atomics"
             : scheme == shared   ? "shared"
             : scheme == per_warp ? "a copy per warp"
             : scheme == per_lane ? "a copy per lane"
                                  : "a row per thread";
    const bool aggregated = scheme != rows && random_.one_in(4);
    const int before = aggregated ? fresh() : 0, gathered = aggregated ? fresh() : 0;
    const auto update = [&](Expr bin, Expr weight) {
      return scheme == rows ? bump(target, place(std::move(bin), own), std::move(weight))
                            : atomic_add(target, place(std::move(bin), own), std::move(weight));
    };
    const auto flush = [&] {
      return branch(less(number(0), variable(gathered)),
                    {update(variable(before), variable(gathered))});
    };
    const auto lower = [&](const Stmt& s) -> Body {
      if (!aggregated) return {update(s.index, s.value)};
      return {branch(negation(join(s.index, Op::equal, variable(before))),
                     {flush(), let(before, s.index), let(gathered, number(0))}),
              let(gathered, add(variable(gathered), s.value))};
    };
    counting = lowered(counting, lower);
    if (aggregated) {
      where_ += ", aggregated";
      counting.push_back(flush());
    }
    if (scheme == global) {
      append(p_.body, std::move(counting));
      return;
    }
    zero(target);
    p_.body.push_back(plain(What::barrier));
    append(p_.body, std::move(counting));
    p_.body.push_back(plain(What::barrier));
    const bool power_of_two = (p_.block & (p_.block - 1)) == 0;
    if (scheme == rows && power_of_two && random_.one_in(2)) {
      reduce_tree(target);
      commit(target, 1, place);
    } else {
      commit(target, copies, place);
    }
  }

  template <class Lower>
  Body lowered(const Body& body, const Lower& lower) {
    Body result;
    for (const Stmt& s : body) {
      if (s.what == What::count) {
        append(result, lower(s));
        continue;
      }
      result.push_back(s);
      result.back().body = lowered(s.body, lower);
      result.back().otherwise = lowered(s.otherwise, lower);
    }
    return result;
  }

  void zero(int target) {
    const std::uint32_t size = p_.arrays[static_cast<std::size_t>(target)].elements;
    const int b = fresh();
    if (size <= p_.block && random_.one_in(3))
      p_.body.push_back(branch(less(thread(), number(size)), {store(target, thread(), number(0))}));
    else if (size <= 64 && random_.one_in(4))
      p_.body.push_back(
          branch(negation(thread()), {loop(b, number(0), less(variable(b), number(size)), number(1),
                                           {store(target, variable(b), number(0))})}));
    else
      p_.body.push_back(loop(b, thread(), less(variable(b), number(size)), block_size(),
                             {store(target, variable(b), number(0))}));
  }

  void reduce_tree(int target) {
    where_ += ", summed by a tree";
    const int half = fresh(), b = fresh(), theirs = fresh();
    const Expr row = number(row_);
    Body each{load(theirs, target, add(times(add(thread(), variable(half)), row), variable(b))),
              bump(target, add(times(thread(), row), variable(b)), variable(theirs))};
    p_.body.push_back(loop(
        half, number(p_.block / 2), less(number(0), variable(half)),
        join(join(variable(half), Op::shift_right, number(1)), Op::subtract, variable(half)),
        {branch(less(thread(), variable(half)),
                {loop(b, number(0), less(variable(b), number(bins_)), number(1), std::move(each))}),
         plain(What::barrier)}));
  }

  template <class Place>
  void commit(int target, std::uint32_t copies, const Place& place) {
    const int b = fresh(), sum = fresh();
    Body body;
    if (copies == 1) {
      body.push_back(load(sum, target, place(variable(b), number(0))));
    } else {
      const int c = fresh(), part = fresh();
      body.push_back(let(sum, number(0)));
      body.push_back(loop(c, number(0), less(variable(c), number(copies)), number(1),
                          {load(part, target, place(variable(b), variable(c))),
                           let(sum, add(variable(sum), variable(part)))}));
    }
    Stmt result = atomic_add(histo_array, variable(b), variable(sum));
    body.push_back(random_.one_in(3) ? branch(less(number(0), variable(sum)), {std::move(result)})
                                     : std::move(result));
    p_.body.push_back(
        loop(b, thread(), less(variable(b), number(bins_)), block_size(), std::move(body)));
  }

  void wait_for_grid() {
    where_ += ", with grid barriers";
    for (Stmt& s : p_.body)
      if (s.what == What::barrier && random_.one_in(2)) s.what = What::grid_barrier;
    const auto place =
        static_cast<std::ptrdiff_t>(random_.below(static_cast<std::uint32_t>(p_.body.size()) + 1));
    p_.body.insert(p_.body.begin() + place, plain(What::grid_barrier));
  }

  Stmt::Form any_of(std::initializer_list<Stmt::Form> forms) {
    return *(forms.begin() + random_.below(static_cast<std::uint32_t>(forms.size())));
  }

  // Accesses that the compiler may not report. Some kernels have many of them, most have none.
  void choose_forms(Body& body) {
    if (random_.one_in(2)) return;
    where_ += ", in several forms";
    const bool passes = random_.one_in(2) && p_.block <= 128;
    own_ = static_cast<int>(p_.arrays.size());
    if (passes) p_.arrays.push_back({"own", true, 64, p_.block});
    choose_forms_in(body, passes);
  }
  void choose_forms_in(Body& body, bool passes) {
    using Form = Stmt::Form;
    for (std::size_t i = 0; i < body.size(); ++i) {
      Stmt& s = body[i];
      choose_forms_in(s.body, passes);
      choose_forms_in(s.otherwise, passes);
      const bool is_data = s.array == data_array;
      if (random_.one_in(3)) continue;
      if (s.what == What::load && s.bytes == 0)
        s.form = any_of({Form::by_value, Form::returned, Form::aggregate,
                         is_data ? Form::member : Form::by_value});
      else if (s.what == What::store)
        s.form = any_of({Form::by_value, Form::aggregate, Form::member, Form::placed});
      else if (s.what == What::bump &&
               p_.arrays[static_cast<std::size_t>(s.array)].element_bytes == 4)
        s.form = any_of({Form::by_value, Form::returned, Form::bit_field});
      if (!passes || s.what != What::load || s.bytes != 0 || s.array != data_array) continue;
      const std::uint32_t least = p_.arrays[data_array].element_bytes;
      const bool may_be_bits = least < 4 && random_.one_in(6);
      const Form form = may_be_bits ? Form::bit_field
                                    : any_of({Form::by_value, Form::returned, Form::aggregate,
                                              Form::copied, Form::placed});
      std::uint32_t bytes = may_be_bits ? 4 : least + random_.below(65 - least);
      // For an argument of fewer bytes, g++ reads a whole register of an aligned row.
      if (bytes < 16 && (form == Form::by_value || form == Form::placed))
        bytes = std::bit_ceil(bytes);
      const int x = s.variable;
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  pass(x, own_, thread(), bytes, form));
      body[i].in_place = false;
      ++i;
    }
  }

  void make_data() {
    const std::uint32_t kind = random_.below(5);
    std::uint8_t run = static_cast<std::uint8_t>(random_.next());
    for (std::uint32_t i = 0; i < p_.length * p_.arrays[data_array].element_bytes; ++i) {
      if (random_.one_in(9)) run = static_cast<std::uint8_t>('a' + random_.below(26));
      p_.data.push_back(data_byte(kind, run));
    }
  }

  std::uint8_t data_byte(std::uint32_t kind, std::uint8_t run) {
    switch (kind) {
      case 0: return static_cast<std::uint8_t>(random_.next());
      case 1: return static_cast<std::uint8_t>('a' + random_.below(26));
      case 2: return 'm';
      case 3: return run;
      default:
        return static_cast<std::uint8_t>(random_.pick(' ', '{', '`', 'a' + random_.below(26)));
    }
  }

  Random& random_;
  Program p_;
  std::uint32_t bins_ = 7, row_ = 7;
  int x_ = 0, own_ = 0;
  bool early_return_ = false;
  std::string what_, how_, where_;
};

}  // namespace

Program generate(Random& random) { return Maker(random).make(); }

}  // namespace histolab::fuzzer
