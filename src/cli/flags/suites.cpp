#include "cli/flags/suites.hpp"

#include <array>

namespace schedbench::cli {

namespace {

// Small, because some schedulers start a thread for each fiber.
constexpr std::array<std::string_view, 4> kSchedulers{
    "pingpong:pairs=8,rounds=200", "yield:fibers=16,yields=1000", "spawn_join:tasks=2000",
    "mutex:sections=200"};

constexpr std::array<std::string_view, 9> kPeerWorkloads{"pingpong:rounds=2000",
                                                         "yield:yields=200",
                                                         "spawn_join:tasks=100000",
                                                         "chained_spawn:chains=200",
                                                         "skynet:leaves=30000",
                                                         "fib",
                                                         "mutex",
                                                         "channel_mpmc",
                                                         "million:fibers=20000"};

constexpr std::array kSuites{
    Suite{"peers", "workloads that every foreign runtime supports", kPeerWorkloads},
    Suite{"schedulers", "small workloads for all schedulers", kSchedulers}};

}  // namespace

std::span<const Suite> Suites() {
  return kSuites;
}

}  // namespace schedbench::cli
