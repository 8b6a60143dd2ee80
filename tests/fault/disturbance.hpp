#pragma once

// Seeded disturbance of real threads. At each point of interest, which is every atomic operation,
// fence, pause and futex call of the code under test, the thread may be held up: it spins, yields
// the CPU, sleeps, or moves to another CPU.
//
//   SCHEDBENCH_FAULT_SEED=N   choices of thread number k (in the order of their first point) follow
//   from N and k SCHEDBENCH_FAULT="yield=100,sleep=0,..."   each happens once in so many points, 0
//   never; disturbance.cpp has the names
//
// The seed is printed to stderr at the first point. Any thread, on any stack; not in signal
// handlers.
namespace schedbench::fault {

// Perhaps holds up the calling thread.
void Disturb() noexcept;

// Perhaps holds up the calling thread before and after what happens in its scope.
class Point {
 public:
  Point() noexcept {
    Disturb();
  }
  ~Point() {
    Disturb();
  }
  Point(const Point&) = delete;
  Point& operator=(const Point&) = delete;
};

// Whether this weak compare-and-exchange is to fail although the value is right.
bool WeakExchangeFails() noexcept;

// Whether this wait for a futex is to return at once.
bool WaitReturnsEarly() noexcept;

}  // namespace schedbench::fault
