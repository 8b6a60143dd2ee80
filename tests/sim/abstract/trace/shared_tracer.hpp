#pragma once

// Stands in for src/trace/shared_tracer.hpp, as tracer.hpp here.

#include "trace/tracer.hpp"

namespace schedbench::trace {

class SharedTracer {};

}  // namespace schedbench::trace
