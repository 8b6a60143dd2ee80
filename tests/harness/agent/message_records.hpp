#pragma once

#include "harness/agent/message.hpp"
#include "record/record.hpp"

// Records that only the lines of the protocol use.

namespace schedbench::harness {

record::Of<HelloRequest> RecordOf(const HelloRequest* /*type*/);
record::Of<OpenRequest> RecordOf(const OpenRequest* /*type*/);
record::Of<RoundRequest> RecordOf(const RoundRequest* /*type*/);
record::Of<LatenciesRequest> RecordOf(const LatenciesRequest* /*type*/);
record::Of<HelloReply> RecordOf(const HelloReply* /*type*/);
record::Of<OpenReply> RecordOf(const OpenReply* /*type*/);
record::Of<ErrorReply> RecordOf(const ErrorReply* /*type*/);
record::Of<ClockReply> RecordOf(const ClockReply* /*type*/);
record::Of<LatenciesReply> RecordOf(const LatenciesReply* /*type*/);

}  // namespace schedbench::harness
