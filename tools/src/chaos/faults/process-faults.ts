import type { AppName } from '../../workspace.ts';
import { signalProcess } from './signal-process.ts';
import type { Fault, FaultContext } from './fault.ts';
import { pause, repeat } from './pause.ts';

const LONGEST_FREEZE_SECONDS = 30;
const HEALTHY_MS = 60_000;

/** Returns the app for each turn: the apps of the scenario in turn, in random order. */
function drawApps({ apps, random }: FaultContext): (turn: number) => AppName {
  const order = random.shuffle(apps);
  return (turn) => order[turn % order.length] as AppName;
}

export const killFault: Fault = {
  name: 'kill -9 an app',
  inject(context) {
    const { place, random, ending, say } = context;
    const pick = drawApps(context);
    return repeat(
      ending,
      () => random.between(0.5, 3),
      async (turn) => {
        // If an app were killed as soon as it had started, it would do no work between two faults.
        if (turn > 0) await place.suite.waitUntilHealthy(HEALTHY_MS);
        await pause(random.between(0.5, 2));
        const app = pick(turn);
        say(`kill -9 ${app}`);
        signalProcess(place.suite.readPid(app), 'SIGKILL');
      },
    );
  },
};

export const freezeFault: Fault = {
  name: 'freeze an app',
  inject(context) {
    const { place, random, ending, say } = context;
    const pick = drawApps(context);
    return repeat(
      ending,
      () => random.between(0.5, 2),
      async (turn) => {
        const app = pick(turn);
        const pid = place.suite.readPid(app);
        const longest = Math.min(LONGEST_FREEZE_SECONDS, context.seconds);
        const seconds = random.between(longest / 3, longest);
        say(`SIGSTOP ${app} for ${seconds.toFixed(1)} s`);
        signalProcess(pid, 'SIGSTOP');
        await pause(seconds);
        signalProcess(pid, 'SIGCONT');
      },
    );
  },
};
