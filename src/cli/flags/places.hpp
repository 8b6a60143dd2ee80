#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/agent/place.hpp"

#include <string>
#include <vector>

// The machines on which agents run.

namespace schedbench::cli {

inline constexpr auto kHostFlag =
    TextFlag{"--host", "", "A,B", "Run the agents on these machines, through ssh"}
        .Repeatable()
        .Explained(
            "A machine of --host or --slurm that does not answer at the start is an error with "
            "code 2, another version of schedbench there one with code 5. docs/many-machines.md "
            "has the details.");
inline constexpr auto kSlurmFlag =
    TextFlag{"--slurm", "", "OPTIONS",
             "Run the agents on the nodes of the Slurm allocation, through srun with these options"}
        .Once("write all options into one value");
inline constexpr auto kRemoteToolFlag = TextFlag{
    "--remote-tool", "", "PATH",
    "schedbench on these machines: an absolute path or a name in PATH (default: the path here)"};
inline constexpr auto kPlaceFlags = FlagsOf(kHostFlag, kSlurmFlag, kRemoteToolFlag);
inline constexpr auto kOnEachFlag = SwitchFlag{
    "--on-each", "", "", "Measure each cell on each of these machines: `machine` is then a key"};

// Returns the names in a list of machines; a final comma does not add one. "" gives an empty list.
std::vector<std::string> SplitAtCommas(const std::string& text);

// Checks the words of --slurm, which become options of srun in front of the command of an agent.
// Refuses contradictions to the options that each agent gets, also by the first letters of a long
// name, groups such as -sN2, and words that srun would take for the command. Returns the value of
// --nodelist or -w; "" without one. `where`: the flag, for messages.
std::string CheckSrunOptions(const std::vector<std::string>& words, const std::string& where,
                             config::Problems& problems);

// Returns the machines of --host or --slurm; none without these flags. Nodes are those of
// --nodelist in the options, otherwise those of the allocation ($SLURM_JOB_NODELIST).
// SCHEDBENCH_SSH and SCHEDBENCH_SRUN name other programs than ssh and srun. Adds to `problems`,
// also for flags that only affect this machine.
std::vector<harness::PlacePtr> PlacesOf(const Arguments& arguments, config::Problems& problems);

}  // namespace schedbench::cli
