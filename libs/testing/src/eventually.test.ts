import { withFakeTimers } from '@steward/async/testing';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the first result that is neither false nor undefined', async () => {
    const answers = [undefined, false, 0];
    await expect(eventually(() => answers.shift(), { intervalMs: 1 })).resolves.toBe(0);
  });

  it('throws the last error at the time limit', async () => {
    await withFakeTimers(['Date.now'], async (clock) => {
      let calls = 0;
      const failing = (): never => {
        calls += 1;
        if (calls === 3) clock.tick(21);
        throw new Error(`failure ${calls}`);
      };
      await expect(eventually(failing, { timeoutMs: 20, intervalMs: 1 })).rejects.toThrow('failure 3');
    });
  });
});
