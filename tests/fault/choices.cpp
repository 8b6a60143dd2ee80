// Prints the first choices of three threads, one after the other: what must repeat under the same
// seed.

#include "tests/fault/disturbance.hpp"

#include <cstdio>
#include <thread>

int main() {
  for (int thread = 0; thread < 3; ++thread) {
    std::thread([] {
      for (int i = 0; i < 200; ++i) {
        schedbench::fault::Disturb();
        std::putchar(schedbench::fault::WeakExchangeFails() ? '1' : '0');
        std::putchar(schedbench::fault::WaitReturnsEarly() ? '1' : '0');
      }
      std::putchar('\n');
    }).join();
  }
}
