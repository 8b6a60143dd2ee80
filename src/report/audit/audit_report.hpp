#pragma once

#include "harness/audit/audit.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

namespace schedbench::report {

using harness::AuditResult;

// Returns the shares of the workers' time, their meaning, and what follows from them. Pure.
Document DocumentOf(const AuditResult& result, const TerminalStyle& style);

// Returns the JSON record of the result. Pure.
record::Record RecordOf(const AuditResult* /*type*/);

}  // namespace schedbench::report
