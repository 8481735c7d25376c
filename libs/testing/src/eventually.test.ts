import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the first answer that is neither false nor undefined', async () => {
    const answers = [undefined, false, 0];
    await expect(eventually(() => answers.shift(), { intervalMs: 1 })).resolves.toBe(0);
  });

  it('tells the last failure when the time is over', async () => {
    let calls = 0;
    const failing = (): never => {
      calls += 1;
      throw new Error(`failure ${calls}`);
    };
    await expect(eventually(failing, { timeoutMs: 20, intervalMs: 1 })).rejects.toThrow(
      /^failure [2-9]\d*|^failure 1\d+/,
    );
  });
});
