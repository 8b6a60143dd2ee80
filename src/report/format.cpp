#include "report/format.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

constexpr std::array kFormats{
    Format{.name = kFormatNames[0],
           .extension = "",
           .render = &RenderTable,
           .render_comparison = &RenderComparisonTable,
           .render_slo = &RenderSloTable,
           .render_doctor = &RenderDoctorTable},
    Format{.name = kFormatNames[1],
           .extension = ".json",
           .render = &RenderJson,
           .render_comparison = &RenderComparisonJson,
           .render_slo = &RenderSloJson,
           .render_doctor = &RenderDoctorJson},
};

}  // namespace

const Format& FormatOfName(std::string_view name) {
  return *std::ranges::find(kFormats, name, &Format::name);
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
