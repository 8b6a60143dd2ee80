#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace schedbench::history::tests {

// The path of a file for one test, in a folder of its own that is removed at its end. There is no
// file at first.
class ScratchFile {
 public:
  ScratchFile() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ScratchFile() {
    std::filesystem::remove_all(folder_);
  }

  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string Path() const {
    return folder_ + "/history.db";
  }

 private:
  const std::string folder_ = testing::TempDir() + "schedbench_history_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
                              std::to_string(testing::UnitTest::GetInstance()->random_seed());
};

}  // namespace schedbench::history::tests
