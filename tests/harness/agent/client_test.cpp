#include "harness/agent/client.hpp"

#include "platform/files/file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace schedbench::harness::client_test {

namespace {

constexpr std::chrono::seconds kLimit{20};

constexpr const char* kHello =
    R"({"reply":"hello","protocol":1,"runtime":"r","version":"1","tasks":"t","schedulers":["s"],"workloads":["w"]})";

// An agent that closes its stdin before it answers the first request, so that the second one cannot
// be written.
AgentClient WithoutInput(const std::string& then) {
  platform::IgnoreWriteSignals();
  return AgentClient(
      {"sh", "-c", "read -r line; exec 0<&-; echo '" + std::string(kHello) + "'; " + then});
}

TEST(AgentClient, ReportsTheErrorThatAnAgentSentBeforeItStoppedReading) {
  AgentClient client = WithoutInput(
      R"(echo '{"reply":"error","kind":"limit","message":"no memory is left","details":[]}')");
  client.Ask<HelloReply>(HelloRequest{}, kLimit);
  try {
    client.Ask<OpenReply>(OpenRequest{.scheduler = "s", .workload = "w"}, kLimit);
    FAIL() << "the agent cannot have answered";
  } catch (const AgentRefused& refused) {
    EXPECT_EQ(refused.Reply().kind, ErrorReply::Kind::kLimit);
    EXPECT_STREQ(refused.what(), "no memory is left");
  }
}

TEST(AgentClient, TakesNoOtherReplyForTheAnswerToARequestThatCouldNotBeSent) {
  AgentClient client = WithoutInput("echo '" + std::string(kHello) + "'");
  client.Ask<HelloReply>(HelloRequest{}, kLimit);
  EXPECT_THROW(client.Ask<HelloReply>(HelloRequest{}, kLimit), AgentLost);
}

}  // namespace

}  // namespace schedbench::harness::client_test
