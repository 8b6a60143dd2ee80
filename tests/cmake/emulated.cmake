# Cases that qemu-user cannot run, with the reason that tests/build/run_tests.sh prints.
set(schedbench_left_out_cases)
function(schedbench_leave_out_cases reason)
  list(JOIN ARGN ":" cases)
  schedbench_leave_out("${cases}" "${reason}")
  set(schedbench_left_out_cases ${schedbench_left_out_cases} ${ARGN} PARENT_SCOPE)
endfunction()

schedbench_leave_out_cases("the emulator has no process_vm_readv, without which memory is read unchecked"
  SafeRead.Re* StackRegistry.CanBeReadWhilePoolsComeAndGo CensusTest.*)
schedbench_leave_out_cases("the emulator accepts MADV_GUARD_INSTALL and does nothing"
  Kinds/StackGuardDeathTest.*/auto Kinds/StackGuardDeathTest.*/madvise InstallGuard.MakesThePageFault
  InstallGuards.MakesEachPageFaultUnlessItIsRefused)
schedbench_leave_out_cases("in the emulator a child that has not called exec shares no memory with its parent"
  ChildProcessTest.SaysThatThereIsNoSuchProgram Program.ThrowsIfThereIsNone
  Simulator.ReportsHowItsProgramEnded)
schedbench_leave_out_cases("the test sees the threads and parents of the emulator itself"
  ThreadDump.ReportsTheCallsOfEachThreadThatAnswers ChildProcessTest.KillsWhatItStartedInOtherSessionsBeforeOrAfterItsEnd)
schedbench_leave_out_cases("the emulator takes milliseconds to start a thread"
  *Conformance*/thread_per_task_*)
list(JOIN schedbench_left_out_cases ":" schedbench_left_out_filter)
