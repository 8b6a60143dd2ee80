#pragma once

#include "harness/agent/message.hpp"
#include "record/record.hpp"

// Records that only the lines of the protocol use.

namespace schedbench::harness {

const record::Record& RecordOf(const HelloRequest* /*type*/);
const record::Record& RecordOf(const OpenRequest* /*type*/);
const record::Record& RecordOf(const RoundRequest* /*type*/);
const record::Record& RecordOf(const LatenciesRequest* /*type*/);
const record::Record& RecordOf(const HelloReply* /*type*/);
const record::Record& RecordOf(const OpenReply* /*type*/);
const record::Record& RecordOf(const ErrorReply* /*type*/);
const record::Record& RecordOf(const ClockReply* /*type*/);
const record::Record& RecordOf(const LatenciesReply* /*type*/);

}  // namespace schedbench::harness
