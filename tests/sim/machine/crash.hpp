#pragma once

namespace schedbench::sim {

// Makes a memory fault of a model the failure of its execution, with a schedule like any other.
// Once per process.
void CatchCrashes();

}  // namespace schedbench::sim
