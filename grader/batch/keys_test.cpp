#include "grader/batch/keys.h"

#include <doctest/doctest.h>

using namespace histolab::batch;

TEST_CASE("keys are safe in a file name, differ, and do not depend on the order") {
  const std::vector<std::string> names = {"ada",
                                          "Ada",
                                          "../../etc/passwd",
                                          "a\nb",
                                          std::string(255, 'x'),
                                          std::string(254, 'x'),
                                          "\xff\xfe",
                                          ".hidden",
                                          "-rf",
                                          "",
                                          "bob"};
  const auto keys = keys_of(names);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    CAPTURE(keys[i]);
    CHECK(keys[i].find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~") ==
          std::string::npos);
    CHECK(keys[i].size() <= 73);
    CHECK(keys[i].front() != '.');
    CHECK(keys[i].front() != '-');
    CHECK(is_key(keys[i]));
    for (std::size_t k = 0; k < i; ++k) CHECK(keys[i] != keys[k]);
  }
  CHECK(keys.back() == "bob");
  CHECK(keys[0] != "ada");  // differs from another name only in case
  std::vector<std::string> reversed(names.rbegin(), names.rend());
  const auto other = keys_of(reversed);
  CHECK(std::vector<std::string>(other.rbegin(), other.rend()) == keys);
  for (const std::string& none :
       {std::string{}, std::string{".."}, std::string{"-rf"}, std::string{"a/b"},
        std::string{"../a"}, std::string{"a\n"}, std::string(74, 'x')})
    CHECK_FALSE(is_key(none));
}

TEST_CASE("a name with only allowed characters is its own key; other keys end in a hash") {
  for (int code = 1; code < 256; ++code) {
    const char c = static_cast<char>(code);
    CAPTURE(code);
    const bool is_plain =
        std::string_view{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"}.find(
            c) != std::string_view::npos;
    const std::string name = std::string("a") + c;
    CHECK(is_key(name) == (is_plain || c == '~'));
    const std::string key = keys_of({name}).front();
    if (is_plain)
      CHECK(key == name);
    else
      CHECK((key.starts_with("a_~") && key.size() == 11));
  }
  CHECK(keys_of({".hidden", ""}) == std::vector<std::string>{"_.hidden~16924190", "_~e3b0c442"});
  CHECK(keys_of({"ada", "bob", "Ada"}) ==
        std::vector<std::string>{"ada~fdee430d", "bob", "Ada~99a563ab"});
  const std::string longest(64, 'x');
  CHECK(keys_of({longest}).front() == longest);
  CHECK(keys_of({longest + "x"}).front().starts_with(longest + "~"));
  CHECK(keys_of({"." + longest}).front().starts_with("_." + longest.substr(2) + "~"));
}

TEST_CASE("keys have longer hashes if two names have the same first eight digits") {
  const std::string begin = "Ada" + std::string(67, 'x');
  const std::vector<std::string> keys = {
      "Ada" + std::string(37, 'x') + "~bfc4fffb61e01b3d0384226c2ef2ef3d",
      "Ada" + std::string(37, 'x') + "~bfc4fffb4ae43b6b56f81ed6675b68e1"};
  CHECK(keys_of({begin + "48618", "bob", begin + "88413"}) ==
        std::vector<std::string>{keys[0], "bob", keys[1]});
  CHECK(keys_of({begin + "88413", begin + "48618"}) == std::vector<std::string>{keys[1], keys[0]});
  CHECK(keys_of({begin + "88413"}).front() == "Ada" + std::string(61, 'x') + "~bfc4fffb");
  for (const std::string& key : keys) {
    CHECK(key.size() == 73);
    CHECK(is_key(key));
  }
}

TEST_CASE("invalid UTF-8 becomes replacement characters, and other text stays") {
  CHECK(as_utf8("a\xff") == "a\xEF\xBF\xBD");
  CHECK(as_utf8("J\u00f6rg\n") == "J\u00f6rg\n");
  CHECK(as_utf8("").empty());
}

TEST_CASE("a name has one composed form, and bytes that are not UTF-8 stay as they are") {
  for (const char* name : {"Zoe\u0308", "Zo\u00eb"}) CHECK(composed(name) == "Zo\u00eb");
  for (const char* name : {"Th\u1ec7", "The\u0302\u0323", "The\u0323\u0302"})
    CHECK(composed(name) == "Th\u1ec7");
  CHECK(composed("\u1112\u1161\u11ab") == "\ud55c");  // Hangul
  for (const std::string& name :
       {std::string{}, std::string{"ada"}, std::string{"a\0b", 3}, std::string{"Zoe\xcc"},
        std::string{"\xff\xfe"}, std::string{"\xed\xa0\x80"}})
    CHECK(composed(name) == name);
}
