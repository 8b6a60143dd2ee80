#include "harness/agent/client.hpp"

#include "base/last_line.hpp"
#include "config/quote.hpp"
#include "platform/proc/cgroup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <utility>

namespace schedbench::harness {

namespace {

// When an agent ends, a write to it fails or a read from it ends, whichever comes first.
constexpr const char* kEnded = "the agent ended before it answered";

platform::ChildProcess Started(const std::vector<std::string>& command,
                               const std::function<bool()>& cancelled,
                               std::chrono::nanoseconds patience, platform::Reach reach) try {
  return platform::ChildProcess(command, {.reach = reach, .patience = patience});
} catch (const std::system_error& error) {
  if (cancelled()) {
    throw AgentCancelled("cancelled");
  }
  const std::string text = fmt::format("cannot start the agent: {}", error.what());
  if (error.code() == std::errc::too_many_files_open) {
    throw AgentLimit(text + "    ulimit -n 1024");
  }
  if (error.code() == std::errc::too_many_files_open_in_system ||
      error.code() == std::errc::resource_unavailable_try_again ||
      error.code() == std::errc::not_enough_memory) {
    throw AgentLimit(text);
  }
  throw AgentNotStarted(text, false);
}

// Returns the last line that the agent wrote. The report of its guard may follow that line.
std::string LastLineOfAgent(std::string_view text) {
  std::string_view line = LastLine(text);
  while (line.starts_with(kGuardReport)) {
    text = text.substr(0, static_cast<std::size_t>(line.data() - text.data()));
    line = LastLine(text);
  }
  return std::string(line);
}

// Returns how the agent ended by the report of its guard; none without a report.
std::optional<platform::ProcessEnd> ReportedEnd(const std::string& text) {
  const std::size_t at = text.rfind(kGuardReport);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  int number = 0;
  const char* const words = text.c_str() + at + kGuardReport.size();
  if (std::sscanf(words, "exit code %d", &number) == 1) {
    return platform::ProcessEnd{.code = number, .signal = 0};
  }
  if (std::sscanf(words, "signal %d", &number) == 1) {
    return platform::ProcessEnd{.code = 0, .signal = number};
  }
  return std::nullopt;
}

}  // namespace

AgentClient::AgentClient(const std::vector<std::string>& command, std::function<bool()> cancelled,
                         std::chrono::nanoseconds patience, platform::Reach reach)
    : process_(Started(command, cancelled, patience, reach)),
      cancelled_(std::move(cancelled)),
      patience_(patience),
      memory_kills_(platform::ReadMemoryKills(platform::MachineFiles())) {
}

platform::ProcessEnd AgentClient::Finish(std::chrono::nanoseconds patience) {
  const platform::ProcessEnd end = process_.Finish(patience);
  const auto reported = ReportedEnd(process_.ErrorText());
  is_reported_ = reported.has_value();
  return reported.value_or(end);
}

void AgentClient::End(std::chrono::nanoseconds patience) {
  const platform::ProcessEnd end = Finish(patience);
  if (end.code != 0 || end.signal != 0) {
    throw AgentLost(fmt::format("the agent ended with {}", end.Text()), is_reported_);
  }
}

platform::ChildProcess::Read AgentClient::ReadLine(std::string& line,
                                                   std::chrono::nanoseconds limit) {
  // Time until a Ctrl-C is answered. A check costs the agents nothing that could be measured.
  constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(50);
  if (awaited_) {
    line = std::move(awaited_->text);
    return std::exchange(awaited_, std::nullopt)->read;
  }
  while (true) {
    // This check also runs where all replies come at once.
    if (cancelled_()) {
      throw AgentCancelled("cancelled");
    }
    const auto slice = std::min(kLook, limit);
    const auto read = process_.ReadLine(line, slice);
    limit -= slice;
    if (read != platform::ChildProcess::Read::kTimeout ||
        limit <= std::chrono::nanoseconds::zero()) {
      return read;
    }
  }
}

AgentReply AgentClient::Exchange(const std::string& line, std::chrono::nanoseconds limit) {
  if (process_.WriteLine(line)) {
    return Next(limit);
  }
  // Before the agent stopped reading it may have reported why: read that reply.
  AgentReply last = Next(std::min(limit, patience_));
  if (!std::holds_alternative<ErrorReply>(last)) {
    Lose(kEnded);
  }
  return last;
}

void AgentClient::Send(const AgentRequest& request) {
  process_.WriteLine(ToLine(request));
}

bool AgentClient::AwaitReply(std::chrono::nanoseconds limit) {
  if (!awaited_) {
    Line line{};
    line.read = process_.ReadLine(line.text, limit);
    if (line.read == platform::ChildProcess::Read::kTimeout) {
      return false;
    }
    awaited_ = std::move(line);
  }
  return true;
}

AgentReply AgentClient::Next(std::chrono::nanoseconds limit) {
  using Read = platform::ChildProcess::Read;
  std::string answer;
  switch (ReadLine(answer, limit)) {
    case Read::kLine:
      break;
    case Read::kEnd:
      Lose(kEnded);
    case Read::kTimeout:
      Lose(fmt::format("the agent did not answer within {:.1f} s",
                       std::chrono::duration<double>(limit).count()));
    case Read::kTooLong:
      Lose("the agent's answer is too long");
  }
  try {
    return ParseReply(answer);
  } catch (const ProtocolError& error) {
    Lose(fmt::format("the agent's answer is invalid: {}", error.what()));
  }
}

void AgentClient::Misunderstood(const AgentReply& reply) {
  if (const auto* const error = std::get_if<ErrorReply>(&reply)) {
    throw AgentRefused(*error);
  }
  Lose(fmt::format("the agent answered another request: its reply is \"{}\"", KindOf(reply)));
}

void AgentClient::Lose(const std::string& why) {
  constexpr int kKill = 9;  // SIGKILL, by which the kernel reclaims memory
  const platform::ProcessEnd end = Finish(patience_);
  if (cancelled_()) {
    throw AgentCancelled("cancelled");
  }
  const std::string words = LastLineOfAgent(process_.ErrorText());
  throw AgentLost(
      fmt::format(
          "{} ({}{}){}", why, end.Text(),
          end.signal == kKill && platform::ReadMemoryKills(platform::MachineFiles()) > memory_kills_
              ? ": the kernel has ended a process of its cgroup for lack of memory"
              : "",
          words.empty() ? "" : "; last line of its stderr: " + config::Escaped(words, 300)),
      is_reported_);
}

}  // namespace schedbench::harness
