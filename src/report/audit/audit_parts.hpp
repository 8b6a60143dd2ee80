#pragma once

#include "report/audit/audit_report.hpp"
#include "report/parts/notes.hpp"

#include <string_view>
#include <vector>

// What several formats of an audit have in common. Pure; thread-safe.

namespace schedbench::report {

// Why an audit that is not complete has only a part of the schedulers.
inline constexpr std::string_view kAuditEndedEarly = "the measurement ended early";

// What limits the meaning of the shares.
std::vector<Note> NotesOn(const AuditResult& result);

}  // namespace schedbench::report
