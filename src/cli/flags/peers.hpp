#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/agent/message.hpp"
#include "harness/compare/plan.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// The foreign runtimes that `make peers` builds.
inline constexpr std::array<std::string_view, 8> kPeerNames{
    "asio", "asio_hosted", "boost_fiber", "go", "rayon", "tbb", "tbb_hosted", "tokio"};

inline constexpr auto kWithFlag =
    TextFlag{"--with", "", "[NAME=]PEER,...|NAME=COMMAND",
             "Foreign runtimes (asio, boost_fiber, go, rayon, tbb, tokio; asio_hosted, tbb_hosted: "
             "our fibers on their threads) or your own agent"}
        .Completed(Names::kPeer)
        .Repeatable();

// Returns the agent of a foreign runtime. None, and a problem, if it is unknown or not built.
// `where`, and `remedy` for an unknown one, are for messages.
std::optional<std::vector<std::string>> CommandOfPeer(const std::string& name,
                                                      const std::string& where,
                                                      config::Problems& problems,
                                                      std::string_view remedy = "");

// Returns what the agent of a command answers to hello. Throws std::runtime_error.
harness::HelloReply HelloOf(const std::vector<std::string>& command);

// Returns the alternatives of the words, as AlternativesOf() takes them, then those of kWithFlag,
// with unique names. With kPinFlag or kStallFlag, which foreign runtimes do not obey, agents of
// this program disturb their workers. Adds to `problems`.
std::vector<harness::Alternative> AlternativesAndPeers(const Arguments& arguments,
                                                       const std::vector<std::string>& words,
                                                       const std::optional<std::string>& workers,
                                                       config::Problems& problems);

}  // namespace schedbench::cli
