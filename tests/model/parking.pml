/* How the workers of schedulers/fast go to sleep, wake up and leave: coordinator.cpp and the parts of run_loop.hpp and
 * worker_pool.hpp that use it. README.md in this folder says what is modelled, what is checked and how to run it.
 *
 * One atomic { } is one access of shared memory, or one critical section of the global queue's lock, with what a
 * thread does alone behind it. Variables that are dead are set to 0, so that equal states are equal.
 */

#ifndef W
#define W 2              /* workers, at most 4 */
#endif
#ifndef T
#define T 2              /* tasks */
#endif
#ifndef MAX_SEARCHING
#define MAX_SEARCHING ((W + 1) / 2)
#endif
#ifndef CAPACITY
#define CAPACITY 2       /* of a local queue */
#endif

/* Also: BARRIER, WAITER, STOP_AFTER_START, STOP_AFTER_WAIT, ONE_STEP_FUTEX; README.md says what they are. */

#ifndef MUTANT
#define MUTANT 0         /* or one of these mistakes */
#endif
#define NO_LOOK 1                 /* (park) a worker parks without a recheck */
#define ONLY_LAST_SEARCHER 2      /* (park) only the last searcher looks, as in Tokio */
#define NO_LOOK_AT_END_OF_SEARCH 3 /* (found) the last searcher finds a task and wakes no worker for the next */
#define NO_NOTIFY_AFTER_MOVE 4    /* KeepBatch() puts tasks into the local queue and says nothing */
#define LOCAL_QUEUES_FIRST 5      /* HasWork() looks at the global queue last: this one is right all the same */
#define STOP_WITHOUT_WAKE 6       /* RequestStop() only sets the flag */
#define END_WITHOUT_LOOK 7        /* the last one to become idle ends all without a look at the queues */
#define END_WITHOUT_CHECK 8       /* TryEnd() does not see that a worker is no longer idle */
#define NO_FUTEX_WAKE 9           /* Wake() writes the word and leaves the sleeper in the kernel */
#define CLAIM_IS_NO_SEARCHER 10   /* the claim does not count the woken one as searching */
#define WAIT_WITHOUT_WORD 11      /* WaitIdle() does not announce itself in the word */
#define END_WAKES_NO_WORKER 12    /* TryEnd() lets the others sleep */
#define SUBMITTED_FIRST 13        /* WaitIdle() sums up what was submitted first */
#define NO_NOTIFY_AFTER_PUSH 14   /* Submit() puts a task into a queue and says nothing */
#define END_ALONE 15              /* a worker ends as soon as it finds nothing, while others run */
#define SECOND_CLAIM_STAYS 16     /* CancelPark() of a worker that is claimed already does not give its own claim back */
#define COUNTED_BEFORE_LISTED 17  /* a worker is counted as idle before it is in the set: this one is right, a claimer only waits */
#define REMOVED_BEFORE_CLAIM 18   /* CancelPark() leaves the set first, and then finds that all idle workers are claimed */
#define CANCEL_WITHOUT_COUNT 19   /* CancelPark() only leaves the set */
#define LATE_DOES_NOT_LOOK 20     /* (park) a worker that counts its idle period late rechecks only if no worker searches */

#define BIT(w) (1 << (w))
#define ALL ((1 << W) - 1)
#define LOWEST(bits) (((bits) & 1) -> 0 : (((bits) & 2) -> 1 : (((bits) & 4) -> 2 : 3)))

/* The state word of the coordinator. */
byte idle = 0;           /* a number; the workers are in `set` */
byte searching = 0;
bool waiting = false;
bool stop = false;
bool all_ended = false;

/* idle_periods_: those that have begun minus those that have ended. */
short periods = 0;
#define COUNT_BEGIN periods = periods + period; period = false
#define COUNT_END periods = periods - period; period = false

/* WorkerSet of the idle workers, as bits. */
byte set = 0;

/* Wake words, and which workers sleep on them in the kernel. */
#define EMPTY 0
#define ASLEEP 1
#define WOKEN 2
byte wake[W];
bool sleeps[W];

/* Queues, as numbers of tasks. */
byte global = 0;
byte ring[W];

