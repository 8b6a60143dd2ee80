#include "config/schema_of.hpp"
#include "registry/scheduler.hpp"
#include "schedulers/work_stealing/make_pool.hpp"
#include "schedulers/work_stealing/named_config.hpp"

#include <memory>
#include <string_view>

namespace schedbench::schedulers::work_stealing {

namespace {

const registry::SchedulerRegistration kWorkStealing{{
    .name = "work_stealing",
    .doc = "work stealing, composed of parts: queues, steal, grab, overflow, pick order, victim, "
           "notify",
    .schema = &config::SchemaOf<WorkStealingConfig>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
      return MakePool(settings.As<WorkStealingConfig>(), seed);
    },
}};

// A variant under the name by which it was published.
template <Policies Fixed>
class Named : public registry::SchedulerRegistration {
 public:
  Named(std::string_view name, std::string_view doc)
      : SchedulerRegistration({
            .name = name,
            .doc = doc,
            .schema = &config::SchemaOf<NamedConfig<Fixed>>,
            .make = [](const config::Settings& settings,
                       std::uint64_t seed) -> std::unique_ptr<registry::IScheduler> {
              return MakePool(Complete(settings.As<NamedConfig<Fixed>>()), seed);
            },
            .is_variant = true,
        }) {
  }
};

using enum LocalQueueKind;
constexpr auto kMutexGlobal = GlobalQueueKind::kMutex;

// The variants of the toucan report. With an LFABQueue a worker takes one task of the global queue
// at a time: the report varies this only for MutexQueue, which never overflows.
const Named<{kMutex, kMutexGlobal, Steal::kHalf, GrabSize::kAll, Overflow::kOne}> kHalfAll{
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetAllFromGlob",
    "toucan report: local queues with locks; steals half, takes all from the global queue"};
const Named<{kMutex, kMutexGlobal, Steal::kOne, GrabSize::kAll, Overflow::kOne}> kOneAll{
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetAllFromGlob",
    "toucan report: local queues with locks; steals one, takes all from the global queue"};
const Named<{kMutex, kMutexGlobal, Steal::kHalf, GrabSize::kOne, Overflow::kOne}> kHalfOne{
    "WorkStealing_MutexQueue_MutexQueue_StealHalf_GetOneFromGlob",
    "toucan report: local queues with locks; steals half, takes one from the global queue"};
const Named<{kMutex, kMutexGlobal, Steal::kOne, GrabSize::kOne, Overflow::kOne}> kOneOne{
    "WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob",
    "toucan report: local queues with locks; steals one, takes one from the global queue"};
const Named<{kLFAB, kMutexGlobal, Steal::kHalf, GrabSize::kOne, Overflow::kHalf}> kHalfHalf{
    "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf",
    "toucan report: bounded lock-free local queues; a full one offloads half; steals half"};
const Named<{kLFAB, kMutexGlobal, Steal::kHalf, GrabSize::kOne, Overflow::kOne}> kOneHalf{
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealHalf",
    "toucan report: bounded lock-free local queues; a full one offloads one; steals half"};
const Named<{kLFAB, kMutexGlobal, Steal::kOne, GrabSize::kOne, Overflow::kHalf}>
    kHalfToGlobStealOne{
        "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealOne",
        "toucan report: bounded lock-free local queues; a full one offloads half; steals one"};
const Named<{kLFAB, kMutexGlobal, Steal::kOne, GrabSize::kOne, Overflow::kOne}> kOneToGlobStealOne{
    "WorkStealing_MutexQueue_LFABQueue_PutOneToGlob_StealOne",
    "toucan report: bounded lock-free local queues; a full one offloads one; steals one"};

}  // namespace

}  // namespace schedbench::schedulers::work_stealing
