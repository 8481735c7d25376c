import { warnOfOpenTargets } from './warn-of-open-targets.ts';

describe('the warnings at the start of a dispatcher', () => {
  it.each([
    ['warns while targets are open and its port is reached from elsewhere', '0.0.0.0', false, 1],
    ['is quiet on a machine of its own', '127.0.0.1', false, 0],
    ['is quiet while targets are guarded', '0.0.0.0', true, 0],
  ])('%s', (_title, healthHost, webhookBlockPrivateTargets, expected) => {
    const warnings: unknown[] = [];
    warnOfOpenTargets({ healthHost, webhookBlockPrivateTargets }, { warn: (event) => void warnings.push(event) });
    expect(warnings).toHaveLength(expected);
  });
});
