// Short functions that build the trees of program.h.
#pragma once

#include <utility>

#include "tools/fuzzer/program.h"

namespace histolab::fuzzer {

inline Expr thread() { return built_in(Expr::Op::thread); }
inline Expr block_size() { return built_in(Expr::Op::block_size); }
inline Expr length() { return built_in(Expr::Op::length); }
inline Expr add(Expr a, Expr b) { return join(std::move(a), Expr::Op::add, std::move(b)); }
inline Expr times(Expr a, Expr b) { return join(std::move(a), Expr::Op::multiply, std::move(b)); }
inline Expr less(Expr a, Expr b) { return join(std::move(a), Expr::Op::less, std::move(b)); }
inline Expr rest(Expr a, std::uint32_t b) {
  return join(std::move(a), Expr::Op::remainder, number(b));
}
inline Expr negation(Expr a) { return join(std::move(a), Expr::Op::equal, number(0)); }
inline Expr first_element() {
  return add(times(built_in(Expr::Op::block), block_size()), thread());
}  // of a thread
inline Expr all_threads() { return times(built_in(Expr::Op::grid_size), block_size()); }

inline Stmt let(int v, Expr value) {
  return {.what = Stmt::What::let, .variable = v, .value = std::move(value)};
}
inline Stmt load(int v, int array, Expr index) {
  return {.what = Stmt::What::load, .variable = v, .array = array, .index = std::move(index)};
}
inline Stmt store(int array, Expr index, Expr value) {
  return {.what = Stmt::What::store,
          .array = array,
          .index = std::move(index),
          .value = std::move(value)};
}
inline Stmt atomic_add(int array, Expr index, Expr value) {
  return {.what = Stmt::What::atomic_add,
          .array = array,
          .index = std::move(index),
          .value = std::move(value)};
}
inline Stmt bump(int array, Expr index, Expr value) {
  return {.what = Stmt::What::bump,
          .array = array,
          .index = std::move(index),
          .value = std::move(value)};
}
inline Stmt branch(Expr condition, Body body, Body otherwise = {}) {
  return {.what = Stmt::What::branch,
          .value = std::move(condition),
          .body = std::move(body),
          .otherwise = std::move(otherwise)};
}
inline Stmt loop(int v, Expr start, Expr condition, Expr step, Body body) {
  return {.what = Stmt::What::loop,
          .variable = v,
          .value = std::move(condition),
          .start = std::move(start),
          .step = std::move(step),
          .body = std::move(body)};
}
inline Stmt pass(int v, int array, Expr index, std::uint32_t bytes, Stmt::Form form) {
  return {.what = Stmt::What::pass,
          .form = form,
          .variable = v,
          .array = array,
          .bytes = bytes,
          .index = std::move(index)};
}
inline Stmt count(Expr bin, Expr weight) {
  return {.what = Stmt::What::count, .index = std::move(bin), .value = std::move(weight)};
}
inline Stmt plain(Stmt::What what) { return {.what = what}; }

}  // namespace histolab::fuzzer
