import { boundAnswer } from './bound-answer.ts';

const long = (length: number) => 'x'.repeat(length);

describe('a size-limited response of a tracker (LIM-99)', () => {
  it('is unchanged if it is within the limit', () => {
    const answer = { title: 'A', labels: ['b'], comments: [{ body: 'c', author: null }], count: 3, more: false };
    expect(boundAnswer(answer)).toEqual(answer);
  });

  it('has long texts truncated, with a lower limit for comments and files', () => {
    const { body, comments } = boundAnswer({ body: long(30_000), comments: [{ body: long(5_000) }] });
    expect(body).toBe(`${long(20_000)}\n[truncated by Steward: showing 20000 of 30000 characters]`);
    expect(JSON.stringify(comments)).toContain('showing 4000 of 5000 characters');
  });

  it.each(['comments', 'files', 'issues'])(
    'never exceeds its limit, however many %s there are, and reports how many were omitted',
    (key) => {
      const entries = Array.from({ length: 1000 }, () => ({ body: long(30_000), path: long(50) }));
      const bounded = boundAnswer({ [key]: entries });
      const kept = (bounded[key] as unknown[]).length;
      expect(bounded[`${key}_omitted`]).toBe(1000 - kept);
      expect(JSON.stringify(bounded).length).toBeLessThan(110_000);
    },
  );
});
