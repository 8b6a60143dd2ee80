#include "cli/output/file_conflicts.hpp"

#include "config/quote.hpp"
#include "platform/files/input_file.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace schedbench::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStdStream = "-";

fs::path ResolvedPath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path resolved = fs::weakly_canonical(absolute, error);
  return error ? fs::path(path) : resolved;
}

// Returns whether both names lead to one file, which need not exist yet.
bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::file_status status = fs::status(a, error);
  if (fs::exists(status)) {
    return fs::is_regular_file(status) && fs::equivalent(a, b, error);
  }
  return ResolvedPath(a) == ResolvedPath(b);
}

}  // namespace

std::string OverwrittenInput(const Arguments& arguments, const std::string& output) {
  const auto found = std::ranges::find_if(arguments.inputs, [&output](const std::string& input) {
    // An input that is not a file is the name of a shipped config, or of a scheduler.
    const std::string file = input == platform::kStdinName ? "/dev/stdin" : input;
    std::error_code error;
    return fs::exists(file, error) && IsSameFile(output, file);
  });
  return found == arguments.inputs.end() ? "" : *found;
}

void CheckOutputs(std::span<const Flag> flags, const Arguments& arguments,
                  config::Problems& problems) {
  std::vector<std::string> outputs;
  for (const Flag& flag : flags) {
    if (flag.file != FileUse::kWritten) {
      continue;
    }
    std::vector<std::string> paths = arguments.Values(flag);
    if (!flag.repeatable && paths.size() > 1) {
      paths.erase(paths.begin(), paths.end() - 1);  // the last one counts
    }
    for (const std::string& output : paths) {
      const auto is_same = [&output](const std::string& other) {
        return IsSameFile(output, other);
      };
      if (output == kStdStream) {
        continue;
      }
      if (output.empty()) {
        Reject(problems, flag, "the name of the file is empty");
        continue;
      }
      if (const std::string input = OverwrittenInput(arguments, output); !input.empty()) {
        Reject(problems, PlaceOf(flag, output),
               "would overwrite the input {}    choose another name", config::Quoted(input));
      } else if (std::ranges::any_of(outputs, is_same)) {
        Reject(problems, PlaceOf(flag, output),
               "would overwrite another output of this command    choose another name");
      }
      outputs.push_back(output);
    }
  }
}

}  // namespace schedbench::cli
