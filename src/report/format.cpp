#include "report/format.hpp"

#include <algorithm>
#include <array>

namespace schedbench::report {

namespace {

constexpr std::array kFormats{
    Format{.name = "table",
           .extension = "",
           .render = &RenderTable,
           .render_comparison = &RenderComparisonTable,
           .render_slo = &RenderSloTable,
           .render_doctor = &RenderDoctorTable},
    Format{.name = "json",
           .extension = ".json",
           .render = &RenderJson,
           .render_comparison = &RenderComparisonJson,
           .render_slo = &RenderSloJson,
           .render_doctor = &RenderDoctorJson},
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
