import { toStorableEntry } from './storable-entry.ts';

describe('an entry with strings that cannot be stored (API-7)', () => {
  const occurredAt = new Date('2026-01-01T00:00:00Z');

  it.each([
    ['nothing to replace', 'plain', 'plain'],
    ['a NUL', 'a\u0000b', 'a\uFFFDb'],
    ['half a character', 'a\ud83d', 'a\uFFFD'],
  ])('retains its time and all other fields: %s', (_what, content, stored) => {
    const entry = { kind: 'transcript_message', role: 'user', content: [content], occurredAt } as const;
    expect(toStorableEntry(entry)).toEqual({ ...entry, content: [stored] });
    expect(toStorableEntry(entry).occurredAt).toBe(occurredAt);
    expect(toStorableEntry({ ...entry, occurredAt: undefined })).toEqual({
      ...entry,
      content: [stored],
      occurredAt: undefined,
    });
  });
});
