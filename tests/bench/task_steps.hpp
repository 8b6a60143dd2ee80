#pragma once

namespace schedbench::tests {

// Measures what each step in the life of a task costs on `fast`, and prints one line per step: the
// numbers of schedulers/LIFE_OF_A_TASK.md. About half a minute.
void PrintTaskSteps();

}  // namespace schedbench::tests
