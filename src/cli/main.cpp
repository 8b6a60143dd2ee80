#include "cli/main.hpp"

int main(int argc, char** argv) {
  return schedbench::cli::Main(argc, argv);
}
