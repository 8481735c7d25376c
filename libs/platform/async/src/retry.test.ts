import { retry } from './retry.ts';

function failing(times: number) {
  let calls = 0;
  return {
    calls: () => calls,
    work: () => {
      calls += 1;
      return calls <= times ? Promise.reject(new Error(`failure ${calls}`)) : Promise.resolve('done');
    },
  };
}

describe('retry', () => {
  it('repeats the work until it succeeds, and no longer', async () => {
    const task = failing(2);
    expect(await retry(task.work, { delaysMs: [0, 0, 0, 0] })).toBe('done');
    expect(task.calls()).toBe(3);
  });

  it('throws the last error when the delays are used up', async () => {
    const task = failing(9);
    await expect(retry(task.work, { delaysMs: [0, 0] })).rejects.toThrow('failure 3');
    expect(task.calls()).toBe(3);
  });

  it('throws permanent errors immediately', async () => {
    const task = failing(9);
    await expect(retry(task.work, { delaysMs: [0, 0], mayRetry: () => false })).rejects.toThrow('failure 1');
    expect(task.calls()).toBe(1);
  });
});
