import { warnOfOpenTargets } from './warn-of-open-targets.ts';

describe('the warnings at the start of a dispatcher', () => {
  it.each([
    ['warns if targets are open and its port can be reached from other machines', '0.0.0.0', false, 1],
    ['does not warn if its port is local', '127.0.0.1', false, 0],
    ['does not warn if targets are guarded', '0.0.0.0', true, 0],
  ])('%s', (_title, healthHost, webhookBlockPrivateTargets, expected) => {
    const warnings: unknown[] = [];
    warnOfOpenTargets({ healthHost, webhookBlockPrivateTargets }, { warn: (event) => void warnings.push(event) });
    expect(warnings).toHaveLength(expected);
  });
});
