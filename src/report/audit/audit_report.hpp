#pragma once

#include "harness/audit/audit.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

namespace schedbench::report {

using harness::AuditResult;

// The shares of the workers' time, what they mean, and what follows from them. Pure.
Document DocumentOf(const AuditResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
const record::Record& RecordOf(const AuditResult* /*type*/);

}  // namespace schedbench::report
