// Assets: the scripts, style sheets and the editor that the pages load, embedded in the program.
//
// All of them are below one folder whose name is a hash of every file: /site/0a1b2c3d/lab.js. So a
// browser may keep each file forever, and a module finds the others by their plain names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace histolab::web {

struct Asset {
  std::string url;        // "/site/0a1b2c3d/lab.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string bytes;
};

// Every asset, ordered by url.
[[nodiscard]] const std::vector<Asset>& assets();

// Returns nullptr if there is no such asset.
[[nodiscard]] const Asset* find_asset(std::string_view url);

// The url of a file: asset_url("lab.js"). The file must exist.
[[nodiscard]] std::string asset_url(std::string_view name);

// Headers for an answer with an asset: its url changes with its bytes.
inline constexpr std::string_view asset_cache_control = "public, max-age=31536000, immutable";

}  // namespace histolab::web
