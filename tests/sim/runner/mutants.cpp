#include "tests/sim/runner/mutants.hpp"

#include "base/stable_sort.hpp"
#include "tests/sim/runner/finding_text.hpp"
#include "tests/sim/runner/hunt.hpp"
#include "tests/sim/runner/parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include <unistd.h>

namespace schedbench::sim {

namespace {

constexpr double kExcusedSeconds = 2;

// A fault at a place, and the models that come by.
struct Mutant {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Fault fault = Fault::kNone;
  std::vector<const Model*> models;

  // The same text in any build: path from the top of the tree, text of the line, fault.
  std::string ShortFile() const {
    for (const char* top : {"schedulers/", "src/", "tests/"}) {
      if (const std::size_t at = file.rfind(top); at != std::string::npos) {
        return file.substr(at);
      }
    }
    return file;
  }

  std::string Place() const {
    return ShortFile() + ":" + std::to_string(line);
  }

  std::string SourceLine() const {
    std::ifstream in(std::string(SIM_SOURCE_DIR) + "/" + ShortFile());
    std::string text;
    for (std::uint32_t i = 0; i < line && std::getline(in, text); ++i) {
    }
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin);
  }

  std::string Key() const {
    return ShortFile() + " | " + SourceLine() + " | " +
           std::string(kFaultNames[static_cast<std::size_t>(fault)]);
  }
};

using PlaceKey = std::tuple<std::string, std::uint32_t, std::uint32_t, Fault>;

// Which places a model comes by: of some executions of each kind.
void PrintPlaces(const Model& model) {
  Machine::Instance().SetOnPlace([](const Place& where, Fault fault) {
    // Called within an execution, where memory is the model's: noted as text that needs none.
    std::printf("%u %u %u %s\n", where.line(), where.column(), static_cast<unsigned>(fault),
                where.file_name());
  });
  for (const Strategy strategy :
       {Strategy::kDepthFirst, Strategy::kPriorities, Strategy::kRandom}) {
    Effort effort;
    effort.limits = model.limits;
    effort.strategy = strategy;
    effort.executions = 300;
    Explore(model, effort);
  }
}

// Runs in a child whose standard output is a file, which comes back as places.
std::set<PlaceKey> ReadPlaces(const Model& model) {
  std::set<PlaceKey> seen;
  std::FILE* file = std::tmpfile();
  RunInChildren(
      1, 1,
      [&](std::size_t /*i*/) {
        ::dup2(::fileno(file), 1);
        PrintPlaces(model);
        std::fflush(stdout);
        return std::string();
      },
      [](std::size_t, const std::string&) {},
      [&model](std::size_t, const std::string& how) {
        throw std::runtime_error("model " + model.name + ": the explorer " + how);
      });
  if (std::fseek(file, 0, SEEK_SET) != 0) {
    throw std::runtime_error("model " + model.name + ": its places cannot be read back");
  }
  char name[512];
  unsigned line = 0;
  unsigned column = 0;
  unsigned fault = 0;
  // A name may hold spaces.
  while (std::fscanf(file, " %u %u %u %511[^\n]", &line, &column, &fault, name) == 4) {
    seen.insert({name, line, column, static_cast<Fault>(fault)});
  }
  std::fclose(file);
  return seen;
}

std::vector<Mutant> FindMutants(const Options& options) {
  std::set<PlaceKey> places;
  // A place that only rare executions reach may be missed with a model, not with all models of its
  // file.
  std::map<std::string, std::vector<const Model*>> models_of_file;
  for (const Model* model : ChosenModels(options)) {
    if (model->must_fail) {
      continue;
    }
    std::set<std::string> files;
    for (const PlaceKey& place : ReadPlaces(*model)) {
      places.insert(place);
      files.insert(std::get<0>(place));
    }
    for (const std::string& file : files) {
      models_of_file[file].push_back(model);
    }
  }
  // A model of the file's part shows its faults after fewer executions than one of a scheduler.
  for (auto& [file, models] : models_of_file) {
    const std::string part = std::filesystem::path(file).stem().string() + "/";
    StableSort(models, {}, [&](const Model* model) { return !model->name.starts_with(part); });
  }
  std::vector<Mutant> mutants;
  for (const auto& [file, line, column, fault] : places) {
    Mutant mutant{.file = file,
                  .line = line,
                  .column = column,
                  .fault = fault,
                  .models = models_of_file[file]};
    // Faults of the models themselves show nothing, and those of a library are not the project's.
    const std::string short_file = mutant.ShortFile();
    const bool is_chosen = mutant.Place().find(options.at) != std::string::npos;
    if (is_chosen && short_file.rfind("tests/", 0) != 0 && short_file.front() != '/') {
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

// Lines "file | source line | fault | why"; empty ones and those that begin with # say nothing.
std::map<std::string, std::string> ReadSurvivors(const std::string& path) {
  std::map<std::string, std::string> survivors;
  if (path.empty()) {
    return survivors;
  }
  std::ifstream in(path);
  if (!in) {
    throw std::invalid_argument("cannot read " + path);
  }
  for (std::string line; std::getline(in, line);) {
    const std::size_t why = line.rfind(" | ");
    if (!line.empty() && line[0] != '#' && why != std::string::npos) {
      survivors[line.substr(0, why)] = line.substr(why + 3);
    }
  }
  return survivors;
}

std::uint64_t Median(std::vector<std::uint64_t> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int RunMutants(const Options& options) {
  const std::map<std::string, std::string> may_survive = ReadSurvivors(options.survivors);
  const std::vector<Mutant> mutants = FindMutants(options);
  std::vector<std::uint64_t> executions;
  std::size_t excused = 0;
  std::vector<std::string> unexpected;
  std::set<std::string> killed_keys;
  std::printf("%-44s %-16s %11s  %s\n", "place", "fault", "executions", "seen by");
  const auto row = [&](std::size_t i, const Finding& finding) {
    const Mutant& mutant = mutants[i];
    std::string verdict;
    if (finding.failed) {
      executions.push_back(finding.executions);
      killed_keys.insert(mutant.Key());
      verdict = finding.schedule.substr(0, finding.schedule.find(' ')) + ": " + finding.failure;
    } else if (const auto why = may_survive.find(mutant.Key()); why != may_survive.end()) {
      ++excused;
      verdict = "impossible: " + why->second;
    } else {
      unexpected.push_back(mutant.Key());
      verdict = finding.complete ? "SURVIVES all models" : "SURVIVES so far";
    }
    std::printf("%-44s %-16s %11llu  %.90s\n", mutant.Place().c_str(),
                std::string(kFaultNames[static_cast<std::size_t>(mutant.fault)]).c_str(),
                static_cast<unsigned long long>(finding.executions), verdict.c_str());
    std::fflush(stdout);
  };
  RunInChildren(
      mutants.size(), options.jobs,
      [&](std::size_t i) {
        const Mutant& mutant = mutants[i];
        Machine::Instance().SetMutation({.fault = mutant.fault,
                                         .file = mutant.file,
                                         .line = mutant.line,
                                         .column = mutant.column});
        // Listed survivors get a short exploration, in case a model detects them now.
        const bool excused = may_survive.count(mutant.Key()) != 0;
        return ToText(Hunt(mutant.models, excused ? kExcusedSeconds : options.hunt_seconds));
      },
      [&](std::size_t i, const std::string& text) { row(i, FindingFromText(text)); },
      [&](std::size_t i, const std::string& how) {
        Finding finding;
        // That shows nothing: a fault of the model is caught in its execution.
        std::printf("the explorer %s\n", how.c_str());
        finding.died = true;
        row(i, finding);
      });
  std::printf(
      "%zu faults at the places of the source: %zu seen, by the median after %llu executions; %zu "
      "that "
      "cannot be seen; %zu survive\n",
      mutants.size(), executions.size(), static_cast<unsigned long long>(Median(executions)),
      excused, unexpected.size());
  for (const std::string& key : unexpected) {
    std::printf("  %s\n", key.c_str());
  }
  for (const auto& [key, why] : may_survive) {
    if (killed_keys.count(key) != 0) {
      std::printf("  is seen now, take it off the list: %s\n", key.c_str());
    }
  }
  std::set<std::string> keys;
  for (const Mutant& mutant : mutants) {
    keys.insert(mutant.Key());
  }
  bool in_vain = mutants.empty();
  for (const auto& [key, why] : may_survive) {
    if (keys.count(key) == 0 && options.only.empty() && options.at.empty()) {
      std::printf("  is not a fault of these sources, take it off the list: %s\n", key.c_str());
      in_vain = true;
    }
  }
  return unexpected.empty() && !in_vain ? 0 : 1;
}

}  // namespace schedbench::sim
