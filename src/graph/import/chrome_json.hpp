#pragma once

#include "graph/task_graph.hpp"

#include <string_view>

namespace schedbench::graph {

// Makes a graph of a trace in Chrome's Trace Event Format, the JSON of Perfetto and other tools. A
// slice ("X", or "B" and "E") is a run of a task, and a thread is a worker. Slices whose args have
// equal "task" members are runs of one task; without it a slice is a task. A slice inside another
// one is a part of it. A flow ("s", "t" and "f", or "bind_id") is a chain: it starts the task of
// the next slice, or ends a wait of it. A slice without a flow to it was started from outside.
// Slices named "park" and "search", as in the files of schedbench trace, are not tasks. Throws
// FormatError. Pure; thread-safe.
TaskGraph ReadChromeJson(std::string_view text);

}  // namespace schedbench::graph
