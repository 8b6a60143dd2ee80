// Models of the watch over the slots: schedulers/pool/slot_watch.hpp.
#include "schedulers/pool/slot_watch.hpp"

#include "tests/sim/models/support.hpp"

namespace schedbench::sim::slot_watch_model {

namespace {

using schedulers::SlotWatch;

// The checks of a watch are plain memory of the worker that watches.
void WatchOnce(SlotWatch& watch, void (SlotWatch::*end)() noexcept) {
  if (watch.TryBegin()) {
    Check(watch.Look(0, true, 0) == SlotWatch::Finding::kFine, "a watch continues another one");
    (watch.*end)();
  }
}

const ModelRegistration kOneWatches{{
    .name = "slot_watch/one_watches",
    .claim = "one worker watches at a time, and begins anew, whether the watch before it rested, "
             "was needed again or ended",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 1, .spurious = 1},
    .body =
        [] {
          SlotWatch watch(1);
          WatchOnce(watch, &SlotWatch::Rest);
          platform::Thread putting("putting", [&] { watch.MustNotify(); });
          platform::Thread ending("ending", [&] { WatchOnce(watch, &SlotWatch::End); });
          WatchOnce(watch, &SlotWatch::Rest);
          putting.Join();
          ending.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::slot_watch_model
