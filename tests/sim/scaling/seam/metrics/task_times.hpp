#pragma once

// No task is timed: the sample depends on what the process has run before.
#include "tests/sim/abstract/metrics/task_times.hpp"
