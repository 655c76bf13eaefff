#include "grader/web/site/assets.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>

namespace histolab::web {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The folder of a url, with its slash.
std::string folder_of(const std::string& url) { return url.substr(0, url.rfind('/') + 1); }

TEST_CASE("an asset has the bytes of its files") {
  std::map<std::string, std::string> wanted;
  std::ifstream list(HISTOLAB_SITE_FILES);
  for (std::string name, path; std::getline(list, name) && std::getline(list, path);)
    wanted[name] += read(path);
  CHECK(wanted.size() > 15);
  CHECK(assets().size() == wanted.size());
  for (const auto& [name, bytes] : wanted) {
    CAPTURE(name);
    const Asset* asset = find_asset(asset_url(name));
    REQUIRE(asset != nullptr);
    CHECK((asset->bytes == bytes));  // not printed: a file is long
  }
}

TEST_CASE("urls have one folder, named by a hash") {
  const std::string url = asset_url("lab.js");
  CHECK(std::regex_match(url, std::regex("/site/[0-9a-f]{8}/lab\\.js")));
  for (const Asset& asset : assets()) CHECK(asset.url.starts_with(folder_of(url)));
  CHECK(find_asset("/site/lab.js") == nullptr);
  CHECK(find_asset(folder_of(url)) == nullptr);
}

TEST_CASE("browsers get the type that they insist on for modules and style sheets") {
  CHECK(find_asset(asset_url("lab.js"))->type == "text/javascript; charset=utf-8");
  CHECK(find_asset(asset_url("style.css"))->type == "text/css; charset=utf-8");
}

TEST_CASE("what a module imports is an asset") {
  const std::regex import("(?:from |import ?\\()['\"](\\./[^'\"$]+)['\"]");
  std::size_t found = 0;
  for (const Asset& asset : assets()) {
    if (!asset.url.ends_with(".js")) continue;
    // Only the editor's C++ mode is embedded.
    const std::string own = asset.url.substr(folder_of(asset_url("lab.js")).size());
    if (own.find('/') != std::string::npos) continue;
    for (std::sregex_iterator at(asset.bytes.begin(), asset.bytes.end(), import), end; at != end;
         ++at, ++found) {
      CAPTURE(asset.url);
      CAPTURE((*at)[1].str());
      CHECK(find_asset(folder_of(asset.url) + (*at)[1].str().substr(2)) != nullptr);
    }
  }
  CHECK(found > 20);
}

}  // namespace
}  // namespace histolab::web
