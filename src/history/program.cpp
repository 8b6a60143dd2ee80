#include "history/program.hpp"

#include "platform/process/child_process.hpp"
#include "platform/time/clock.hpp"

#include <chrono>
#include <cstdint>

namespace schedbench::history {

ProgramEnd RunProgram(const std::vector<std::string>& command, const IsCancelled& cancelled) {
  using platform::ChildProcess;
  constexpr std::chrono::milliseconds kLook{50};
  constexpr std::chrono::seconds kPatience{10};
  ChildProcess process(command);
  ProgramEnd end;
  for (;;) {
    std::string line;
    const ChildProcess::Read read = process.ReadLine(line, kLook);
    if (read == ChildProcess::Read::kLine) {
      end.lines.push_back(std::move(line));
    } else if (read != ChildProcess::Read::kTimeout) {
      break;
    }
    if (cancelled()) {
      throw Cancelled("interrupted");
    }
  }
  // A build writes to a file, so its output ends long before it does.
  while (!process.HasEnded()) {
    if (cancelled()) {
      throw Cancelled("interrupted");
    }
    platform::SleepForNs(static_cast<std::uint64_t>(std::chrono::nanoseconds(kLook).count()));
  }
  const platform::ProcessEnd how = process.Finish(kPatience);
  end.good = how.code == 0 && how.signal == 0;
  end.text = how.Text();
  end.error = process.ErrorText();
  return end;
}

}  // namespace schedbench::history
