#include "tests/sim/machine/decision.hpp"

#include <cctype>
#include <stdexcept>

namespace schedbench::sim {

std::string ToText(const Schedule& schedule) {
  std::string text;
  for (const Decision& decision : schedule) {
    text += (text.empty() ? "" : " ") + std::to_string(decision.thread) + "@" +
            std::to_string(decision.operation) + static_cast<char>(decision.kind) +
            std::to_string(decision.choice);
  }
  return text;
}

namespace {

std::uint32_t TakeNumber(std::string_view whole, std::size_t& at) {
  const std::size_t begin = at;
  std::uint64_t number = 0;
  while (at < whole.size() && std::isdigit(static_cast<unsigned char>(whole[at])) != 0 &&
         number <= UINT32_MAX) {
    number = number * 10 + static_cast<std::uint64_t>(whole[at++] - '0');
  }
  if (at == begin || number > UINT32_MAX) {
    throw std::invalid_argument("schedule: a number is expected at character " +
                                std::to_string(begin + 1) + " of '" + std::string(whole) + "'");
  }
  return static_cast<std::uint32_t>(number);
}

char TakeOneOf(std::string_view expected, std::string_view whole, std::size_t& at) {
  if (at == whole.size() || expected.find(whole[at]) == std::string_view::npos) {
    throw std::invalid_argument("schedule: one of '" + std::string(expected) +
                                "' is expected at character " + std::to_string(at + 1) + " of '" +
                                std::string(whole) + "'");
  }
  return whole[at++];
}

}  // namespace

Schedule ParseSchedule(std::string_view text) {
  Schedule schedule;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    Decision decision{};
    decision.thread = TakeNumber(text, at);
    TakeOneOf("@", text, at);
    decision.operation = TakeNumber(text, at);
    decision.kind = static_cast<Decision::Kind>(TakeOneOf(">/=!", text, at));
    decision.choice = TakeNumber(text, at);
    schedule.push_back(decision);
  }
  return schedule;
}

}  // namespace schedbench::sim
