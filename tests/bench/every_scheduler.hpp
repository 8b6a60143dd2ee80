#pragma once

namespace schedbench::tests {

// Measures every registered scheduler and prints the tables of schedulers/README.md, in Markdown,
// on stdout. About four minutes.
void PrintEveryScheduler();

}  // namespace schedbench::tests
