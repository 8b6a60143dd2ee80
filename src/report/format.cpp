#include "report/format.hpp"

#include <algorithm>
#include <array>

namespace schedbench::report {

namespace {

constexpr std::array kFormats{
    Format{.name = "table", .extension = "", .render = &RenderTable},
    Format{.name = "json", .extension = ".json", .render = &RenderJson},
};

}  // namespace

std::span<const Format> Formats() {
  return kFormats;
}

const Format* FindFormat(std::string_view name) {
  const auto* found = std::ranges::find(kFormats, name, &Format::name);
  return found == kFormats.end() ? nullptr : found;
}

const Format& FormatOfFile(std::string_view path) {
  for (const Format& format : kFormats) {
    if (!format.extension.empty() && path.ends_with(format.extension)) {
      return format;
    }
  }
  return kFormats.front();
}

}  // namespace schedbench::report
