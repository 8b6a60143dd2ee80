#include "report/format.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

constexpr std::array kFormats{
    Format{Form::kTable, kFormatNames[0], ".txt"}, Format{Form::kJson, kFormatNames[1], ".json"},
    Format{Form::kCsv, kFormatNames[2], ".csv"},   Format{Form::kMarkdown, kFormatNames[3], ".md"},
    Format{Form::kPage, kFormatNames[4], ".html"}, Format{Form::kGbench, kFormatNames[5], ""},
};

}  // namespace

const Format& FormatOfName(std::string_view name) {
  return *std::ranges::find(kFormats, name, &Format::name);
}

const Format* FormatOfFile(std::string_view path) {
  const std::size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos || dot < name) {
    return kFormats.data();
  }
  const auto* const format = std::ranges::find_if(kFormats, [&](const Format& one) {
    return !one.extension.empty() && path.substr(dot) == one.extension;
  });
  return format == kFormats.end() ? nullptr : format;
}

std::span<const Format> Formats() {
  return kFormats;
}

}  // namespace schedbench::report
