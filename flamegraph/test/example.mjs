// Data such as the tool writes, for tests and to look at: `node test/example.mjs > DATA.json`.
import { foldGraph, makeData } from './fold.mjs';
import { isProgram } from '../program.mjs';

const kRun = 'schedbench::fast::Worker::Work;schedbench::fast::Worker::RunTask';
const kCpu = `worker:0;${kRun};fiber:ping;PingPong::Ping;Channel<int>::Send;Channel<int>::Park;SwitchContext 300
worker:0;${kRun};fiber:ping;PingPong::Ping;Channel<int>::Send;SpinLock::Lock 150
worker:0;${kRun};fiber:ping;PingPong::Ping 80
worker:0;${kRun};fiber:pong;PingPong::Pong;Channel<int>::Receive;SwitchContext 250
worker:0;${kRun};fiber:pong;PingPong::Pong;Channel<int>::Receive 90
worker:0;worker:search;fast::Worker::TryPickTask;fast::Worker::TryStealTasks 60
worker:0;worker:park;futex_wait 70
worker:1;${kRun};fiber:ping;PingPong::Ping;Channel<int>::Send;SwitchContext 280
worker:1;${kRun};fiber:pong;PingPong::Pong;Channel<int>::Receive;std::deque<int>::push_back 120
worker:1;worker:search;fast::Worker::TryPickTask;GlobalQueue::TryPop 90
worker:1;worker:park;futex_wait 210
`;
const kWaiting = `fiber:ping;PingPong::Ping;Channel<int>::Send;wait:channel 52000
fiber:pong;PingPong::Pong;Channel<int>::Receive;wait:channel 61000
fiber:ping;PingPong::Ping;ready:queue 8000
fiber:pong;PingPong::Pong;ready:lifo 1500
main;WaitGroup::Wait;wait:waitgroup 90000
`;
const kDiff = `main;grown 100 400
main;shrunk 400 100
main;same 500 505
main;vanished;deeper 200 0
main;fresh 0 195
main;rare 2 3
`;

export const kExample = makeData('pingpong on fast', [
  ['sampler', 'perf task clock, 999 Hz asked, 998 delivered'], ['samples', '1,700, none lost'],
  ['machine', '2 CPUs'], ['config', 'fast.json'],
],
foldGraph(kCpu, { name: 'CPU', about: 'Where the workers spend their time' }),
foldGraph(kWaiting, { name: 'Waiting', about: 'What waits where, and for how long', unit: 'us' }),
foldGraph(kDiff, { name: 'Change', about: 'This run against the one before' }));

if (isProgram(import.meta.url)) {
  console.log(JSON.stringify(kExample));
}
