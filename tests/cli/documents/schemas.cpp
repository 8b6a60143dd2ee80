#include "registry/scheduler.hpp"
#include "tests/cli/process.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests {

namespace {

std::string SourceFile(const std::string& path) {
  const Finished read = Execute({"cat", SCHEDBENCH_SOURCE_DIR "/" + path});
  EXPECT_EQ(read.code, 0) << read.error;
  return read.out;
}

TEST(Schemas, OfAllSchedulersAreFresh) {
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    const std::string name(entry->name);
    EXPECT_EQ(SourceFile("configs/schema/" + name + ".json"),
              Schedbench({"describe", "scheduler", name, "--schema"}).out)
        << "to fix it: schedbench describe scheduler " << name << " --schema > configs/schema/"
        << name << ".json";
  }
}

}  // namespace

}  // namespace schedbench::tests
