#include "cli/flags/perturbations.hpp"

#include "platform/threads/thread.hpp"
#include "platform/threads/worker_stalls.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace schedbench::cli {

namespace {

constexpr double kLeastShare = 0.0001;
constexpr double kMostShare = 0.9;
// Shorter stalls are mostly the cost of the interruption.
constexpr std::uint64_t kLeastStallNs = 50'000;
constexpr std::uint64_t kMostStallNs = 10'000'000'000;
// A round takes 33 times as long with this number.
constexpr std::uint32_t kMostHogsPerCpu = 32;

std::optional<platform::Stalls> ParseStalls(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view time = text.substr(comma + 1);
  const auto share = ParseShare(text.substr(0, comma));
  const bool has_unit = time.find_first_not_of("0123456789.") != std::string_view::npos;
  const auto ns = ParseNanoseconds(has_unit ? std::string(time) : std::string(time) + "us");
  if (!share || !ns || !(*share >= kLeastShare && *share <= kMostShare) ||
      *ns < static_cast<double>(kLeastStallNs) || *ns > static_cast<double>(kMostStallNs)) {
    return std::nullopt;
  }
  return platform::Stalls{.share = *share, .stall_ns = static_cast<std::uint64_t>(*ns)};
}

}  // namespace

std::string StallComplaint(const ValueRule& /*rule*/, const std::string& text) {
  return ParseStalls(text)
             ? ""
             : "must be a share from 0.01% to 90%, and a time from 50us to 10s: 5%,500us";
}

std::string HogComplaint(const ValueRule& rule, const std::string& text) {
  const std::string complaint = FieldComplaint(rule, text);
  const std::uint32_t cpus = platform::AllowedCpus();
  const std::uint32_t most = kMostHogsPerCpu * cpus;
  return complaint.empty() && ValueOf<std::uint32_t>(text) > most
             ? fmt::format("is more than {} processes for each of {} {}    {} {}", kMostHogsPerCpu,
                           cpus, cpus == 1 ? "CPU" : "CPUs", kHogFlag.name, most)
             : complaint;
}

std::vector<std::string> PerturbationsOfWorkers(const Arguments& arguments) {
  std::vector<std::string> words;
  if (arguments[kPinFlag]) {
    words.emplace_back(kPinFlag.name);
  }
  if (const auto stalls = arguments[kStallFlag]) {
    words.emplace_back(kStallFlag.name);
    words.push_back(*stalls);
  }
  return words;
}

Perturbations::Perturbations(const Arguments& arguments) {
  const auto permitted = [](const std::string& flag, const auto& disturb) {
    try {
      disturb();
    } catch (const std::runtime_error& error) {
      RefuseInput("{}   {}", flag, error.what());
    }
  };
  std::vector<std::string> parts;
  if (const auto hogs = arguments[kHogFlag]) {
    permitted(PlaceOf(kHogFlag, arguments), [&] { hogs_.emplace(*hogs); });
    parts.push_back(fmt::format("{} {}", *hogs, *hogs == 1 ? "hog" : "hogs"));
  }
  if (const auto slack = arguments[kTimerSlackFlag]) {
    platform::SetTimerSlack(*slack);
    parts.push_back(fmt::format("timer slack {} ns", *slack));
  }
  if (arguments[kPinFlag]) {
    permitted(std::string(kPinFlag.name), &platform::PinWorkers);
    parts.emplace_back("pinned workers");
  }
  if (const auto text = arguments[kStallFlag]) {
    const auto stalls = ParseStalls(*text);
    permitted(PlaceOf(kStallFlag, arguments), [&] { platform::StallWorkers(*stalls); });
    parts.push_back(fmt::format("workers stopped {:.4g} % of the time for {:.4g} us each",
                                100 * stalls->share, static_cast<double>(stalls->stall_ns) / 1e3));
  }
  text_ = fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace schedbench::cli
