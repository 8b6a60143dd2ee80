#include "tests/sim/scaling/simulation.hpp"
#include "tests/sim/scaling/machine/machine.hpp"
#include <fmt/core.h>
int main(int, char** argv) {
  sim_scaling::Costs c{.hit=.16,.locked=2.2,.fence=1.8,.transfer=30,.pause=25,.clock=24,.call=300,.wake=6400,.wake_latency=21000,.heavy_fence=9000,.task=10,.create=8,.start=20,.resume={15,20,40,60},.sync=0};
  unsigned n = atoi(argv[1]);
  for (double t = atof(argv[3]); t <= atof(argv[4]); t += atof(argv[5])) {
    c.transfer = t;
    auto p = sim_scaling::Simulate(c, argv[2], n);
    fmt::print("{} {}: {:.1f} ns, work {:.2f} transfer {:.2f} search {:.2f} idle {:.2f}\n", t, n, p.ns_per_operation, p.work,p.transfer,p.search,p.idle); fflush(stdout);
  }
}
