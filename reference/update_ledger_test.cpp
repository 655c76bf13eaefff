// Tests of UpdateLedger with cases worked out by hand.
#include "reference/update_ledger.h"

#include <doctest/doctest.h>

using namespace histolab::reference;

TEST_CASE("a store over another thread's update loses it, and the ledger names the stale load") {
  UpdateLedger ledger;
  ledger.load(0, 0);
  ledger.load(1, 1);
  ledger.store(0, 2);
  ledger.store(1, 3);
  CHECK(ledger.held() == 1);
  REQUIRE(ledger.lost().size() == 1);
  const LostUpdate lost = ledger.lost()[0];
  CHECK(lost.thread == 0);
  CHECK(lost.stored_at == 2);
  CHECK(lost.lost_at == 3);
  CHECK(lost.lost_loaded_at == 1);
}

TEST_CASE("an update that another register still holds is restored by its store") {
  UpdateLedger ledger;
  // T2 loads T0's update.
  ledger.load(0, 0);
  ledger.load(1, 1);
  ledger.store(0, 2);
  ledger.load(2, 3);
  ledger.store(1, 4);
  CHECK(ledger.lost().size() == 1);
  ledger.store(2, 5);
  CHECK(ledger.held() == 2);
  REQUIRE(ledger.lost().size() == 1);
  CHECK(ledger.lost()[0].thread == 1);
}

TEST_CASE("atomic updates persist until a plain store overwrites them") {
  UpdateLedger ledger;
  ledger.add(0, 0);
  ledger.add(1, 1);
  CHECK(ledger.held() == 2);
  CHECK(ledger.lost().empty());
  ledger.store(2, 2);
  CHECK(ledger.held() == 0);
  REQUIRE(ledger.lost().size() == 2);
  CHECK(ledger.lost()[1].thread == 1);
  CHECK_FALSE(ledger.lost()[1].lost_loaded_at.has_value());
}

TEST_CASE("a store without a load is not an update and loses none") {
  UpdateLedger ledger;
  ledger.store(0, 0);
  ledger.store(1, 1);
  CHECK(ledger.held() == 0);
  CHECK(ledger.lost().empty());
  ledger.load(0, 2);
  ledger.store(0, 3);
  CHECK(ledger.held() == 1);
}