/* Tasks that are not submitted yet; the thread outside or any task that runs may do so. */
byte unsubmitted = T;
byte started = 0;
byte ended = 0;
byte gone = 0;           /* workers that have ended */

#ifdef WAITER
bool all_submitted = false; /* by the thread outside: from here on WaitIdle() may be called */
bool epoch_moved = false;   /* since WaitIdle() has read it */
bool waiter_sleeps = false;
bool waiter_done = false;
byte outside = 0;        /* tasks_submitted of the thread outside */
byte submitted[W];       /* tasks_submitted and tasks_run of each worker */
byte completed[W];
#define COUNT_SUBMITTED(w) submitted[w]++
#define COUNT_RUN(w) completed[w]++
#define COUNT_OUTSIDE outside++
#define DONE_SUBMITTING all_submitted = true
#else
#define COUNT_SUBMITTED(w) skip
#define COUNT_RUN(w) skip
#define COUNT_OUTSIDE skip
#define DONE_SUBMITTING skip
#endif

#define MAY_NEED_WAKE (searching == 0 && idle != 0 && !all_ended)

/* Coordinator::Wake: the exchange of the wake word, then the system call. */
inline Wake(worker) {
#ifdef ONE_STEP_FUTEX
  atomic { assert(wake[worker] == EMPTY); wake[worker] = WOKEN; worker = 0 }
#else
  if
  :: atomic { wake[worker] == ASLEEP -> wake[worker] = WOKEN };
#if MUTANT == NO_FUTEX_WAKE
     atomic { worker = 0 }
#else
     atomic { sleeps[worker] = false; worker = 0 }
#endif
  :: atomic { wake[worker] != ASLEEP ->
       assert(wake[worker] == EMPTY);  /* no worker is woken twice */
       wake[worker] = WOKEN; worker = 0 }
  fi
#endif
}

/* WorkerSet::Take: any worker of the set, because others change the set while a thread looks through its words. It waits where
 * there is none, so that a claim for which there is no worker is a deadlock. */
#define IN_SET(v) ((v) < W && (set & BIT(v)) != 0)
inline Take(worker) {
  if
  :: atomic { IN_SET(0) -> worker = 0; set = set & ~BIT(0) }
  :: atomic { IN_SET(1) -> worker = 1; set = set & ~BIT(1) }
#if W > 2
  :: atomic { IN_SET(2) -> worker = 2; set = set & ~BIT(2) }
#endif
#if W > 3
  :: atomic { IN_SET(3) -> worker = 3; set = set & ~BIT(3) }
#endif
  fi
}

/* Coordinator::WakeOne: a load of the word and, where it shows need, exchanges until one succeeds or shows none. Either
 * way there is one moment that counts. Then the claim finds its worker. */
inline WakeOne(worker) {
  if
  :: atomic { MAY_NEED_WAKE ->
       idle--;
       period = (idle == 0);
#if MUTANT != CLAIM_IS_NO_SEARCHER
       searching++
#endif
     };
     atomic { COUNT_END };
     Take(worker);
     Wake(worker)
  :: atomic { !MAY_NEED_WAKE -> skip }
  fi
}

/* Coordinator::Notify looks at the idle periods first. */
inline Notify(worker) {
  if
  :: atomic { periods != 0 -> skip };
     WakeOne(worker)
  :: atomic { periods == 0 -> skip }
  fi
}

/* Place number q in the order of ThreadPool::HasWork. */
#if MUTANT == LOCAL_QUEUES_FIRST
#define TASKS_AT(q) ((q) == W -> global : ring[q])
#else
#define TASKS_AT(q) ((q) == 0 -> global : ring[(q) - 1])
#endif

#define NOTIFY_AFTER_MOVE (MUTANT != NO_NOTIFY_AFTER_MOVE)

/* What a batch of n tasks becomes: one to run, the others on their way to the local queue. */
#define TAKE(queue, n) queue = queue - (n); hand = (n) - 1

/* A worker joins the set of the idle behind its last look at a queue: no other step of its own lies between. */
#if MUTANT == COUNTED_BEFORE_LISTED
#define JOIN skip
#else
#define JOIN set = set | BIT(me)
#endif

