#pragma once

#include "base/cache_line.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/load.hpp"
#include "workloads/parts/spin_work.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::workloads {

// Requests that are due at times drawn before the round: the part of `open_loop` that does not
// depend on fibers. Each has its own cache line.
class TimedRequests : public registry::IWorkload {
 public:
  struct Plan {
    std::string_view requests_field;  // field on the command line, for messages
    LoadLaws laws;
    std::uint32_t requests;
    std::uint64_t source_spin_ns;
    std::uint64_t request_bytes;  // bytes of a waiting request in addition to its cache line
  };

  // Throws std::runtime_error when the requests would not fit into RAM.
  TimedRequests(const Plan& plan, std::uint64_t seed);

  void Prepare() override;

  // Returns "" or what is wrong: each request must be served once, and have its answer.
  std::string Verify() override;

  // Returns the metrics of the served requests in the order of kOpenLoopMetrics; NaN without any.
  std::vector<double> Metrics() const override;

 protected:
  struct alignas(kCacheLine) Request {
    std::uint64_t due_ns = 0;  // time since the round's start
    SpinWork work{0};
    std::uint64_t submitted = 0;  // this and the next two: time of the clock
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t answer = 0;
    std::uint32_t runs = 0;
  };

  // Begins a round and calls `submit` for each request when it is due, on this thread, until the
  // round ends early. Precise if the thread has little timer slack (PreciseSleep).
  template <typename F>
  void SubmitEach(F submit) {
    Begin();
    for (Request& request : requests_) {
      if (EndsBefore(start_ + request.due_ns)) {
        return;
      }
      ++submitted_;
      request.submitted = WaitUntil(start_ + request.due_ns);
      submit(request);
    }
  }

  // Begins the service of a request, does its work and ends it. This and the next two are
  // thread-safe for different requests.
  void Serve(Request& request) noexcept;

  void BeginService(Request& request) noexcept;
  // Writes the answer: the service has done all the work of the request.
  void EndService(Request& request) noexcept;

  // Returns the index of a request in the order of arrival.
  std::uint64_t NumberOf(const Request& request) const noexcept {
    return static_cast<std::uint64_t>(&request - requests_.data());
  }

  std::uint64_t Count() const noexcept {
    return requests_.size();
  }

  // Returns how many requests the last round has submitted: all, if it did not end early.
  std::uint64_t Submitted() const noexcept {
    return submitted_;
  }

  // Ends rounds early if `is_due`, which SubmitEach() calls some times a second. Null: never.
  void EndEarlyWhen(std::function<bool()> is_due) {
    is_end_due_ = std::move(is_due);
  }

  // Sets when the rounds begin, in nanoseconds of platform::NowNs(); 0: when they are called. The
  // lateness of a source is part of the latencies.
  void BeginAt(std::uint64_t start_ns) noexcept {
    begin_at_ns_ = start_ns;
  }

  // Returns when a request of the running round is due, in nanoseconds of platform::NowNs().
  std::uint64_t DueAt(const Request& request) const noexcept {
    return start_ + request.due_ns;
  }

  // Returns the times of the last round, in which requests may lack an answer. Requires:
  // BeginService() for each submitted request.
  registry::HalfTimes TimesOfRound() const;

 private:
  void Begin() noexcept;
  // Returns whether the round ends before this moment; if not, returns shortly before it.
  bool EndsBefore(std::uint64_t due);
  // Returns the time at which it returns.
  std::uint64_t WaitUntil(std::uint64_t due) const noexcept;
  // Returns the answer of request `number` in this run.
  std::uint64_t Answer(std::uint64_t number) const noexcept;

  const LoadLaws laws_;
  const std::uint64_t seed_;
  const std::uint64_t spin_ns_;
  std::uint64_t round_ = 0;  // number of the next round
  std::uint64_t begin_at_ns_ = 0;
  std::uint64_t start_ = 0;
  std::vector<Request> requests_;
  std::uint64_t submitted_ = 0;
  std::function<bool()> is_end_due_;
  std::uint64_t next_look_ = 0;  // time of the next call of is_end_due_
};

}  // namespace schedbench::workloads
