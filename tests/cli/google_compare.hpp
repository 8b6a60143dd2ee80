#pragma once

#include "tests/cli/process.hpp"

#include <string>

namespace schedbench::tests {

// Compares two results by compare.py of Google Benchmark. It imports scipy, whose Debian package
// conflicts with Boost 1.81; the comparison of two files needs its mean only.
inline Finished ComparedByGoogleBenchmark(const std::string& before, const std::string& after) {
  const ScratchFolder folder;
  folder.Write("scipy.py", "");
  folder.Write(
      "stats.py",
      "import math\n"
      "class Mean(list):\n"
      "  def any(self): return True\n"
      "def gmean(rows): return Mean(math.exp(sum(map(math.log, c)) / len(c)) for c in zip(*rows))\n"
      "class Test: pvalue = 1.0\n"
      "def mannwhitneyu(a, b, alternative): return Test()\n");
  folder.Write("numpy.py", "array = list\n");
  folder.Write("run.py",
               "import sys, runpy\nimport scipy, stats\nsys.modules['scipy.stats'] = stats\n"
               "sys.path.insert(0, '/usr/share/benchmark')\n"
               "sys.argv = ['compare.py', '--no-color', 'benchmarks', 'a.json', 'b.json']\n"
               "runpy.run_path('/usr/share/benchmark/compare.py', run_name='__main__')\n");
  folder.Write("a.json", before);
  folder.Write("b.json", after);
  return Execute({"python3", "run.py"}, {.folder = folder.Path()});
}

}  // namespace schedbench::tests
