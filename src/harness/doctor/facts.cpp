#include "harness/doctor/facts.hpp"

#include "platform/machine/cpu_list.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/proc/text.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace schedbench::harness {

namespace {

using platform::Decimal;
using platform::ReadCpuLimit;
using platform::WholeNumber;
using platform::WordsOf;

using platform::MachineFiles;

constexpr std::string_view kCpus = "/sys/devices/system/cpu/";

std::optional<std::int64_t> NumberOf(const MachineFiles& files, std::string_view path) {
  return WholeNumber(files.Read(path));
}

std::vector<int> CpusIn(std::string_view list) {
  return platform::ParseCpuList(list).value_or(std::vector<int>());
}

void ReadCores(const MachineFiles& files, MachineFacts& facts) {
  for (const int cpu : facts.allowed) {
    const auto text = files.Read(std::string(kCpus) + "cpu" + std::to_string(cpu) +
                                 "/topology/thread_siblings_list");
    const std::vector<int> siblings = CpusIn(text.value_or(""));
    facts.topology_known = facts.topology_known || !siblings.empty();
    std::vector<int> shared;
    std::ranges::set_intersection(siblings, facts.allowed, std::back_inserter(shared));
    if (shared.size() > 1 && shared.front() == cpu) {
      facts.shared_cores.push_back(std::move(shared));
    }
  }
}

void ReadFrequency(const MachineFiles& files, MachineFacts& facts) {
  for (const int cpu : facts.allowed) {
    const auto governor = platform::GovernorOf(files, cpu);
    if (governor && std::ranges::find(facts.governors, *governor) == facts.governors.end()) {
      facts.governors.push_back(*governor);
    }
  }
  const std::string disabled = std::string(kCpus) + "intel_pstate/no_turbo";
  const std::string enabled = std::string(kCpus) + "cpufreq/boost";
  if (const auto off = NumberOf(files, disabled)) {
    facts.turbo = *off == 0;
    facts.turbo_switch = disabled;
  } else if (const auto on = NumberOf(files, enabled)) {
    facts.turbo = *on != 0;
    facts.turbo_switch = enabled;
  }
}

void ReadMemory(const MachineFiles& files, MachineFacts& facts) {
  const std::string memory = files.Read("/proc/meminfo").value_or("");
  const auto kib = [&memory](std::string_view key) {
    const auto words = WordsOf(platform::ValueOf(memory, key).value_or(""));
    return words.empty() ? std::nullopt : WholeNumber(words.front());
  };
  const auto total = kib("SwapTotal");
  const auto free = kib("SwapFree");
  if (total && free) {
    facts.swap_used_kib = *total - *free;
  }
  const std::string pressure = files.Read("/proc/pressure/memory").value_or("");
  constexpr std::string_view kLastSeconds = "avg10=";
  for (const std::string_view word : WordsOf(platform::ValueOf(pressure, "some").value_or(""))) {
    if (word.starts_with(kLastSeconds)) {
      if (const auto percent = Decimal(word.substr(kLastSeconds.size()))) {
        facts.memory_pressure = *percent / 100;
      }
    }
  }
}

// Returns the chosen word: "always [madvise] never" -> "madvise".
std::string Chosen(std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']');
  return open < close && close != std::string_view::npos
             ? std::string(text.substr(open + 1, close - open - 1))
             : "";
}

std::string Product(const MachineFiles& files) {
  std::string product;
  for (const char* const file : {"sys_vendor", "product_name"}) {
    if (const auto text = files.Read(std::string("/sys/class/dmi/id/") + file)) {
      product += (product.empty() ? "" : " ") + *text;
    }
  }
  return product;
}

// Looks for the names of the CPU's own counters: x86, its two kinds of cores, and ARM.
bool HasCounters(const MachineFiles& files) {
  return std::ranges::any_of(
      files.Names("/sys/bus/event_source/devices"), [](const std::string& name) {
        return name == "cpu" || name == "cpu_core" || name.starts_with("armv");
      });
}

void ReadLoad(const MachineFiles& files, Activity& activity) {
  const std::string text = files.Read("/proc/loadavg").value_or("");  // "0.20 0.18 0.12 1/80 11206"
  const auto words = WordsOf(text);
  if (words.size() < 4) {
    return;
  }
  activity.load_average = Decimal(words[0]);
  activity.running_now = WholeNumber(words[3].substr(0, words[3].find('/')));
}

}  // namespace

MachineFacts ReadFacts(const MachineFiles& files, const ActivityReading& before) {
  MachineFacts facts;
  facts.activity = Between(before, ReadActivity(files));  // first, because all the rest takes time
  ReadLoad(files, facts.activity);
  facts.hypervisor = platform::HasHypervisor(files);
  facts.product = Product(files);
  facts.present = CpusIn(files.Read(std::string(kCpus) + "present").value_or(""));
  const std::string status = files.Read("/proc/self/status").value_or("");
  facts.allowed = CpusIn(platform::ValueOf(status, "Cpus_allowed_list").value_or(""));
  ReadCores(files, facts);
  ReadFrequency(files, facts);
  facts.cpu_limit = ReadCpuLimit(files);
  ReadMemory(files, facts);
  facts.perf_event_paranoid = NumberOf(files, "/proc/sys/kernel/perf_event_paranoid");
  facts.hardware_counters = HasCounters(files);
  facts.huge_pages = Chosen(files.Read("/sys/kernel/mm/transparent_hugepage/enabled").value_or(""));
  const std::string clocks = "/sys/devices/system/clocksource/clocksource0/";
  facts.clock_source = files.Read(clocks + "current_clocksource").value_or("");
  const std::string sources = files.Read(clocks + "available_clocksource").value_or("");
  for (const std::string_view source : WordsOf(sources)) {
    facts.clock_sources.emplace_back(source);
  }
  facts.timer_slack_ns = NumberOf(files, "/proc/self/timerslack_ns");
  facts.address_randomisation = NumberOf(files, "/proc/sys/kernel/randomize_va_space");
  return facts;
}

}  // namespace schedbench::harness