proctype Worker(byte me) {
  bool searches = false;  /* searching_ */
  byte hand = 0;          /* tasks between two queues, which no thread sees */
  byte q = 0;             /* place in a look around */
  byte worker = 0;
  byte visited = 0;       /* victims */
  bool look = false;
  bool last = false;
  byte rest = 0;          /* workers to be woken at the end */
  bool period = false;    /* an idle period has begun or ended that is not counted yet */
  bool early = false;     /* it was counted before it began */

Pick:
  if  /* the poll comes at any time that suits the adversary */
  :: atomic { global > 0 -> global--; goto Picked }
  :: atomic { ring[me] > 0 -> ring[me]--; goto Picked }
  :: atomic { ring[me] == 0 -> skip }
  fi;

  if  /* TryGrabTasksFromGlobalQueue; a share may be anything from 1 to half a queue */
  :: atomic { global > 0 -> TAKE(global, 1); goto Picked }
  :: atomic { global > 1 && CAPACITY / 2 > 1 -> TAKE(global, 2); goto Keep }
  :: atomic { global == 0 ->
       if
       :: searches -> goto Steal
       :: else
       fi }
  fi;

  if  /* TryBeginSearch: a load, then an addition, so that more may search */
  :: atomic { searching < MAX_SEARCHING -> skip }
  :: atomic { searching >= MAX_SEARCHING -> JOIN; goto Announce }
  fi;
  atomic { searching++; searches = true };

#define STEAL(v)                                                                        \
  :: atomic { (v) < W && (v) != me && (visited & BIT(v)) == 0 && ring[v] == 0 ->       \
       visited = visited | BIT(v);                                                      \
       if                                                                               \
       :: (visited | BIT(me)) == ALL -> visited = 0; goto LastGrab                      \
       :: else -> goto Steal                                                            \
       fi }                                                                             \
  :: atomic { (v) < W && (v) != me && (visited & BIT(v)) == 0 && ring[v] > 0 ->        \
       visited = 0;                                                                     \
       if                                                                               \
       :: ring[v] < 3 -> TAKE(ring[v], 1); goto Picked                                \
       :: ring[v] >= 3 -> TAKE(ring[v], 2); goto Keep                                 \
       fi }
Steal:
  if  /* in any order */
  STEAL(0)
  STEAL(1)
#if W > 2
  STEAL(2)
#endif
#if W > 3
  STEAL(3)
#endif
  fi;

LastGrab:
  if
  :: atomic { global > 0 -> TAKE(global, 1); goto Picked }
  :: atomic { global > 1 && CAPACITY / 2 > 1 -> TAKE(global, 2); goto Keep }
  :: atomic { global == 0 -> JOIN; goto Announce }
  fi;

Keep:
  atomic {
    ring[me] = ring[me] + hand;
    hand = 0;
    if
    :: searches || !NOTIFY_AFTER_MOVE -> goto Picked
    :: else
    fi
  }
  Notify(worker);

Picked:
  if  /* FoundWork */
  :: atomic { searches ->
       searches = false;
       searching--;
       if
#if MUTANT != NO_LOOK_AT_END_OF_SEARCH
       :: searching == 0 -> q = 0
#endif
       :: else -> goto Start
       fi }
  :: atomic { !searches -> started++; goto Body }
  fi;
LookAtEnd:
  if
  :: atomic { TASKS_AT(q) > 0 -> q = 0 }; Notify(worker)
  :: atomic { TASKS_AT(q) == 0 ->
       q++;
       if
       :: q == W + 1 -> q = 0
       :: else -> goto LookAtEnd
       fi }
  fi;

Start:
  atomic { started++ };
Body:
  if
  :: atomic { unsubmitted > 0 ->  /* PushToLocalQueue */
       unsubmitted--;
       COUNT_SUBMITTED(me);
       if
       :: ring[me] < CAPACITY -> ring[me]++
       :: else ->
            ring[me] = ring[me] - CAPACITY / 2;
            hand = CAPACITY / 2 + 1;
            goto Offload
       fi }
#ifdef BARRIER  /* a task ends when all have started: each needs a worker of its own */
  :: atomic { started == T -> ended++; COUNT_RUN(me); goto Pick }
#else
  :: atomic { ended++; COUNT_RUN(me); goto Pick }
#endif
  fi;
Submitted:
#if MUTANT != NO_NOTIFY_AFTER_PUSH
  Notify(worker);
#endif
  goto Body;
Offload:
  atomic { global = global + hand; hand = 0; goto Submitted };

Announce:
  if  /* CountIdlePeriodEarly */
  :: atomic { idle == 0 -> early = true }; atomic { periods++ }
  :: atomic { idle != 0 -> skip }
  fi;
  atomic {
#if MUTANT == ONLY_LAST_SEARCHER
    look = searches && searching == 1;
#elif MUTANT != NO_LOOK
    look = (searching - searches) == 0;
#if MUTANT != LATE_DOES_NOT_LOOK
    look = look || (idle == 0 && !early);
#endif
#endif
    searching = searching - searches;
    searches = false;
    period = (idle == 0) ^ early;  /* to be counted, or taken back */
    idle++;
#if MUTANT == END_ALONE
    last = stop;
#else
    last = all_ended || (stop && idle == W);
#endif
#if MUTANT == END_WITHOUT_LOOK
    look = look && !last;
#endif
#ifdef WAITER
    if
    :: idle == W && waiting -> skip
    :: else -> goto Announced
    fi
  }
  atomic { epoch_moved = true };
  atomic { waiter_sleeps = false };
Announced:
  atomic {
#else
  }
  atomic {
#if MUTANT == COUNTED_BEFORE_LISTED
    set = set | BIT(me);
#endif
#endif
    if
    :: early -> COUNT_END
    :: else -> COUNT_BEGIN
    fi;
    early = false;
    if
    :: look -> look = false
    :: !look && last -> goto End
    :: else -> goto Park
    fi
  }
LookAround:
  if
  :: atomic { TASKS_AT(q) > 0 -> q = 0 }
  :: atomic { TASKS_AT(q) == 0 ->
       q++;
       if
       :: q == W + 1 && last -> q = 0; goto End
       :: q == W + 1 && !last -> q = 0; goto Park
       :: else -> goto LookAround
       fi }
  fi;
#if MUTANT == CANCEL_WITHOUT_COUNT
  if
  :: atomic { (set & BIT(me)) != 0 -> set = set & ~BIT(me); searching++; searches = true; last = false; goto Pick }
  :: atomic { (set & BIT(me)) == 0 -> last = false; goto Park }
  fi;
#elif MUTANT == REMOVED_BEFORE_CLAIM
  if
  :: atomic { (set & BIT(me)) != 0 -> set = set & ~BIT(me) }
  :: atomic { (set & BIT(me)) == 0 -> last = false; goto Park }
  fi;
  if
  :: atomic { idle > 0 && !all_ended -> idle--; searching++; searches = true; last = false; goto Pick }
  :: atomic { idle == 0 || all_ended -> last = false; goto Park }
  fi;
#endif
  if  /* CancelPark: a claim, and then this worker */
  :: atomic { idle > 0 && !all_ended -> idle--; searching++; period = (idle == 0) }
  :: atomic { idle == 0 || all_ended -> last = false; goto Park }
  fi;
  atomic { COUNT_END };
  if
  :: atomic { (set & BIT(me)) != 0 ->
       set = set & ~BIT(me);
       searches = true;
       last = false;
       goto Pick }
  :: atomic { (set & BIT(me)) == 0 -> last = false }
  fi;
#if MUTANT != SECOND_CLAIM_STAYS
  atomic { period = (idle == 0); searching--; idle++; assert(searching > 0) };  /* never the last searcher */
  atomic { COUNT_BEGIN };
#endif
  goto Park;

End:
  if  /* TryEnd */
#if MUTANT == END_ALONE
  :: atomic { gone++; last = false; goto Gone }
#elif MUTANT == END_WITHOUT_CHECK
  :: atomic { !all_ended -> all_ended = true; last = false; rest = ALL & ~BIT(me) }
#else
  :: atomic { !all_ended && idle == W -> all_ended = true; last = false; rest = ALL & ~BIT(me) }
  :: atomic { !all_ended && idle != W -> last = false; goto Park }
#endif
  :: atomic { all_ended -> gone++; last = false; goto Gone }
  fi;
#if MUTANT == END_WAKES_NO_WORKER
  atomic { rest = 0; gone++; goto Gone };
#endif
EndNext:
  atomic { worker = LOWEST(rest); rest = rest & ~BIT(worker) };
  Wake(worker);
  if
  :: atomic { rest != 0 -> goto EndNext }
  :: atomic { rest == 0 -> gone++; goto Gone }
  fi;

Park:
#ifdef ONE_STEP_FUTEX
  atomic { wake[me] == WOKEN -> wake[me] = EMPTY; goto Woken };
#else
  if
  :: atomic { wake[me] == EMPTY -> wake[me] = ASLEEP }
  :: atomic { wake[me] == WOKEN -> wake[me] = EMPTY; goto Woken }
  fi;
FutexWait:
  if  /* the kernel compares and sleeps in one step */
  :: atomic { wake[me] == ASLEEP -> sleeps[me] = true }
  :: atomic { wake[me] == WOKEN -> wake[me] = EMPTY; goto Woken }
  fi;
Asleep:
  atomic { !sleeps[me] -> goto FutexWait };
#endif
Woken:
  atomic {
    if
    :: all_ended -> gone++
    :: else -> searches = true; goto Pick
    fi
  }
Gone:
  skip
}

