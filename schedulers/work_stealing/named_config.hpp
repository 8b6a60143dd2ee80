#pragma once

#include "schedulers/work_stealing/config.hpp"

namespace schedbench::schedulers::work_stealing {

// The fields that the names of the toucan report leave free. `Fixed`: what a name fixes.
template <Policies Fixed>
struct NamedConfig {
  fields::Workers workers;
  LocalQueueCapacity local_queue_capacity;
  fields::VictimField victim;
  PickOrderField<PickOrder::kS0> pick_order;
  fields::LifoLimit lifo_limit;
  YieldToField<YieldTo::kLocal> yield_to;
  fields::GlobalPollPeriod global_poll_period;
  fields::MaxSearching max_searching;
  NotifyField notify;
  fields::Stacks stacks;

  static void Check(const NamedConfig& config, config::Problems& problems) {
    WorkStealingConfig::CheckNumbers(Complete(config), Parts::kNamed, problems);
  }
};

// Returns the config of a variant: what its name fixes, and what the user has chosen.
template <Policies Fixed>
WorkStealingConfig Complete(const NamedConfig<Fixed>& named) {
  WorkStealingConfig config;
  config.local_queue.value = Fixed.local_queue;
  config.global_queue.value = Fixed.global_queue;
  config.steal.value = Fixed.steal;
  config.global_grab.value = Fixed.global_grab;
  config.overflow.value = Fixed.overflow;
  config.workers = named.workers;
  config.local_queue_capacity = named.local_queue_capacity;
  config.steal_batch.value = kNoStealLimit;
  config.victim = named.victim;
  config.pick_order.value = named.pick_order.value;
  config.lifo_limit = named.lifo_limit;
  config.yield_to.value = named.yield_to.value;
  config.global_poll_period = named.global_poll_period;
  config.max_searching = named.max_searching;
  config.notify = named.notify;
  config.stacks = named.stacks;
  return config;
}

}  // namespace schedbench::schedulers::work_stealing
