import { CAMPAIGN_FILES } from './campaigns.ts';
import { RUN_LIMITS } from './run-limits.ts';
import { splitArguments } from './split-arguments.ts';

describe('the arguments of npm test', () => {
  it('are passed to jest', () => {
    expect(splitArguments(['libs/text', '-t', 'a title'])).toEqual({
      node: [],
      jest: ['libs/text', '-t', 'a title'],
      isInteractive: false,
      isFull: false,
      isRecorded: false,
    });
  });

  it.each([
    ['of one project', ['--config', 'libs/text/jest.config.js']],
    ['of the configurations of one project', ['--projects', 'a/jest.config.js', 'a/jest.components.config.js']],
  ])('apply the limits of the root configuration to a run %s', (_what, given) => {
    const { jest } = splitArguments(given);
    expect(jest).toEqual(
      expect.arrayContaining([
        `--testTimeout=${RUN_LIMITS.testTimeout}`,
        `--workerIdleMemoryLimit=${RUN_LIMITS.workerIdleMemoryLimit}`,
      ]),
    );
    expect(jest.slice(-given.length)).toEqual(given);
  });

  it('run the given campaigns, or all, at their full size', () => {
    expect(splitArguments(['--full', 'apps/a.test.ts'])).toMatchObject({ jest: ['apps/a.test.ts'], isFull: true });
    expect(splitArguments(['--full'])).toMatchObject({ jest: CAMPAIGN_FILES, isFull: true });
  });

  it('record the durations of a run on request', () => {
    expect(splitArguments(['--record'])).toMatchObject({ jest: [], isRecorded: true });
  });

  it.each(['--watch', '--watchAll'])('%s gives jest access to the terminal', (flag) => {
    expect(splitArguments([flag])).toEqual({
      node: [],
      jest: [flag],
      isInteractive: true,
      isFull: false,
      isRecorded: false,
    });
  });

  it.each(['--inspect', '--inspect-brk', '--inspect-brk=127.0.0.1:9230', '--inspect-wait'])(
    '%s is passed to Node, with one process and without a time limit',
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
        isFull: false,
        isRecorded: false,
      });
    },
  );
});
