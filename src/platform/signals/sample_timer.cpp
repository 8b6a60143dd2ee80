#include "platform/signals/sample_timer.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// The link from a signal to its sink. These objects belong to the process and are never freed,
// because a signal may be late: after its timer's end it finds no sink, or that of another timer.
// It ignores one of another thread; for the same thread it is a surplus sample.
//
// A timer's end must not overtake a handler that has read `sink` and is about to call it. Handler:
// (H1) busy, (H2) read the sink, call it, (H3) not busy. End: (E1) no sink, (E2) wait until not
// busy. H1, H2, E1, E2 are sequentially consistent: either H2 reads what E1 wrote, or E2 sees what
// H1 wrote. At most one thread is in it, and SIGPROF does not interrupt itself.
struct Place {
  Atomic<ISampleSink*> sink{nullptr};
  Atomic<bool> busy{false};
  Atomic<int> thread{0};  // the sampled thread
  Atomic<int> event{-1};  // perf's descriptor, the only data in its signals
  // Written before `event` is set, then only by the handler. 0: each signal is one period.
  std::uint64_t period_ns = 0;
  std::uint64_t reported_ns = 0;  // CPU time up to which periods have been reported
  Atomic<bool> taken{false};
};

constexpr std::size_t kMaxTimers = 512;
std::array<Place, kMaxTimers> places;

