// schedulers/LIFE_OF_A_TASK.md names functions and files. Each function must be in its file, as a
// member of its class.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace schedbench::tests {

namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LifeOfATask, NamesFunctionsThatAreInTheFilesThatItNames) {
  const std::string folder = SCHEDBENCH_SOURCE_DIR "/schedulers/";
  const std::string text = ReadFile(folder + "LIFE_OF_A_TASK.md");
  const std::regex row(R"(\| `(?:(\w+)::)?(\w+)` \| \[[^\]]*\]\(([^)]+)\) \|)");
  int rows = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at, ++rows) {
    const std::string class_name = (*at)[1];
    const std::string function = (*at)[2];
    const std::string file = (*at)[3];
    const std::string source = ReadFile(folder + file);
    ASSERT_FALSE(source.empty()) << file;
    EXPECT_TRUE(std::regex_search(source, std::regex("\\b" + function + "\\(")))
        << file << " has no " << function;
    // Defined outside of the class, or in a file that defines the class.
    const std::regex member(class_name + "(<\\w+>)?::" + function + "\\(");
    const std::regex defined("(class|struct) (alignas\\(\\w+\\) )?" + class_name +
                             "\\b[^;()]*\\{|using " + class_name + " =");
    EXPECT_TRUE(class_name.empty() || std::regex_search(source, member) ||
                std::regex_search(source, defined))
        << file << " has no " << class_name << "::" << function;
  }
  EXPECT_GE(rows, 25) << "the table is gone, or has another form";
}

}  // namespace

}  // namespace schedbench::tests
