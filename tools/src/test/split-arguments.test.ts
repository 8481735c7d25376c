import { RUN_LIMITS } from './run-limits.ts';
import { splitArguments } from './split-arguments.ts';

describe('the arguments of npm test', () => {
  it('are those of jest', () => {
    expect(splitArguments(['libs/text', '-t', 'a title'])).toEqual({
      node: [],
      jest: ['libs/text', '-t', 'a title'],
      isInteractive: false,
    });
  });

  it('give a run of one project the limits of the root configuration', () => {
    const { jest } = splitArguments(['--config', 'libs/text/jest.config.js']);
    expect(jest).toEqual(
      expect.arrayContaining(['--testTimeout=120000', `--workerIdleMemoryLimit=${RUN_LIMITS.workerIdleMemoryLimit}`]),
    );
    expect(jest.slice(-2)).toEqual(['--config', 'libs/text/jest.config.js']);
  });

  it.each(['--watch', '--watchAll'])('%s leaves the terminal to jest', (flag) => {
    expect(splitArguments([flag])).toEqual({ node: [], jest: [flag], isInteractive: true });
  });

  it.each(['--inspect', '--inspect-brk', '--inspect-brk=127.0.0.1:9230', '--inspect-wait'])(
    '%s uses Node: one process, without a time limit',
    (flag) => {
      expect(splitArguments([flag, 'a.test.ts', '--config', 'x'])).toEqual({
        node: [flag],
        jest: [
          `--workerIdleMemoryLimit=${RUN_LIMITS.workerIdleMemoryLimit}`,
          '--runInBand',
          '--testTimeout=2147483647',
          'a.test.ts',
          '--config',
          'x',
        ],
        isInteractive: true,
      });
    },
  );
});
