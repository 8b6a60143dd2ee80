#include "tests/sim/scaling/calibrate.hpp"
#include "tests/sim/scaling/simulation.hpp"
#include <fmt/core.h>
#include <chrono>
int main(int argc, char** argv) {
  auto c = schedbench::scaling::Calibrate();
  fmt::print("hit {} locked {} fence {} transfer {} pause {} clock {} call {} wake {} lat {} heavy {}\n task {} create {} start {} resume {} sync {}\n", c.hit,c.locked,c.fence,c.transfer,c.pause,c.clock,c.call,c.wake,c.wake_latency,c.heavy_fence,c.task,c.create,c.start,c.resume,c.sync);
  for (int i = 2; i < argc; ++i) for (unsigned n = 1; n <= (unsigned)atoi(argv[1]); n *= 2) {
    auto t = std::chrono::steady_clock::now();
    auto p = sim_scaling::Simulate(c, argv[i], n);
    double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
    fmt::print("{} {}: {:.1f} ns, work {:.2f} transfer {:.2f} search {:.2f} idle {:.2f} ({:.1f} s)", argv[i], n, p.ns_per_operation, p.work,p.transfer,p.search,p.idle, s);
    for (auto& h : p.hottest) fmt::print("  {} {:.2f}", h.place, h.share);
    fmt::print("\n"); fflush(stdout);
  }
}
