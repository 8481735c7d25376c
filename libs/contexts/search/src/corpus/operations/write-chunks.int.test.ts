import { beginTrace, newId } from '@steward/crypto';
import { MASK_VERSION } from '@steward/masking';
import { transact } from '@steward/database';
import { useOpened } from '@steward/testing';
import type { ChunkSource } from '../chunk-source.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from '../rules/split-into-chunks.ts';
import { buildSource, openSearch } from '../../testing/open-search.ts';
import { writeChunks } from './write-chunks.ts';

describe('the chunks of a source', () => {
  const suite = useOpened(openSearch);
  const accountId = newId();
  const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW2xY4'].join('_');

  const write = (text: string, more: Partial<ChunkSource> = {}) => suite().write(accountId, text, more);
  const search = (query: string, source: ChunkSource) =>
    suite().search(accountId, query, { filter: { sessionId: source.runtimeSessionId } });
  interface Row {
    readonly chunk_index: number;
    readonly chunk_count: number;
    readonly content: string;
    readonly start_offset: number;
    readonly end_offset: number;
    readonly tail_omitted: boolean;
    readonly redaction_state: string;
    readonly mask_version: number;
    readonly role: string | null;
    readonly model_alias: string | null;
    readonly provider_name: string | null;
  }
  const readRows = ({ sourceId }: ChunkSource) =>
    suite().query<Row>('select * from search.chunk where account_id = $1 and source_id = $2 order by chunk_index', [
      accountId,
      sourceId,
    ]);

  it('are committed with the writing transaction, and only with it (CORP-1)', async () => {
    const source = buildSource(accountId, 'rolled back');
    const announced = suite().hints.length;
    const deps = {
      db: suite().database.db,
      broker: { publishHint: () => void suite().hints.push({}) },
      traceparent: beginTrace(),
    };
    const written = transact(deps, async (trx, hints) => {
      await writeChunks(trx, hints, [source]);
      throw new Error('the source could not be stored');
    });
    await expect(written).rejects.toThrow('could not be stored');
    expect(await readRows(source)).toEqual([]);
    expect(suite().hints).toHaveLength(announced);
  });

  it('are numbered parts of the text, each at most 1200 characters (CORP-3)', async () => {
    const text = 'every word of it counts '.repeat(200).trimEnd();
    const { source, outcome } = await write(text);
    const rows = await readRows(source);
    expect(outcome).toEqual({ written: 1, unchanged: 0, chunks: rows.length });
    expect(rows.length).toBeGreaterThan(1);
    for (const [index, row] of rows.entries()) {
      expect(row).toMatchObject({ chunk_index: index, chunk_count: rows.length, tail_omitted: false });
      expect(row.content).toBe(text.slice(row.start_offset, row.end_offset));
      expect(row.content.length).toBeLessThanOrEqual(CHUNK_LENGTH);
    }
    expect(rows.at(-1)?.end_offset).toBe(text.length);
  });

  it.each([81_000, 400_000])(
    'are at most 64, from head and tail; the response reports the gap (CORP-3, LIM-28): of %d characters',
    async (length) => {
      const line = 'went well so far\n';
      const text = `beginning\n${line.repeat(length / line.length)}ld: undefined reference to crc32_z\n`;
      const { source } = await write(text);
      const rows = await readRows(source);
      expect(rows.map((row) => row.chunk_index)).toEqual(Array.from({ length: MAX_CHUNKS }, (_, index) => index));
      expect(rows.filter((row) => row.tail_omitted).map((row) => row.chunk_index)).toEqual([MAX_CHUNKS / 2 - 1]);
      const { snippets } = await search('"undefined reference"', source);
      expect(snippets).toMatchObject([{ chunkIndex: MAX_CHUNKS - 1, gapAfter: MAX_CHUNKS / 2 - 1 }]);
      expect((await search('beginning', source)).snippets).toMatchObject([{ chunkIndex: 0 }]);
      expect((await write(text, source)).outcome).toMatchObject({ written: 0, unchanged: 1 });
    },
  );

  it('have no gap if they contain the whole text', async () => {
    const { source } = await write('all of it');
    expect((await search('all', source)).snippets).toMatchObject([{ gapAfter: null }]);
  });

  it.each(['', '   ', '\n\t \u2003'])('are not created for white space: %j (CORP-3)', async (text) => {
    const { source, outcome } = await write(text);
    expect(outcome).toMatchObject({ chunks: 0 });
    expect(await readRows(source)).toEqual([]);
  });

  it('do not change for the same text, are replaced for a different text, and are removed for no text (CORP-4)', async () => {
    const long = 'first version '.repeat(400);
    const { source, outcome } = await write(long);
    expect(outcome.written).toBe(1);
    expect((await write(long, source)).outcome).toEqual({ written: 0, unchanged: 1, chunks: 0 });
    expect((await write('second edition', source)).outcome).toMatchObject({ written: 1, chunks: 1 });
    expect((await search('version', source)).total).toBe(0);
    expect((await search('edition', source)).total).toBe(1);
    await write('', source);
    expect((await search('edition', source)).total).toBe(0);
  });

  it.each<[string, Partial<ChunkSource>]>([
    ['role', { role: 'assistant' }],
    ['time', { occurredAt: new Date('2026-11-21T10:00:00Z') }],
    ['model', { modelAlias: 'm2' }],
    ['provider', { providerName: 'p2' }],
    ['agent', { runtimePrincipalId: 'agent-2' }],
    ['key', { apiKeyId: newId() }],
    ['flow', { flowId: newId() }],
    ['status', { status: 'failed' }],
  ])(
    'are replaced for the same text with another %s, so that filters use current values (CORP-4)',
    async (_w, facts) => {
      const first = { role: 'user', modelAlias: 'm1', providerName: 'p1', runtimePrincipalId: 'agent-1', status: 'ok' };
      const { source } = await write('the same words', first);
      const { outcome } = await write('the same words', { ...source, ...facts });
      expect(outcome).toEqual({ written: 1, unchanged: 0, chunks: 1 });
      expect(
        (await suite().search(accountId, 'same words', { filter: { sessionId: source.runtimeSessionId } })).total,
      ).toBe(1);
      const changed = await readRows(source);
      expect(changed).toHaveLength(1);
      if (facts.modelAlias !== undefined) expect(changed[0]?.model_alias).toBe('m2');
      if (facts.providerName !== undefined) expect(changed[0]?.provider_name).toBe('p2');
    },
  );

  it('are consistent after two simultaneous writes of one summary (CORP-4)', async () => {
    const summary = { sourceKind: 'session_summary' as const, sourceId: newId(), runtimeSessionId: newId() };
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(`summary take${index} `.repeat(200), summary)));
    const rows = await suite().database.pool.query(
      'select count(distinct content_hash) as hashes, count(*) as rows, max(chunk_count) as expected from search.chunk where account_id = $1 and source_id = $2',
      [accountId, summary.sourceId],
    );
    expect(rows.rows[0]).toMatchObject({ hashes: 1 });
    expect(rows.rows[0].rows).toBe(rows.rows[0].expected);
  });

  it('are written in one call for several sources, separately for each', async () => {
    const sources = ['one', 'two', ' ', 'three'].map((text) => buildSource(accountId, text));
    expect(await suite().writeAll(sources)).toEqual({ written: 3, unchanged: 1, chunks: 3 });
    expect(await suite().writeAll([...sources, buildSource(accountId, 'four')])).toEqual({
      written: 1,
      unchanged: 4,
      chunks: 1,
    });
    expect(await suite().writeAll([])).toEqual({ written: 0, unchanged: 0, chunks: 0 });
  });

  it('are written without a look-up for new sources, and only once', async () => {
    const source = buildSource(accountId, 'new by its id');
    for (let round = 0; round < 2; round += 1) await suite().writeAll([source], { areNew: true });
    expect(await readRows(source)).toHaveLength(1);
  });

  it('are published as a hint after the commit, without their text (PROC-10)', async () => {
    const from = suite().hints.length;
    const { source } = await write('announced words');
    await write('announced words', source);
    expect(suite().hints.slice(from)).toEqual([
      {
        account_id: accountId,
        runtime_session_id: source.runtimeSessionId,
        source_kind: 'tool_call',
        source_id: source.sourceId,
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        chunk_count: 1,
        traceparent: expect.any(String) as unknown,
      },
    ]);
  });

  it('contain no credential, are marked as masked, and record the version of the masking rules (MASK-1)', async () => {
    const { source } = await write(`before ${token} after`);
    const [row] = await readRows(source);
    expect(row).toMatchObject({ redaction_state: 'redacted', mask_version: MASK_VERSION });
    expect(row?.content).toBe('before [redacted] after');
    expect((await search('before after', source)).total).toBe(1);
    expect((await search(token, source)).total).toBe(0);
  });

  it('hide a credential that crosses the boundary of two chunks (MASK-1)', async () => {
    for (const lead of [1150, 1170, 1190]) {
      const { source } = await write(`${'w '.repeat(lead / 2)}${token} ${'v '.repeat(700)}`);
      const rows = await readRows(source);
      expect(rows.map(({ content }) => content).join('')).not.toMatch(/ghp_|aB3dE5fG|U1vW2xY4/);
    }
  });

  it('are marked as metadata, masked or not (CORP-7)', async () => {
    const { source } = await write(`m1 p1 ${token}`, { redactionState: 'metadata_only' });
    expect(await readRows(source)).toMatchObject([{ redaction_state: 'metadata_only', content: 'm1 p1 [redacted]' }]);
  });

  it('contain storable strings, for any input (API-7)', async () => {
    const { source } = await write('nul \u0000 and half \ud800 a pair');
    expect(await readRows(source)).toMatchObject([{ content: 'nul \ufffd and half \ufffd a pair' }]);
  });

  it('are found by whole words and by words in markup, ignoring case, but not by inflected forms (CORP-5, SRCH-3)', async () => {
    const { source } = await write('Deployments failed; the Deployment itself <b class="attribute">bold</b>');
    const finds = async (query: string) => (await search(query, source)).total;
    expect(await finds('deployment')).toBe(1);
    expect(await finds('DEPLOYMENTS')).toBe(1);
    expect(await finds('deploy')).toBe(0);
    expect(await finds('bold')).toBe(1);
    expect(await finds('"itself bold"')).toBe(1);
    expect(await finds('attribute')).toBe(1);
  });
});
