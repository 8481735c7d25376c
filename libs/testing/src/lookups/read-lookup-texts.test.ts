import { stripVTControlCharacters } from 'node:util';
import { listLookups, readLookupTexts } from './read-lookup-texts.ts';

/** Returns the text as a person sees it in a terminal. */
const readAsSeen = (text: string): string => stripVTControlCharacters(text).normalize('NFC').toLowerCase();

describe('the list of look-ups', () => {
  const texts = readLookupTexts();

  it('consists of 200 look-ups over 40 texts, with no query repeated for the same text', () => {
    const lookups = listLookups(texts);
    expect([texts.length, lookups.length]).toEqual([40, 200]);
    expect(new Set(lookups.map(({ textId, query }) => `${textId} ${query}`)).size).toBe(200);
  });

  it('contains only queries whose words occur in the text', () => {
    const strangers = texts.flatMap(({ text, lookups }) =>
      Object.values(lookups)
        .flat()
        .filter((query) => !readAsSeen(text).includes(readAsSeen(query))),
    );
    expect(strangers).toEqual([]);
  });
});
