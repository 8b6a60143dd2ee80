#include "trace/labels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace schedbench::trace::labels_test {

namespace {

TEST(Labels, GiveEqualTextsOneLabel) {
  Labels labels;
  const Label client = labels.Of("client");
  const Label server = labels.Of("server");
  EXPECT_NE(client, kNoLabel);
  EXPECT_NE(client, server);
  EXPECT_EQ(labels.Of("client"), client);
  const std::vector<std::string> texts = labels.Texts();
  EXPECT_EQ(texts.at(client), "client");
  EXPECT_EQ(texts.at(server), "server");
}

TEST(Labels, GiveNoneToNoText) {
  Labels labels;
  EXPECT_EQ(labels.Of(""), kNoLabel);
  EXPECT_EQ(labels.Texts(), std::vector<std::string>{""});
}

TEST(Labels, LeaveOutWhatHasNoNumberAnyMoreAndKeepTheOthers) {
  Labels labels;
  for (int i = 0; i < kLastLabel; ++i) {
    EXPECT_EQ(labels.Of("fiber " + std::to_string(i)), i + 1);
  }
  EXPECT_EQ(labels.Of("one more"), kNoLabel);
  EXPECT_EQ(labels.Of("fiber 0"), 1);
  EXPECT_EQ(labels.Texts().size(), std::size_t{kLastLabel} + 1);
}

}  // namespace

}  // namespace schedbench::trace::labels_test
