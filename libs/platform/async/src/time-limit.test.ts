import { endsWithin, limitTime } from './time-limit.ts';

const never = new Promise<never>(() => undefined);
const refused = () => Promise.reject(new Error('refused'));
const late = () => new Error('late');

describe('a time limit for work', () => {
  it('reports whether the work ended', async () => {
    expect(await endsWithin(Promise.resolve('done'), 10_000)).toBe(true);
    expect(await endsWithin(never, 1)).toBe(false);
    expect(await endsWithin(never, -1)).toBe(false);
  });

  it('returns the result, or the given error', async () => {
    expect(await limitTime(Promise.resolve('done'), 10_000, late)).toBe('done');
    await expect(limitTime(never, 1, late)).rejects.toThrow('late');
  });

  it('passes on errors of work that ended in time', async () => {
    await expect(endsWithin(refused(), 10_000)).rejects.toThrow('refused');
    await expect(limitTime(refused(), 10_000, late)).rejects.toThrow('refused');
  });

  it('leaves no timer behind', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await endsWithin(Promise.resolve(), 60_000);
    await limitTime(Promise.resolve(), 60_000, late);
    await endsWithin(refused(), 60_000).catch(() => undefined);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
  });
});
