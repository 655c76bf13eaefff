// HelpFormatter: the layout of --help. It follows CLI11 but wraps at 80 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace histolab::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(30); }
  [[nodiscard]] std::string make_option(const CLI::Option* option,
                                        bool is_positional) const override;
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override;
  [[nodiscard]] std::string make_description(const CLI::App* app) const override;
  [[nodiscard]] std::string make_footer(const CLI::App* app) const override;
};

}  // namespace histolab::cli
