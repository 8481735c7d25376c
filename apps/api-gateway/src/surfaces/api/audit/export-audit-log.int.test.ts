import pg from 'pg';
import { beginChain, extendChain, type ChainedEntry } from '@steward/audit/chain';
import { usePeople } from '../../../testing/people-tests.ts';
import type { TestAccount } from '../../../testing/start-gateway.ts';

const people = usePeople();
let owner: TestAccount;
beforeEach(async () => void (owner = await people.register()));

type Line = { readonly record: string; readonly [field: string]: unknown };

const fetchExport = (query = '', token = owner.accessToken) =>
  fetch(`${people.gateway().url}/api/v1/audit-log/export${query}`, { headers: { authorization: `Bearer ${token}` } });
const readLines = async (response: Response): Promise<Line[]> =>
  (await response.text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
const createRole = (name: string) =>
  people.call('POST', '/roles', owner.accessToken, { name, permissions: ['view_flows'] });

describe('the export of the audit log (ACC-51)', () => {
  it('contains every entry of the list, oldest first, and seals whose digests anybody can recompute', async () => {
    await createRole('first');
    const before = await readLines(await fetchExport());
    await createRole('second');
    const response = await fetchExport();
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = await readLines(response);
    expect(lines.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    const { items } = (await people.call('GET', '/audit-log?limit=200', owner.accessToken)).body;
    const entries = lines.filter(({ record }) => record === 'entry').map(({ record: _record, ...entry }) => entry);
    expect(entries).toEqual(items.toReversed());
    const seals = lines.filter(({ record }) => record === 'seal');
    expect(lines.at(-1)).toEqual({
      record: 'end',
      seals: seals.length,
      entries: entries.length,
      unsealed: 0,
      unknown: 0,
    });
    const begin = beginChain(owner.accountId).toString('hex');
    expect(lines[0]).toEqual({ record: 'log', account_id: owner.accountId, after: 0, digest: begin });
    const digest = extendChain(beginChain(owner.accountId), entries as unknown as ChainedEntry[]);
    expect(seals.at(-1)).toMatchObject({ digest: digest.toString('hex') });
  });

  it('resumes after a given seal', async () => {
    await createRole('first');
    const head = (await readLines(await fetchExport())).findLast(({ record }) => record === 'seal');
    await createRole('second');
    const lines = await readLines(await fetchExport(`?after=${String(head?.['number'])}`));
    expect(lines[0]).toMatchObject({ digest: head?.['digest'] });
    expect(lines.find(({ record }) => record === 'seal')).toMatchObject({ previous_digest: head?.['digest'] });
    expect(lines.at(-1)).toMatchObject({ entries: 1, unsealed: 0 });
  });

  it('exposes the deletion of a row directly in the database', async () => {
    await createRole('first');
    await fetchExport().then(readLines);
    const admin = new pg.Client({ connectionString: people.gateway().database.url });
    await admin.connect();
    await admin.query(`delete from gateway.audit_log where account_id = $1 and resource_type = 'role'`, [
      owner.accountId,
    ]);
    await admin.end();
    const lines = await readLines(await fetchExport());
    const sealed = lines
      .filter(({ record }) => record === 'seal')
      .reduce((sum, seal) => sum + Number(seal['entries']), 0);
    expect(lines.at(-1)).toMatchObject({ entries: sealed - 1, unknown: 0 });
  });

  it('exposes the insertion of a row directly in the database', async () => {
    await createRole('first');
    await fetchExport().then(readLines);
    const admin = new pg.Client({ connectionString: people.gateway().database.url });
    await admin.connect();
    await admin.query(
      `with added as (select * from gateway.audit_log where account_id = $1 limit 1)
       insert into gateway.audit_log select gen_random_uuid(), account_id, occurred_at, actor_kind, actor_id, source, action,
         resource_type, resource_id, status, details, request_id from added`,
      [owner.accountId],
    );
    await admin.query(`delete from gateway.audit_unsealed where account_id = $1`, [owner.accountId]);
    await admin.end();
    expect((await readLines(await fetchExport())).at(-1)).toMatchObject({ unsealed: 0, unknown: 1 });
  });

  it('starts after the rows removed by retention, and reports how many were removed (ACC-52)', async () => {
    for (const name of ['first', 'second', 'third']) {
      await createRole(name);
      await fetchExport().then(readLines);
    }
    const seals = (await readLines(await fetchExport())).filter(({ record }) => record === 'seal');
    const admin = new pg.Client({ connectionString: people.gateway().database.url });
    await admin.connect();
    await admin.query(
      `with old as (
         update gateway.audit_seal set sealed_at = now() - interval '100 days' where account_id = $1 and number <= 2
         returning audit_ids
       )
       update gateway.audit_log l set occurred_at = now() - interval '100 days' from old where l.id = any(old.audit_ids)`,
      [owner.accountId],
    );
    await admin.query(`select from gateway.prune_audits($1, now() - interval '90 days', 10)`, [owner.accountId]);
    await admin.end();
    const lines = await readLines(await fetchExport());
    const entries = seals.slice(0, 2).reduce((sum, seal) => sum + Number(seal['entries']), 0);
    const digest = seals[1]?.['digest'];
    expect(lines[0]).toEqual({
      record: 'log',
      account_id: owner.accountId,
      after: 2,
      digest,
      removed: { seals: 2, entries },
    });
    expect(lines.find(({ record }) => record === 'seal')).toMatchObject({ number: 3, previous_digest: digest });
    expect(await readLines(await fetchExport('?after=2'))).toEqual(lines);
    const refused = await fetchExport('?after=1');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('removed by retention')]);
  });

  it.each(['?after=-1', '?after=x', '?after=999', '?before=1'])('refuses %s', async (query) => {
    expect((await fetchExport(query)).status).toBe(422);
  });

  it('requires view_audit_logs, and contains nothing of other accounts', async () => {
    const stranger = await people.register();
    const key = await people.call('POST', '/auth/api-keys', owner.accessToken, { name: 'k', scopes: ['view_flows'] });
    expect((await fetchExport('', String(key.body.key))).status).toBe(403);
    const lines = await readLines(await fetchExport('', stranger.accessToken));
    expect(JSON.stringify(lines)).not.toContain(owner.userId);
  });
});
