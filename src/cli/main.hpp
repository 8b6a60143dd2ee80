#pragma once

namespace schedbench::cli {

// Runs the tool with all schedulers and workloads that are registered in this program. Returns its
// exit code (exit_code.hpp). After an interrupted or failed run it ends the process, because
// threads may still be running. Never throws. The main thread must call it, once.
int Main(int argc, char** argv);

}  // namespace schedbench::cli
