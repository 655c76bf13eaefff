// Tests of UpdateLedger with cases worked out by hand.
#include "reference/update_ledger.h"

#include <doctest/doctest.h>

using namespace histolab::reference;

TEST_CASE("a store over another thread's update loses it; the load tells why") {
  UpdateLedger ledger;
  ledger.load(0, 0), ledger.load(1, 1), ledger.store(0, 2), ledger.store(1, 3);
  CHECK(ledger.held() == 1);
  REQUIRE(ledger.lost().size() == 1);
  const LostUpdate lost = ledger.lost()[0];
  CHECK(lost.thread == 0);
  CHECK(lost.stored_at == 2);
  CHECK(lost.lost_at == 3);
  CHECK(lost.lost_loaded_at == 1);
}

TEST_CASE("what another register still holds comes back") {
  UpdateLedger ledger;
  // T2 loads T0's update.
  ledger.load(0, 0), ledger.load(1, 1), ledger.store(0, 2), ledger.load(2, 3);
  ledger.store(1, 4);
  CHECK(ledger.lost().size() == 1);
  ledger.store(2, 5);
  CHECK(ledger.held() == 2);
  REQUIRE(ledger.lost().size() == 1);
  CHECK(ledger.lost()[0].thread == 1);
}

TEST_CASE("atomic updates stay, unless somebody stores over them") {
  UpdateLedger ledger;
  ledger.add(0, 0), ledger.add(1, 1);
  CHECK(ledger.held() == 2);
  CHECK(ledger.lost().empty());
  ledger.store(2, 2);
  CHECK(ledger.held() == 0);
  REQUIRE(ledger.lost().size() == 2);
  CHECK(ledger.lost()[1].thread == 1);
  CHECK_FALSE(ledger.lost()[1].lost_loaded_at.has_value());
}

TEST_CASE("who sets a counter makes no update, and loses none where there is none") {
  UpdateLedger ledger;
  ledger.store(0, 0), ledger.store(1, 1);
  CHECK(ledger.held() == 0);
  CHECK(ledger.lost().empty());
  ledger.load(0, 2), ledger.store(0, 3);
  CHECK(ledger.held() == 1);
}
