#pragma once

#include "cli/flags/arguments.hpp"
#include "config/problems.hpp"
#include "harness/agent/place.hpp"
#include "harness/compare/plan.hpp"
#include "harness/sweep/plan.hpp"

#include <vector>

// The machines on which agents run.

namespace schedbench::cli {

inline constexpr Flag kHostFlag =
    Flag{"--host", "", "A,B", "Run the agents on these machines, through ssh"}.Repeatable();
inline constexpr Flag kSlurmFlag =
    Flag{"--slurm", "", "OPTIONS",
         "Run the agents on the nodes of the Slurm allocation, through srun with these options"}
        .Once("write all options into one value");
inline constexpr Flag kRemoteToolFlag{
    "--remote-tool", "", "PATH",
    "The path of schedbench on these machines (default: the path that it has here)"};

// Returns the places of --host or --slurm; none without these flags. Nodes are those of --nodelist in the options, else of the
// allocation ($SLURM_JOB_NODELIST). SCHEDBENCH_SSH and SCHEDBENCH_SRUN name other programs than ssh and srun. Adds to
// `problems`, also for flags that would act on this machine only.
std::vector<harness::PlacePtr> PlacesOf(const Arguments& arguments, config::Problems& problems);

// Asks hello of each agent at each place and adds what is found to the places. Throws config::InputError if one does not answer,
// and NotComparable if one is of another version or revision than here.
std::vector<harness::PlacePtr> Greeted(const std::vector<harness::PlacePtr>& places,
                                       const std::vector<harness::Alternative>& alternatives);

// The same for the plan of a sweep, which gets the places. Does nothing without places.
void SetPlaces(const Arguments& arguments, harness::SweepPlan& plan);

// The same for a comparison: each of its workloads is compared at each place.
void SetPlaces(const Arguments& arguments, harness::ComparisonPlan& plan);

}  // namespace schedbench::cli
