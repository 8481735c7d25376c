import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { useOpened } from '@steward/testing';
import { openSearch } from '../../testing/open-search.ts';
import { INDEX_VERSION } from '../../words/index-words.ts';
import { indexChunksAnew } from './index-chunks-anew.ts';

const suite = useOpened(openSearch);

/** Returns the ids of the sessions found, best first. */
async function find(accountId: string, query: string): Promise<string[]> {
  return (await suite().search(accountId, query)).sessions.map(({ sessionId }) => sessionId);
}

async function write(accountId: string, text: string): Promise<string> {
  return (await suite().write(accountId, text)).source.runtimeSessionId;
}

/** Simulates chunks that an earlier version wrote, which contain only the words of their text. */
const makeOld = (accountId: string) =>
  suite().query(
    `update search.chunk set tsv = to_tsvector('simple', content), index_version = 1 where account_id = $1`,
    [accountId],
  );

describe('searching for parts of words (CORP-5, SRCH-3)', () => {
  it.each([
    ['--- a/src/net/backoff.ts', ['src/net/backoff.ts', 'backoff.ts', 'src/net', 'backoff', 'net/backoff']],
    ['at com.acme.PaymentTest.run(PaymentTest.java:77)', ['PaymentTest', 'com.acme', 'PaymentTest.java:77', 'Payment']],
    ['\u001b[31mFAIL\u001b[39m one\rtwo', ['FAIL', 'two', '"FAIL one"']],
    ['tag v2.3.1 closes PROJ-123', ['2.3.1', 'v2.3.1', 'PROJ-123', '123', '"tag v2.3.1"']],
    ['at d41f8c2a9e7b60513fa2c4d8e9b7a6f5c3d21e08', ['d41f8c2', 'd41f8c2a', 'd41f8c2a9e7b']],
    ['<input id="otp" autocomplete="one-time-code">', ['autocomplete', 'one-time-code', '"input id"']],
    ['List<PaymentItem> items', ['PaymentItem', 'List<PaymentItem>', '"list items"']],
    ['接続がタイムアウトしました', ['タイムアウト', '接続', '接']],
    ['le de\u0301ploiement', ['d\u00e9ploiement', 'de\u0301ploiement', '"le d\u00e9ploiement"']],
  ])('finds the words and parts of words in %j', async (text, queries) => {
    const accountId = newId();
    const sessionId = await write(accountId, text);
    for (const query of queries) expect([query, await find(accountId, query)]).toEqual([query, [sessionId]]);
  });

  it('treats a phrase as consecutive words of the text, regardless of the words derived from them', async () => {
    const accountId = newId();
    await write(accountId, 'failed in src/net.ts today, see a.b c.d and fooBar next');
    for (const phrase of ['"in src"', '"ts today"', '"b c"', '"next failed"', '"next src"', '"foo next"', '"and foo"'])
      expect([phrase, await find(accountId, phrase)]).toEqual([phrase, []]);
    for (const phrase of ['"failed in"', '"in src/net.ts today"', '"and fooBar next"', '"src net ts"'])
      expect([phrase, (await find(accountId, phrase)).length]).toEqual([phrase, 1]);
  });

  it('excludes text that contains an excluded part of a word', async () => {
    const accountId = newId();
    await write(accountId, 'deploy of a/src/net/http.ts');
    const other = await write(accountId, 'deploy of nothing');
    expect(await find(accountId, 'deploy -src/net')).toEqual([other]);
    expect(await find(accountId, 'deploy -"http.ts"')).toEqual([other]);
  });

  it('does not exclude text that contains the parts as separate words (SRCH-3)', async () => {
    const accountId = newId();
    const apart = await write(accountId, 'deploy of src net by a well known tmp foo, not-well-known');
    const held = await write(accountId, 'deploy of a/src/net by a well-known /tmp/x foo(a.b');
    for (const item of ['-src/net', '-"src/net"', '-well-known', '-/tmp', '-foo(a.b)', '-src/net -well-known'])
      expect([item, await find(accountId, `deploy ${item}`)]).toEqual([item, [apart]]);
    expect((await find(accountId, 'deploy --src/net')).sort()).toEqual([apart, held].sort());
  });

  it('ranks the word itself above a part of another word', async () => {
    const accountId = newId();
    const part = await write(accountId, 'one two com.acme.ledger three');
    const word = await write(accountId, 'one two comacme ledger three');
    const later = await write(accountId, 'one two org.acme.ledger three');
    expect(await find(accountId, 'ledger')).toEqual([word, expect.any(String), expect.any(String)]);
    expect((await find(accountId, 'ledger')).sort()).toEqual([part, word, later].sort());
  });

  it('marks the searched words in a snippet', async () => {
    const accountId = newId();
    await write(accountId, 'see client.sendMessage and 接続がタイムアウト of orders_2026');
    const show = async (query: string) => (await suite().search(accountId, query)).snippets[0]?.html;
    expect(await show('Message')).toContain('send<mark>Message</mark> and');
    expect(await show('client.sendMessage(')).toContain('<mark>client.sendMessage</mark> and');
    expect(await show('タイムアウト')).toContain('接続が<mark>タイムアウト</mark> of');
    expect(await show('orders_2026')).toContain('<mark>orders</mark>_<mark>2026</mark>');
  });

  it('finds no part of a credential, because none is indexed (MASK-1)', async () => {
    const accountId = newId();
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');
    await write(accountId, `token=${token} and ${token.slice(0, 12)}\u001b[0m${token.slice(12)}`);
    const [row] = await suite().query<{ tsv: string; content: string }>(
      'select tsv, content from search.chunk where account_id = $1',
      [accountId],
    );
    expect(`${row?.content} ${row?.tsv}`).not.toMatch(/ab3de|aB3dE|rs9tu|y4/);
  });
});

