#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace schedbench::tests {

enum class Terminal { kNone, kOut, kError };

struct ProcessOptions {
  std::string folder{};                              // to run in; "" for the current one
  std::map<std::string, std::string> environment{};  // on top of a plain one
  Terminal terminal = Terminal::kNone;  // which stream is a terminal; the other is a pipe
  unsigned short columns = 0;           // of the terminal; 0: it does not report its size
  unsigned short rows = 0;
};

// A child process with the default signal dispositions, an empty stdin and a plain environment
// (PATH, and what sanitizers read). A test that never gets what it waits for fails after two
// minutes.
class Process {
 public:
  explicit Process(std::vector<std::string> command, const ProcessOptions& options = {});
  // Kills it when it still runs.
  ~Process();

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Reads stderr until it contains `text`; false when it ended without.
  bool WaitForError(std::string_view text);

  void Signal(int number) const;

  pid_t Number() const {
    return pid_;
  }

  // Reads both streams to their ends and waits. Returns the exit code, or 1000 + the signal that
  // killed it.
  int Finish();
  // The same without reading stdout.
  int FinishWithoutReading();

  const std::string& Out() const {
    return out_;
  }
  const std::string& Error() const {
    return error_;
  }

 private:
  bool ReadSome(bool with_out);
  int Wait();

  pid_t pid_ = -1;
  int out_fd_ = -1;
  int error_fd_ = -1;
  std::string out_;
  std::string error_;
};

struct Finished {
  int code;
  std::string out;
  std::string error;
};

// Runs a command to its end.
Finished Execute(std::vector<std::string> command, const ProcessOptions& options = {});

// Runs schedbench with these arguments to its end.
Finished Schedbench(std::vector<std::string> arguments, const ProcessOptions& options = {});

// Returns the words with those pairs of a flag and its value whose flag is not among them.
std::vector<std::string> WithDefaults(
    std::vector<std::string> words,
    const std::vector<std::pair<std::string, std::string>>& defaults);

// Puts the path of schedbench in front of the arguments.
std::vector<std::string> SchedbenchCommand(std::vector<std::string> arguments);

// A fresh folder for one test, removed at its end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();

  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& Path() const {
    return path_;
  }
  void Write(const std::string& name, std::string_view text) const;
  std::string Read(const std::string& name) const;
  // The names of what is in it, sorted.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

}  // namespace schedbench::tests
