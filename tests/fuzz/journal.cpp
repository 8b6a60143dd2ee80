// Lines of a journal after its head, or with 'h' instead of its head. Each line gets its right
// checksum: almost no input would have it. A journal is refused with a message and stays as it is,
// or its blocks are the same when they are written and read again.

#include "cli/results/journal.hpp"

#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/schema_of.hpp"
#include "platform/files/file_checksum.hpp"
#include "registry/workload.hpp"
#include "tests/fuzz/oracle.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

using namespace schedbench;

namespace {

constexpr std::size_t kCells = 2;

struct NoParameters {
  config::Field<"n", std::uint32_t{1}, config::Range{1U, 2U}, "A number"> n;
};

const registry::WorkloadEntry kWork{.name = "work",
                                    .doc = "",
                                    .operation = "thing",
                                    .schema = &config::SchemaOf<NoParameters>,
                                    .make = nullptr};

cli::JournaledPlan Plan() {
  cli::JournaledPlan plan;
  plan.experiment.seed = 1;
  plan.keys = {{.name = "x", .values = {"1", "2"}}};
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    plan.experiment.groups.push_back(
        {.workload = {.entry = &kWork},
         .alternatives = {{.name = "a", .command = {}, .scheduler = "a"}},
         .cells = {cell}});
  }
  return plan;
}

// In memory; removed at the end.
struct Files {
  std::filesystem::path folder = "/dev/shm/fuzz_journal_" + std::to_string(::getpid());

  Files() {
    std::filesystem::create_directory(folder);
  }
  ~Files() {
    std::filesystem::remove_all(folder);
  }

  std::string Path(const char* name) const {
    return (folder / name).string();
  }
  std::string Read(const char* name) const {
    std::ifstream file(Path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const char* name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::trunc) << text;
  }
};

const platform::MachineInfo& Machine() {
  static const platform::MachineInfo machine = platform::ThisMachine();
  return machine;
}

cli::Journal Opened(const Files& files, const char* name) {
  cli::JournaledPlan plan = Plan();
  return {files.Path(name), plan, Machine(), true};
}

std::string Head(const Files& files) {
  Opened(files, "head");
  return files.Read("head");
}

std::string WithChecksums(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string line(lines.substr(0, end));
    text += platform::ChecksumOf(line) + " " + line + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

void CheckWrittenAgain(const cli::Journal& journal, const Files& files) {
  std::filesystem::remove(files.Path("again"));
  std::filesystem::remove(files.Path("third"));
  const auto copy = [&files](const cli::Journal& from, const char* name) {
    cli::Journal to = Opened(files, name);
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      if (const auto series = from.Known(cell, 0)) {
        to.Add(cell, 0, *series);
      }
    }
  };
  copy(journal, "again");
  copy(Opened(files, "again"), "third");
  fuzz::Check(files.Read("again") == files.Read("third"), "a block is read as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const Files files;
  static const std::string head = Head(files);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const bool has_head = input.starts_with('h');
  const std::string text = has_head ? WithChecksums(input.substr(1)) : head + WithChecksums(input);
  files.Write("j", text);
  try {
    CheckWrittenAgain(Opened(files, "j"), files);
  } catch (const config::InputError& error) {
    fuzz::Check(*error.what() != '\0', "a refusal has a message");
    fuzz::Check(files.Read("j") == text, "a file that is refused is not changed");
  } catch (const cli::NotComparable& error) {
    fuzz::Check(files.Read("j") == text, "a file that is refused is not changed");
  }
  return 0;
}