bool Take(std::size_t& index) noexcept {
  for (index = 0; index < kMaxTimers; ++index) {
    bool taken = false;
    // acquire: pairs with the release in ~SampleTimer(). relaxed: it has another owner.
    if (places[index].taken.CompareExchange(taken, true, memory_order_acquire,
                                            memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

// Returns null for a signal that is not of a timer, or of another thread's.
Place* PlaceOf(const siginfo_t& info) noexcept {
  const int thread = KernelThreadId();
  const auto is_meant = [&](const Place& place) {
    // acquire: pairs with the release in Start().
    return place.thread.Load(memory_order_acquire) == thread;
  };
  if (info.si_code == SI_TIMER) {
    const auto index = static_cast<std::size_t>(info.si_value.sival_int);
    return index < kMaxTimers && is_meant(places[index]) ? &places[index] : nullptr;
  }
  if (info.si_code != POLL_IN && info.si_code != POLL_HUP) {
    return nullptr;  // from kill(2)
  }
  const auto place = std::ranges::find_if(places, [&](const Place& candidate) {
    // acquire: pairs with the release in StartTaskClock(); thread and sink are set.
    return candidate.event.Load(memory_order_acquire) == info.si_fd && is_meant(candidate);
  });
  return place == places.end() ? nullptr : &*place;
}

// Returns the number of periods of a signal. Perf sends one signal for several that passed while
// the host had the CPU, or while a signal was pending; the thread's clock shows it.
std::uint32_t PeriodsOf(const siginfo_t& info, Place& place) noexcept {
  if (info.si_code == SI_TIMER) {
    return 1 + static_cast<std::uint32_t>(std::max(info.si_overrun, 0));
  }
  if (place.period_ns == 0) {
    return 1;
  }
  // It is negative if the last one was reported early.
  const auto used_ns = static_cast<std::int64_t>(ThreadCpuNs(0) - place.reported_ns);
  const auto period_ns = static_cast<std::int64_t>(place.period_ns);
  const std::int64_t periods = std::max<std::int64_t>(1, (used_ns + period_ns / 2) / period_ns);
  place.reported_ns += static_cast<std::uint64_t>(periods) * place.period_ns;
  return static_cast<std::uint32_t>(periods);
}

void OnTimerSignal(int /*signal*/, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (Place* const place = PlaceOf(*info); place != nullptr) {
    // seq_cst: H1 and H2, which pairs with E1 and E2 (comment of Place).
    place->busy.Store(true, memory_order_seq_cst);
    ISampleSink* const sink = place->sink.Load(memory_order_seq_cst);
    if (sink != nullptr) {
      sink->OnSample(StateOfSignal(context), PeriodsOf(*info, *place));
    }
    // release: H3, pairs with E2.
    place->busy.Store(false, memory_order_release);
  }
  errno = saved_errno;
}

void InstallHandler() noexcept {
  struct sigaction action{};
  action.sa_sigaction = &OnTimerSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  // Reports of crashes and hangs may interrupt it and vice versa; SIGPROF never interrupts itself.
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGPROF, &action, nullptr);
}

std::string Refusal(const char* call) {
  return std::string(call) + ": " + std::strerror(errno);
}

}  // namespace

std::string_view ToText(SampleClock clock) noexcept {
  return clock == SampleClock::kTaskClock ? "perf task clock" : "thread CPU timer";
}

std::unique_ptr<SampleTimer> SampleTimer::Start(SampleClock clock, int thread,
                                                std::uint64_t period_ns, ISampleSink& sink,
                                                std::string& refusal) {
#if defined(SB_TSAN)
  // It holds them until the thread calls a watched function: then the stack may be another fiber's.
  refusal = "ThreadSanitizer holds signals back";
  return nullptr;
#endif
  std::unique_ptr<SampleTimer> timer(new SampleTimer);
  if (!Take(timer->place_)) {
    refusal = "more than " + std::to_string(kMaxTimers) + " threads";
    timer->place_ = kMaxTimers;
    return nullptr;
  }
  InstallHandler();
  Place& place = places[timer->place_];
  // seq_cst: pairs with H2.
  place.sink.Store(&sink, memory_order_seq_cst);
  // release: pairs with the acquire in PlaceOf(); the sink is set.
  place.thread.Store(thread, memory_order_release);
  const bool started = clock == SampleClock::kTaskClock
                           ? timer->StartTaskClock(thread, period_ns, refusal)
                           : timer->StartCpuTimer(thread, period_ns, refusal);
  return started ? std::move(timer) : nullptr;
}

bool SampleTimer::StartTaskClock(int thread, std::uint64_t period_ns, std::string& refusal) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = period_ns;
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  const auto open = [&]() {
    return static_cast<int>(
        ::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  };
  event_ = open();
  if (event_ < 0 && (errno == EACCES || errno == EPERM)) {
    // perf_event_paranoid 2 lets users see only their own code.
    attributes.exclude_kernel = 1;
    sees_kernel_ = false;
    event_ = open();
  }
  if (event_ < 0) {
    refusal = Refusal("perf_event_open");
    return false;
  }
  // Unsampled time in the kernel must not count for the code after it.
  places[place_].period_ns = sees_kernel_ ? period_ns : 0;
  places[place_].reported_ns = ThreadCpuNs(thread);
  // release: pairs with the acquire in PlaceOf().
  places[place_].event.Store(event_, memory_order_release);
  const f_owner_ex owner{.type = F_OWNER_TID, .pid = thread};
  if (::fcntl(event_, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 ||
      ::fcntl(event_, F_SETSIG, SIGPROF) != 0 || ::fcntl(event_, F_SETOWN_EX, &owner) != 0) {
    refusal = Refusal("fcntl of an event of perf");
    return false;
  }
  if (::ioctl(event_, PERF_EVENT_IOC_ENABLE, 0) != 0) {
    refusal = Refusal("PERF_EVENT_IOC_ENABLE");
    return false;
  }
  return true;
}

bool SampleTimer::StartCpuTimer(int thread, std::uint64_t period_ns, std::string& refusal) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_int = static_cast<int>(place_);
  event._sigev_un._tid = thread;
  timer_t timer = nullptr;
  if (::timer_create(ThreadCpuClock(thread), &event, &timer) != 0) {
    refusal = Refusal("timer_create");
    return false;
  }
  timer_ = timer;
  has_timer_ = true;
  const timespec period{.tv_sec = static_cast<time_t>(period_ns / 1'000'000'000),
                        .tv_nsec = static_cast<long>(period_ns % 1'000'000'000)};
  const itimerspec setting{.it_interval = period, .it_value = period};
  if (::timer_settime(timer, 0, &setting, nullptr) != 0) {
    refusal = Refusal("timer_settime");
    return false;
  }
  return true;
}

SampleTimer::~SampleTimer() {
  if (place_ == kMaxTimers) {
    return;
  }
  if (event_ >= 0) {
    ::ioctl(event_, PERF_EVENT_IOC_DISABLE, 0);
  }
  if (has_timer_) {
    ::timer_delete(timer_);
  }
  Place& place = places[place_];
  // relaxed: a handler that still finds the object does not find a sink in it, by E1.
  place.event.Store(-1, memory_order_relaxed);
  place.thread.Store(0, memory_order_relaxed);
  // seq_cst: E1, pairs with H2.
  place.sink.Store(nullptr, memory_order_seq_cst);
  SpinWait wait;
  // seq_cst: E2, pairs with H1 and H3.
  while (place.busy.Load(memory_order_seq_cst)) {
    wait.Spin();
  }
  if (event_ >= 0) {
    ::close(event_);  // only now: its number may become another file's
  }
  // release: pairs with the acquire in Take().
  place.taken.Store(false, memory_order_release);
}

}  // namespace schedbench::platform
