import { readAgentSessions } from './read-agent-sessions.ts';

const { documents, queries } = readAgentSessions();
const textOf = new Map(
  documents.map(({ id, parts }) => [
    id,
    parts
      .map(({ text }) => text)
      .join('\n')
      .toLowerCase(),
  ]),
);
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const wordsOf = new Map([...textOf].map(([id, text]) => [id, new Set(wordsIn(text))]));
/** Words that are irrelevant to the subject. */
const FILLERS = new Set(
  wordsIn(`a an and are as at be because by for from has in into is it its my no not of off on one or our out that the their
    this to too two was were with did does enough long many away somebody two more left next new wants who what`),
);
const matterOf = (text: string): string[] => wordsIn(text).filter((word) => !FILLERS.has(word));
const ofClass = (name: string) => queries.filter(({ queryClass }) => queryClass === name);
const best = (gains: ReadonlyMap<string, number>) => [...gains].filter(([, gain]) => gain === 3).map(([id]) => id);

describe('the sessions and judgments of the relevance bench', () => {
  it('include 200 sessions and 110 queries in eight classes; judgments refer only to existing sessions', () => {
    expect(new Set(documents.map(({ id }) => id)).size).toBe(200);
    const counts = Map.groupBy(queries, ({ queryClass }) => queryClass);
    expect([queries.length, counts.size]).toEqual([110, 8]);
    for (const { gains, excluded } of queries) {
      for (const id of [...gains.keys(), ...excluded]) expect(textOf.has(id)).toBe(true);
    }
  });

  it.each(ofClass('paraphrase').map((query) => [query.text, query] as const))(
    'paraphrase "%s" shares no word with its target',
    (text, { gains }) => {
      for (const id of best(gains)) {
        expect(matterOf(text).filter((word) => wordsOf.get(id)?.has(word))).toEqual([]);
      }
    },
  );

  it.each([...ofClass('identifier'), ...ofClass('path_part')].map((query) => [query.text, query] as const))(
    '"%s" occurs only in its target sessions',
    (text, { gains }) => {
      const holding = [...textOf].filter(([, content]) => content.includes(text.toLowerCase())).map(([id]) => id);
      expect(holding).toEqual([...gains.keys()]);
    },
  );

  it.each(ofClass('no_answer').map(({ text, gains }) => [text, gains] as const))(
    '"%s" matches no session',
    (text, gains) => {
      expect(gains.size).toBe(0);
      for (const words of wordsOf.values()) expect(matterOf(text).filter((word) => words.has(word))).toEqual([]);
    },
  );

  it.each(ofClass('negation').map((query) => [query.text, query] as const))(
    '"%s" distinguishes between sessions with the same words',
    (text, { gains, excluded }) => {
      const [said, unsaid] = [/(?<!\S)[^-\s]+/g, /(?<=\s-)\S+/g].map((pattern) => text.match(pattern) ?? []);
      for (const { id, parts } of documents) {
        const holding = parts
          .map((part) => new Set(wordsIn(part.text)))
          .filter((words) => said!.every((word) => words.has(word)));
        const isMatch = holding.some((words) => !unsaid!.some((word) => words.has(word)));
        expect([id, gains.has(id), excluded.has(id)]).toEqual([id, isMatch, holding.length > 0 && !isMatch]);
      }
      expect(excluded.size).toBeGreaterThan(0);
    },
  );
});
