#pragma once

#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/parts/terminal_style.hpp"
#include "report/run/run_report.hpp"
#include "report/slo/slo_report.hpp"

#include <array>
#include <string>
#include <string_view>

namespace schedbench::report {

// A form of a result. Rendering is pure: the same result gives the same text, which ends in a newline.
struct Format {
  std::string_view name;       // as in --format
  std::string_view extension;  // of its files; "" for the default format
  std::string (*render)(const harness::RunResult& result, const TerminalStyle& style);
  std::string (*render_comparison)(const ComparisonResult& result, const TerminalStyle& style);
  std::string (*render_slo)(const harness::SloResult& result, const TerminalStyle& style);
  std::string (*render_doctor)(const DoctorResult& result, const TerminalStyle& style);
};

// The names of all formats, the default one first.
inline constexpr std::array<std::string_view, 2> kFormatNames{"table", "json"};

// Requires: one of kFormatNames.
const Format& FormatOfName(std::string_view name);

// Returns the format of a file by its extension, or the default.
const Format& FormatOfFile(std::string_view path);

}  // namespace schedbench::report
