#include "cli/commands/history.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/output/output.hpp"
#include "cli/results/history_records.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "history/repository.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::cli {

ExitCode AddToHistory(const Arguments& arguments) {
  const std::vector<std::string> files(arguments.words.begin() + 1, arguments.words.end());
  if (files.empty()) {
    throw config::InputError(
        "history add needs a RESULT.json    schedbench run -o RESULT.json writes one");
  }
  // All files before the first write: a wrong one adds nothing of the others.
  std::vector<ResultOfRevision> results;
  for (const std::string& file : files) {
    results.push_back(ReadResult(file, arguments.Value(kRevisionFlag)));
  }
  if (const auto folder = arguments.Value(kRepositoryFlag)) {
    const history::Repository repository(*folder, [] {
      return false;
    });
    for (ResultOfRevision& result : results) {
      history::Revision& revision = result.record.revision;
      revision.name = repository.Commit(revision.name);
      revision.commit_time = repository.CommitTime(revision.name);
    }
  }
  history::Store store = OpenHistory(arguments, history::Database::Access::kWrite);
  for (const ResultOfRevision& result : results) {
    const bool is_new = store.Add(result.record) == history::Store::Added::kNew;
    Print(fmt::format("{}: {} of {}{}\n", config::Escaped(result.file, 4096),
                      report::Plural(result.record.points.size(), "value"),
                      config::Escaped(result.record.revision.name),
                      is_new ? "" : ": already there, nothing changed"));
  }
  return ExitCode::kDone;
}

}  // namespace schedbench::cli
