#include "report/parts/terminal_style.hpp"

#include <fmt/core.h>

namespace schedbench::report {

namespace {

// Uses attributes that every terminal has and that are readable with every colour scheme.
std::string WithAttribute(bool colour, std::string_view attribute, std::string_view text) {
  return colour && !text.empty() ? fmt::format("\033[{}m{}\033[0m", attribute, text)
                                 : std::string(text);
}

}  // namespace

std::string TerminalStyle::Bold(std::string_view text) const {
  return WithAttribute(colour, "1", text);
}

std::string TerminalStyle::Dim(std::string_view text) const {
  return WithAttribute(colour, "2", text);
}

}  // namespace schedbench::report
