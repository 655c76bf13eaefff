#include "grader/web/site/assets.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "grader/files/sha256.h"
#include "site_files.h"

namespace histolab::web {
namespace {

std::string_view type_of(std::string_view name) {
  return name.ends_with(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
}

// A file of several parts has several rows.
std::map<std::string, std::string> whole_files() {
  std::map<std::string, std::string> files;
  for (const embedded::SiteFile& part : embedded::site_files)
    files[std::string{part.name}] += part.text;
  return files;
}

std::vector<Asset> make_assets() {
  const std::map<std::string, std::string> files = whole_files();
  std::string all;
  for (const auto& [name, bytes] : files) all += name + ' ' + grader::sha256(bytes) + '\n';
  const std::string folder = "/site/" + grader::sha256(all).substr(0, 8) + '/';
  std::vector<Asset> made;
  for (const auto& [name, bytes] : files) made.push_back({folder + name, type_of(name), bytes});
  return made;
}

}  // namespace

const std::vector<Asset>& assets() {
  static const std::vector<Asset> all = make_assets();
  return all;
}

const Asset* find_asset(std::string_view url) {
  const auto found = std::ranges::find(assets(), url, &Asset::url);
  return found == assets().end() ? nullptr : &*found;
}

std::string asset_url(std::string_view name) {
  const std::string& any = assets().front().url;
  std::string url = any.substr(0, any.find('/', std::string_view{"/site/"}.size()) + 1);
  url += name;
  assert(find_asset(url) != nullptr);
  return url;
}

}  // namespace histolab::web
