import { stripVTControlCharacters } from 'node:util';
import { listLookups, readLookupTexts } from './read-lookup-texts.ts';

/** Returns the text as a terminal and a reader see it. */
const readAsSeen = (text: string): string => stripVTControlCharacters(text).normalize('NFC').toLowerCase();

describe('the list of look-ups', () => {
  const texts = readLookupTexts();

  it('has 200 over 40 texts, none repeated for one text', () => {
    const lookups = listLookups(texts);
    expect([texts.length, lookups.length]).toEqual([40, 200]);
    expect(new Set(lookups.map(({ textId, query }) => `${textId} ${query}`)).size).toBe(200);
  });

  it('contains only queries whose words occur in their text', () => {
    const strangers = texts.flatMap(({ text, lookups }) =>
      Object.values(lookups)
        .flat()
        .filter((query) => !readAsSeen(text).includes(readAsSeen(query))),
    );
    expect(strangers).toEqual([]);
  });
});
