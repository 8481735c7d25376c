import { createFairThread, type FairThread } from './fair-thread.ts';

/** Script of the thread, which waits or uses CPU time for a number of milliseconds. */
const FILE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const cell = new Int32Array(new SharedArrayBuffer(4));
    parentPort.on('message', ({ waits = 0, works = 0 }) => {
      Atomics.wait(cell, 0, 0, waits);
      const before = process.threadCpuUsage();
      for (let spent = 0; spent < works * 1000; ) {
        const { user, system } = process.threadCpuUsage(before);
        spent = user + system;
      }
      parentPort.postMessage('done');
    });`)}`,
);
const TIMEOUT_MS = 500;

let thread: FairThread<{ readonly waits?: number; readonly works?: number }, string>;
beforeEach(() => {
  thread = createFairThread({
    name: 'test',
    file: FILE,
    memory: {},
    maxWaitingBytes: 100,
    timeoutMs: TIMEOUT_MS,
    idleMs: 60_000,
    refuseFull: () => new Error('full'),
    refuseFailed: (cause) => cause,
  });
});
afterEach(() => thread.close());

describe('the time limit of work in a thread (LIM-75)', () => {
  it('is processor time: work that has to wait for a busy machine is not aborted', async () => {
    await expect(thread.run('a', { waits: 2 * TIMEOUT_MS }, 1)).resolves.toBe('done');
  });

  it('ends the thread when it is exceeded, and the next work gets a new thread', async () => {
    const works = thread.run('a', { works: 60_000 }, 1);
    const next = thread.run('a', { works: 1 }, 1);
    await expect(works).rejects.toThrow(`exceeded ${TIMEOUT_MS} ms of CPU time`);
    await expect(next).resolves.toBe('done');
  });

  it('applies to each work item separately, regardless of how much time the thread used before', async () => {
    for (let round = 0; round < 5; round += 1) {
      await expect(thread.run('a', { works: TIMEOUT_MS / 3 }, 1)).resolves.toBe('done');
    }
  });

  it('is at most ten times as long in wall-clock time', async () => {
    await expect(thread.run('a', { waits: 60_000 }, 1)).rejects.toThrow('exceeded');
  });
});
