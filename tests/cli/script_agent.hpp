#pragma once

#include "tests/cli/process.hpp"

#include <filesystem>
#include <string>

// An agent in a shell script, which keeps the protocol and measures nothing.
namespace schedbench::tests {

// What the script answers. Its one workload is yield:fibers=10,yields=20.
struct ScriptAnswers {
  std::string schedulers = R"("go")";
  std::string parameters = R"("fibers":10,"yields":20,"front_end":"fiber")";
  std::string operations = "200";
  std::string wall_ns = "1000000";
  std::string counts = R"("spawns":10,"switches":210,"inline_calls":0)";
  std::string figures = "";
  std::string seconds = "0";  // how long a round takes
  std::string refusal = "";   // the message with which it refuses to open; "": it opens
};

inline std::string ScriptOf(const ScriptAnswers& answers) {
  const auto line = [&answers](const std::string& request, const std::string& reply) {
    const std::string wait =
        request == "round" && answers.seconds != "0" ? "sleep " + answers.seconds + "; " : "";
    return "    *'\"request\":\"" + request + "\"'*) " + wait + "echo '" + reply + "' ;;\n";
  };
  return "#!/bin/sh\nwhile read -r request; do\n  case $request in\n" +
         line(
             "hello",
             R"({"reply":"hello","protocol":1,"runtime":"imaginary","version":"7","tasks":"wishes",)"
             R"("schedulers":[)" +
                 answers.schedulers + R"(],"workloads":["yield"]})") +
         line("open",
              answers.refusal.empty()
                  ? R"({"reply":"open","config":{},"parameters":{)" + answers.parameters +
                        R"(},"operation":"yield","workers":1})"
                  : R"({"reply":"error","kind":"input","message":")" + answers.refusal + "\"}") +
         line("round", R"({"reply":"round","wall_ns":)" + answers.wall_ns +
                           R"(,"cpu_ns":900000,"operations":)" + answers.operations +
                           R"(,"peak_rss_bytes":5000000,"figures":{)" + answers.figures +
                           R"(},"counts":{)" + answers.counts + "}}") +
         line("close", R"({"reply":"close"})") +
         "    *) echo '{\"reply\":\"error\",\"kind\":\"input\",\"message\":\"what?\"}' ;;\n"
         "  esac\ndone\n";
}

// Writes the program into the folder. Returns its path.
inline std::string WriteScriptAgent(const ScratchFolder& folder, const std::string& name,
                                    const ScriptAnswers& answers) {
  folder.Write(name, ScriptOf(answers));
  const std::string path = folder.Path() + "/" + name;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace schedbench::tests