describe('chunks indexed by an older version (CORP-30)', () => {
  const indexAnew = (accountId: string, limit = 100) =>
    transact({ db: suite().admin.db }, (trx) => indexChunksAnew(trx, { accountId, limit }));
  const TEXT = '\u001b[1mat\u001b[0m src/net/http.ts';

  it('are found by their words, and also by the parts of words after they are indexed again; their text is unchanged', async () => {
    const accountId = newId();
    const sessionId = await write(accountId, TEXT);
    await makeOld(accountId);
    expect([await find(accountId, 'src/net/http.ts'), await find(accountId, 'http.ts')]).toEqual([[sessionId], []]);
    const before = await suite().query('select id, content, content_hash from search.chunk where account_id = $1', [
      accountId,
    ]);
    expect([await indexAnew(accountId), await indexAnew(accountId)]).toEqual([1, 0]);
    expect([await find(accountId, 'src/net/http.ts'), await find(accountId, 'http.ts')]).toEqual([
      [sessionId],
      [sessionId],
    ]);
    expect(
      await suite().query('select id, content, content_hash from search.chunk where account_id = $1', [accountId]),
    ).toEqual(before);
  });

  it('are found by an index on the version: a batch skips current chunks without reading them', async () => {
    const indexes = await suite().query<{ indexdef: string }>(
      `select indexdef from pg_indexes where schemaname = 'search' and tablename = 'chunk'`,
    );
    expect(indexes.filter(({ indexdef }) => indexdef.includes(`(index_version < ${INDEX_VERSION})`))).toHaveLength(1);
  });

  it('are indexed like new chunks', async () => {
    const [accountId, otherId] = [newId(), newId()];
    await write(accountId, TEXT);
    await write(otherId, TEXT);
    await makeOld(accountId);
    await indexAnew(accountId);
    const vectors = await suite().query('select tsv, index_version from search.chunk where account_id = any ($1)', [
      [accountId, otherId],
    ]);
    expect(vectors).toHaveLength(2);
    expect(vectors[0]).toEqual(vectors[1]);
    expect(vectors[0]).toMatchObject({ index_version: INDEX_VERSION });
  });

  it('include chunks that were written without derived parts: the database indexes their words', async () => {
    const accountId = newId();
    const sessionId = await write(accountId, 'one word.of a kind');
    await suite().query(`update search.chunk set content = 'another text.of it' where account_id = $1`, [accountId]);
    expect([await find(accountId, 'another'), await find(accountId, 'kind')]).toEqual([[sessionId], []]);
    await suite().query(
      `insert into search.chunk (account_id, id, runtime_session_id, source_kind, source_id, chunk_index, chunk_count, occurred_at,
         indexed_at, content, content_hash, redaction_state, start_offset, end_offset, tail_omitted)
       select account_id, gen_random_uuid(), $2, source_kind, 'copied', 0, 1, occurred_at, indexed_at, 'a copied.text', content_hash,
         redaction_state, 0, 1, false from search.chunk where account_id = $1`,
      [accountId, newId()],
    );
    expect(await find(accountId, 'copied.text')).toHaveLength(1);
    expect(
      await suite().query('select distinct index_version from search.chunk where account_id = $1', [accountId]),
    ).toEqual([{ index_version: 1 }]);
  });
});
