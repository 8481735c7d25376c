import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { useOpened } from '@steward/testing';
import { indexChunksAnew } from '../../corpus/operations/index-chunks-anew.ts';
import { openSearch } from '../../testing/open-search.ts';

const suite = useOpened(openSearch);

/** Returns the ids of the sessions found, best first. */
async function find(accountId: string, query: string): Promise<string[]> {
  return (await suite().search(accountId, query)).sessions.map(({ sessionId }) => sessionId);
}

async function write(accountId: string, text: string): Promise<string> {
  return (await suite().write(accountId, text)).source.runtimeSessionId;
}

/** Simulates chunks written by the previous version. */
const makeOld = (accountId: string) =>
  suite().query(
    `update search.chunk set tsv = to_tsvector('simple', content), index_version = 2 where account_id = $1`,
    [accountId],
  );

const indexAnew = (accountId: string) =>
  transact({ db: suite().admin.db }, (trx) => indexChunksAnew(trx, { accountId, limit: 100 }));

describe('word matching (CORP-5, SRCH-3)', () => {
  it.each([
    ['new XMLHttpRequest(url)', ['HttpRequest', 'XMLHttp', '"HttpRequest"', 'HttpReq*', 'Request']],
    ['an InternalServerError came', ['ServerError', 'InternalServer', 'Internal', 'new or ServerError']],
    ['call parseJSONBody and getURLFor', ['parseJSON', 'JSONBody', 'getURL', 'URLFor', 'URL']],
    ['fooBarBaz()', ['BarBaz', 'fooBar', 'fooBarBaz', 'FooBarBaz']],
    ['รายงานข้อผิดพลาดของระบบ', ['ข้อผิดพลาด', 'ผิดพลาด', 'รายงาน', 'ระบบ']],
    ['ລາຍງານຂໍ້ຜິດພາດ', ['ຜິດພາດ', 'ລາຍງານ']],
    ['របាយការណ៍កំហុសប្រព័ន្ធ', ['កំហុស', 'ប្រព័ន្ធ']],
    ['قَالَ لَهُ الرَّجُلُ', ['قال', 'الرجل', '"قال له"', 'قَالَ']],
    ['قال له الرجل', ['قَالَ', '"قَالَ لَهُ"']],
    ['שָׁלוֹם עולם', ['שלום', '"שלום עולם"']],
    ['the pass\u200bword of p\u00adriya', ['password', 'priya', 'pass', 'word', '"the password of"']],
    ['the password', ['pass\u200bword', 'pass\u00adword', '\ufeffpassword', '\u202epassword']],
    ['ＡＢＣ １２３ ｶﾀｶﾅ o\ufb03ce', ['ABC', '123', 'カタカナ', 'office', 'ＡＢＣ', '"ABC 123"']],
    ['Straße des λόγος in İstanbul', ['STRASSE', 'strasse', 'straße', 'λόγοσ', 'ΛΌΓΟΣ', 'istanbul']],
  ])('finds the words of %j', async (text, queries) => {
    const accountId = newId();
    const sessionId = await write(accountId, text);
    for (const query of queries) expect([query, await find(accountId, query)]).toEqual([query, [sessionId]]);
  });

  it('treats camel-case parts as parts of one word, and excludes only that word (SRCH-83)', async () => {
    const accountId = newId();
    const apart = await write(accountId, 'deploy of an http request');
    const held = await write(accountId, 'deploy of an XMLHttpRequest');
    expect(await find(accountId, 'deploy HttpRequest')).toEqual([held]);
    expect(await find(accountId, 'deploy -HttpRequest')).toEqual([apart]);
    expect(await find(accountId, 'deploy -p\u00e2ss -\ufeffXMLHttpRequest')).toEqual([apart]);
  });

  it('marks the searched camel-case parts', async () => {
    const accountId = newId();
    await write(accountId, 'new XMLHttpRequest(url) of httprequests');
    expect((await suite().search(accountId, 'HttpRequest')).snippets[0]?.html).toBe(
      'new XML<mark>HttpRequest</mark>(url) of httprequests',
    );
  });

  it.each(['Straße', 'שָׁלוֹם', 'ＡＢＣ', 'XMLHttpRequest', 'λόγος', 'ภาษา'])(
    'is unchanged before a chunk is indexed again (CORP-30): %s',
    async (word) => {
      const accountId = newId();
      const [sessionId, otherId] = [await write(accountId, `deploy ${word} here`), await write(accountId, 'deploy it')];
      await makeOld(accountId);
      expect(await find(accountId, word)).toEqual([sessionId]);
      expect(await find(accountId, `deploy -${word}`)).toEqual([otherId]);
      expect(await indexAnew(accountId)).toBe(2);
      expect(await find(accountId, word)).toEqual([sessionId]);
      expect(await find(accountId, `deploy -${word}`)).toEqual([otherId]);
    },
  );
});

describe('a phrase across the boundary of two chunks (SRCH-82)', () => {
  const words = Array.from({ length: 900 }, (_, index) => `w${(index * 7919) % 1000}x`);
  const text = words.join(' ');
  const phrases = (count: number) =>
    Array.from({ length: 60 }, (_, index) => words.slice(index * 13, index * 13 + count).join(' '));

  it.each([5, 25, 40, 60, 80])(
    'is found with %i words at any position, also after its chunks are indexed again',
    async (count) => {
      const accountId = newId();
      const sessionId = await write(accountId, text);
      const listMissed = async () => {
        const missed = [];
        for (const phrase of phrases(count)) {
          const found = await find(accountId, `"${phrase}"`);
          if (found[0] !== sessionId) missed.push(phrase);
        }
        return missed;
      };
      expect(await listMissed()).toEqual([]);
      await makeOld(accountId);
      await indexAnew(accountId);
      expect(await listMissed()).toEqual([]);
    },
  );

  it('is not found if its words occur in another order or are followed by other words', async () => {
    const accountId = newId();
    await write(accountId, text);
    for (const phrase of phrases(40)) {
      const parts = phrase.split(' ');
      for (const other of [[...parts.slice(1), 'other'], ['other', ...parts.slice(1)], [...parts].reverse()]) {
        const found = await find(accountId, `"${other.join(' ')}"`);
        // If a chunk ends at the second to last word, the words of the next chunk are not compared.
        expect(found.length === 0 || other.at(-1) === 'other').toBe(true);
      }
    }
    await expect(find(accountId, '¶')).rejects.toMatchObject({ code: 'query_has_no_terms' });
  });
});
