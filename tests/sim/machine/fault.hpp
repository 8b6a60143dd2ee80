#pragma once

#include <array>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace schedbench::sim {

// A fault that the machine can put into the code that it runs, at one place of the source, without
// compiling it anew.
enum class Fault : std::uint8_t {
  kNone,
  kNoRelease,  // release -> relaxed, acq_rel -> acquire
  kNoAcquire,  // acquire -> relaxed, acq_rel -> release
  kNoSeqCst,   // seq_cst -> acq_rel
  kSplitRmw,   // a read-modify-write becomes a load and a store
  kNoWake,     // a futex wake is lost
};

inline constexpr std::array<std::string_view, 6> kFaultNames{
    "none", "no release", "no acquire", "no seq_cst", "load, then store", "no wake"};

// A fault and its place. A place is a call in the source, which templates share.
struct Mutation {
  Fault fault = Fault::kNone;
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool IsAt(const std::source_location& where) const noexcept {
    return where.line() == line && where.column() == column && where.file_name() == file;
  }
};

}  // namespace schedbench::sim