#ifdef WAITER
/* ThreadPool::WaitIdle, by a thread of its own, so that it meets Stop() as well. */
#if MUTANT == SUBMITTED_FIRST
#define SUM_FIRST(i) (i == W -> outside : submitted[i])
#define SUM_SECOND(i) (i == W -> 0 : completed[i])
#else
#define SUM_FIRST(i) (i == W -> 0 : completed[i])
#define SUM_SECOND(i) (i == W -> outside : submitted[i])
#endif
proctype Waiter() {
  byte first = 0;
  byte second = 0;
  byte i = 0;

  all_submitted;
  atomic { epoch_moved = false };
#if MUTANT != WAIT_WITHOUT_WORD
  atomic { waiting = true };
#endif
First:
  atomic {
    first = first + SUM_FIRST(i);
    i++;
    if
    :: i <= W -> goto First
    :: else -> i = 0
    fi
  }
Second:
  atomic {
    second = second + SUM_SECOND(i);
    i++;
    if
    :: i <= W -> goto Second
    :: i > W && first == second -> i = 0; first = 0; second = 0; goto Idle
    :: else -> i = 0; first = 0; second = 0
    fi
  }
  if  /* SleepUntilAllIdle, then the epoch is read again */
  :: atomic { epoch_moved -> epoch_moved = false; goto First }
  :: atomic { !epoch_moved -> waiter_sleeps = true }
  fi;
  atomic { !waiter_sleeps -> epoch_moved = false; goto First };
Idle:
  atomic {
    assert(ended + unsubmitted == T);
    waiting = false;
    waiter_done = true
  }
}
#endif

