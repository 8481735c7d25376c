import fc from 'fast-check';
import { newId } from '@steward/crypto';
import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { useSessions, type Key } from '../../testing/use-sessions.ts';
import { updateRuntimeSession } from './update-runtime-session.ts';

const sessions = useSessions();

interface Texts {
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
}
const update = (key: Key, texts: Texts, now = new Date()) =>
  sessions.run((trx, hints) => updateRuntimeSession(trx, hints, { ...key, ...texts, now }, WRITE_OPTIONS));

describe('changing title and summary (SESS-2)', () => {
  it('replaces the chunk of the session; clearing both removes it', async () => {
    const key = await sessions.openSession({ title: 'First' });
    await update(key, { title: 'Second' });
    expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual(['Second']);
    expect(await update(key, { title: null, summary: '' })).toMatchObject({
      title: null,
      summary: null,
      titleOrigin: null,
    });
    expect(await sessions.readChunks(key)).toEqual([]);
  });

  it('retains omitted fields, clears null or blank ones, and updates the corpus, in any order', async () => {
    const text = fc.constantFrom(undefined, null, '', ' \n', 'one', 'two words');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ title: text, summary: text }), { maxLength: 4 }), async (changes) => {
        const key = await sessions.openSession({ title: 'T', summary: 'S' });
        const expected: { title: string | null; summary: string | null } = { title: 'T', summary: 'S' };
        for (const change of changes) {
          for (const field of ['title', 'summary'] as const) {
            const value = change[field];
            if (value !== undefined) expected[field] = value === null || value.trim() === '' ? null : value;
          }
          const origin = expected.title === null ? null : 'client';
          expect(await update(key, change)).toMatchObject({ ...expected, titleOrigin: origin });
        }
        const lines = [expected.title, expected.summary].filter((line) => line !== null);
        expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual(
          lines.length === 0 ? [] : [lines.join('\n')],
        );
      }),
      { numRuns: 15 },
    );
  });

  it('stores unstorable characters as U+FFFD (API-7)', async () => {
    const key = await sessions.openSession();
    expect(await update(key, { title: 'a\u0000b', summary: '\ud800' })).toMatchObject({
      title: 'a\uFFFDb',
      summary: '\uFFFD',
    });
  });

  it('records the time, and does not count as activity of the agent', async () => {
    const key = await sessions.openSession();
    const before = await sessions.read(key);
    const now = new Date(Date.now() + 60_000);
    expect(await update(key, { summary: 'x' }, now)).toMatchObject({
      updatedAt: now,
      lastActivityAt: before?.lastActivityAt,
    });
  });

  it('changes nothing in an unknown session, or one of another account (API-10)', async () => {
    const key = await sessions.openSession({ title: 'Mine' });
    expect(await update({ ...key, accountId: newId() }, { title: 'Yours' })).toBeUndefined();
    expect(await update({ ...key, sessionId: newId() }, { title: 'Yours' })).toBeUndefined();
    expect(await sessions.read(key)).toMatchObject({ title: 'Mine' });
  });

  it('stores the same one of several concurrent changes in session and corpus', async () => {
    const key = await sessions.openSession();
    await Promise.all(Array.from({ length: 8 }, (_, index) => update(key, { title: `Title ${index}` })));
    const title = (await sessions.read(key))?.title;
    expect(title).toMatch(/^Title \d$/);
    expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual([title]);
  });

  it('loses neither title nor summary if both change at the same time', async () => {
    const key = await sessions.openSession();
    await sessions.overlap(
      (trx, hints) => updateRuntimeSession(trx, hints, { ...key, title: 'T', now: new Date() }, WRITE_OPTIONS),
      () => update(key, { summary: 'S' }),
    );
    expect(await sessions.read(key)).toMatchObject({ title: 'T', summary: 'S' });
    expect((await sessions.readChunks(key)).map((chunk) => chunk.content)).toEqual(['T\nS']);
  });
});
