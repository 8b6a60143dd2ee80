#pragma once

#include <cmath>

// Queues with one server and requests that come independently of each other, in the long run.
// `load`: rate times mean service, below 1. Times are in those of the mean service. Source: L.
// Kleinrock, "Queueing Systems", volume 1 (1975), 3.2 and 5.8.

namespace schedbench::tests {

// Mean time from arrival to end where services are exponential (M/M/1).
inline double ExponentialMean(double load) {
  return 1 / (1 - load);
}

// The time that a share `p` of the requests does not exceed: it is exponential, too.
inline double ExponentialQuantile(double load, double p) {
  return -std::log(1 - p) * ExponentialMean(load);
}

// Mean time from arrival to end where all services are alike (M/D/1): the service and a wait of
// load / (2 (1 - load)).
inline double ConstantMean(double load) {
  return 1 + load / (2 * (1 - load));
}

}  // namespace schedbench::tests