/* A thread that is no worker: it submits what no task does, and stops the pool. */
init {
  byte worker = 0;
  bool period = false;

  atomic {
    run Worker(0);
    run Worker(1);
#if W > 2
    run Worker(2);
#endif
#if W > 3
    run Worker(3);
#endif
#ifdef WAITER
    run Waiter();
#endif
  }
Submit:
  if
  :: atomic { unsubmitted > 0 -> unsubmitted--; COUNT_OUTSIDE; global++ };
#if MUTANT != NO_NOTIFY_AFTER_PUSH
     Notify(worker);
#endif
     goto Submit
#ifdef BARRIER
  :: atomic { unsubmitted == 0 -> DONE_SUBMITTING }
#else
  :: atomic { DONE_SUBMITTING }  /* the rest is for the tasks, or for none */
#endif
  fi;

  /* RequestStop */
  atomic {
#ifdef STOP_AFTER_WAIT
    waiter_done;
#elif defined(STOP_AFTER_START)
    started == T;
#endif
    stop = true
  }
#if MUTANT != STOP_WITHOUT_WAKE
  WakeOne(worker);
#endif

Join:
  atomic {
    gone == W;
    assert(started + unsubmitted == T && ended == started);  /* no task is lost */
    assert(global == 0 && ring[0] == 0 && ring[1] == 0);
#if W > 2
    assert(ring[2] == 0);
#endif
#if W > 3
    assert(ring[3] == 0);
#endif
    assert(searching == 0)
  }
}
