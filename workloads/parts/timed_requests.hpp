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

// Requests that are due at times drawn before the round: the part of `open_loop` that does not depend on fibers. Each has a
// cache line of its own.
class TimedRequests : public registry::IWorkload {
 public:
  struct Plan {
    std::string_view requests_field;  // of the command line, for messages
    LoadLaws laws;
    std::uint32_t requests;
    std::uint64_t source_spin_ns;
    std::uint64_t request_bytes;  // of a waiting request, besides its cache line
  };

  // Throws std::runtime_error when the requests would not fit into RAM.
  TimedRequests(const Plan& plan, std::uint64_t seed);

  void Prepare() override;

  // Returns "" or what is wrong: each request is served once, and has its answer.
  std::string Verify() override;

  // In the order of kOpenLoopMetrics. Of the requests that were served; not a number without any.
  std::vector<double> Metrics() const override;

 protected:
  struct alignas(kCacheLine) Request {
    std::uint64_t due_ns = 0;  // from the round's start
    SpinWork work{0};
    std::uint64_t submitted = 0;  // this and the next two: time of the clock
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t answer = 0;
    std::uint32_t runs = 0;
  };

  // Begins a round and calls `submit` for each request when it is due, on this thread, until the round ends early. Precise if the
  // thread has little timer slack (PreciseSleep).
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

  // Begins the service of a request, does its work and ends it. Thread-safe for different requests, as are the next two.
  void Serve(Request& request) noexcept;

  void BeginService(Request& request) noexcept;
  // Writes the answer: the service has done all that the request asks for.
  void EndService(Request& request) noexcept;

  // From 0, in the order of arrival.
  std::uint64_t NumberOf(const Request& request) const noexcept {
    return static_cast<std::uint64_t>(&request - requests_.data());
  }

  std::uint64_t Count() const noexcept {
    return requests_.size();
  }

  // How many of them the last round has submitted: all, if it did not end early.
  std::uint64_t Submitted() const noexcept {
    return submitted_;
  }

  // Rounds end early when this returns true. Called some times a second by SubmitEach(). Null: never.
  void EndEarlyWhen(std::function<bool()> is_due) {
    is_end_due_ = std::move(is_due);
  }

  // When the rounds begin, in nanoseconds of platform::NowNs(); 0: when they are called. What a source is late is part of
  // the latencies.
  void BeginAt(std::uint64_t start_ns) noexcept {
    begin_at_ns_ = start_ns;
  }

  // The moment at which a request is due, in nanoseconds of platform::NowNs(). Of the round that runs.
  std::uint64_t DueAt(const Request& request) const noexcept {
    return start_ + request.due_ns;
  }

  // Of the last round, in which requests may have no answer. Requires: BeginService() for each that was submitted.
  registry::HalfTimes TimesOfRound() const;

 private:
  void Begin() noexcept;
  // Whether the round ends before this moment. Returns not long before it, if it does not.
  bool EndsBefore(std::uint64_t due);
  // Returns the time at which it returns.
  std::uint64_t WaitUntil(std::uint64_t due) const noexcept;
  // Of request number `number`, in this run.
  std::uint64_t Answer(std::uint64_t number) const noexcept;

  const LoadLaws laws_;
  const std::uint64_t seed_;
  const std::uint64_t spin_ns_;
  std::uint64_t round_ = 0;  // number of the next one
  std::uint64_t begin_at_ns_ = 0;
  std::uint64_t start_ = 0;
  std::vector<Request> requests_;
  std::uint64_t submitted_ = 0;
  std::function<bool()> is_end_due_;
  std::uint64_t next_look_ = 0;  // when it is asked again
};

}  // namespace schedbench::workloads
