// Binding of a kernel's undefined symbols, and the facts about the kernel that they show.
#include "kernels/emulator/module/bound_symbols.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/emulator/testing/object_builder.h"

namespace histolab::kernels::emulator {
namespace {

using testing::ObjectBuilder;

// A kernel that refers to each of the names.
class Naming {
 public:
  explicit Naming(const std::vector<std::string>& names) {
    section_ = builder_.code(".text.k", ObjectBuilder::Bytes(8 * names.size() + 8));
    builder_.kernel("k", section_);
    for (const std::string& name : names) refer(builder_.undefined(name));
    finish();
  }
  explicit Naming(ObjectBuilder builder, std::uint32_t section)
      : builder_(std::move(builder)), section_(section) {
    finish();
  }
  [[nodiscard]] NamedFunctions functions() const { return functions_named_by(*parts_); }
  [[nodiscard]] const KernelParts& parts() const { return *parts_; }

 private:
  void refer(std::uint32_t symbol) {
    builder_.relocate(section_, at_, R_X86_64_PLT32, symbol, -4);
    at_ += 8;
  }
  void finish() {
    object_.emplace(builder_.build());
    parts_.emplace(*object_, std::vector<std::uint32_t>{section_}, KernelParts::Checks::none);
  }

  ObjectBuilder builder_;
  std::uint32_t section_;
  std::uint64_t at_ = 0;
  std::optional<ObjectFile> object_;
  std::optional<KernelParts> parts_;
};

}  // namespace

TEST_CASE("the functions that a kernel names tell what it does") {
  CHECK(Naming({"histolab_threadfence"}).functions().has_fence);
  CHECK(Naming({"histolab_threadfence_block"}).functions().has_fence);
  CHECK(Naming({"histolab_syncwarp"}).functions().has_warp_sync);
  CHECK(Naming({"malloc"}).functions().allocates);
  CHECK(Naming({"_Znwm"}).functions().allocates);
  CHECK(Naming({"histolab_grid_sync"}).functions().has_grid_barrier);
  const NamedFunctions plain = Naming({"__tsan_read4", "histolab_syncthreads"}).functions();
  CHECK_FALSE(plain.has_fence);
  CHECK_FALSE(plain.has_warp_sync);
  CHECK_FALSE(plain.allocates);
  CHECK_FALSE(plain.has_grid_barrier);
}

TEST_CASE("symbols are built-in variables, functions of the runtime, or unsupported") {
  const Naming naming({"histolab_threadIdx", "__tsan_write4", "fopen", "_GLOBAL_OFFSET_TABLE_"});
  const BoundSymbols bound = bind_symbols(naming.parts());
  const auto number = [&](const std::string& name) {
    const auto& symbols = naming.parts().object().symbols();
    return static_cast<std::uint32_t>(std::ranges::find(symbols, name, &Symbol::name) -
                                      symbols.begin());
  };
  CHECK(bound.built_ins.contains(number("histolab_threadIdx")));
  REQUIRE(bound.functions.contains(number("__tsan_write4")));
  CHECK(bound.functions.at(number("__tsan_write4")).kind == AccessKind::store);
  REQUIRE(bound.unsupported.size() == 1);
  CHECK(bound.unsupported.contains(number("fopen")));
  CHECK(bound.built_ins.size() + bound.functions.size() == 2);
}

TEST_CASE("shared memory has no initial values") {
  CHECK(shared_initializers(Naming({"__tsan_read4"}).parts()).empty());
  ObjectBuilder builder;
  const std::uint32_t kernel = builder.code(".text.k", ObjectBuilder::Bytes(16));
  builder.kernel("k", kernel);
  builder.relocate(kernel, 0, R_X86_64_TPOFF32, builder.undefined_shared("_ZGVZ1kvE4part"));
  const auto local = shared_initializers(Naming(builder, kernel).parts());
  REQUIRE(local.size() == 1);
  CHECK(local[0].find("whose type has a constructor") != std::string::npos);
  CHECK(local[0].find("outside of the kernels") == std::string::npos);
  ObjectBuilder global;
  const std::uint32_t code = global.code(".text.k", ObjectBuilder::Bytes(16));
  global.kernel("k", code);
  global.relocate(code, 0, R_X86_64_TPOFF32, global.undefined_shared("__tls_guard"));
  const auto of_all = shared_initializers(Naming(global, code).parts());
  REQUIRE(of_all.size() == 1);
  CHECK(of_all[0].starts_with("outside the kernels there is a __shared__ variable"));
  ObjectBuilder values;
  const std::uint32_t user = values.code(".text.k", ObjectBuilder::Bytes(16));
  values.kernel("k", user);
  const std::uint32_t set = values.initialized_shared(".tdata.set", {1, 2, 3, 4});
  const std::uint32_t unset = values.shared(".tbss.unset", 4);
  values.relocate(user, 0, R_X86_64_TPOFF32, values.variable("set", set, 0, 4));
  values.relocate(user, 8, R_X86_64_TPOFF32, values.variable("unset", unset, 0, 4));
  const auto initial = shared_initializers(Naming(values, user).parts());
  REQUIRE(initial.size() == 1);
  CHECK(initial[0].starts_with("a __shared__ variable cannot have an initial value"));
}

}  // namespace histolab::kernels::emulator
