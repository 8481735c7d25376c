import { createSecretBox, newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { useOpened } from '@steward/testing';
import { sql } from 'kysely';
import { openTarget } from '../../catalogue/operations/open-target.ts';
import { readCatalogue } from '../../catalogue/store/catalogue.store.ts';
import { claimDueServer, findTarget } from '../../catalogue/store/target.store.ts';
import type { ToolServerPatch } from '../tool-server.ts';
import { createToolServer, updateToolServer } from './save-tool-server.ts';
import { sealStoredServers } from './seal-stored-servers.ts';

const CANARY = 'https://tools.example.test/canary-path/mcp';
const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'tool-server');

async function open() {
  const clone = await openClone({ poolSize: 6 });
  return { admin: clone.admin.db, db: clone.connectAs(APP_ROLES.apiGateway).db, close: clone.close };
}
const suite = useOpened(open);
beforeEach(() => sql`truncate tool_servers.server cascade`.execute(suite().admin));

const save = { insecureOrigins: [], now: new Date() };
async function create(accountId: string) {
  const patch = { name: 'tools', url: CANARY, headers: { 'x-key': 'canary-header' } };
  const outcome = await transact(suite(), (trx) => createToolServer(trx, { ...save, accountId, patch }, box));
  if (outcome.kind !== 'saved') throw new Error(outcome.kind);
  return { accountId, id: outcome.server.id };
}
const update = (key: { accountId: string; id: string }, patch: ToolServerPatch) =>
  transact(suite(), (trx) => updateToolServer(trx, { ...save, ...key, patch }, box));
async function target(key: { accountId: string; id: string }) {
  const found = await findTarget(suite().db, key);
  if (found === undefined) throw new Error('no such server');
  return { ...openTarget(found, box), version: found.targetVersion };
}
async function dump(): Promise<string> {
  const { rows } = await sql<{ row: string }>`select s::text as row from tool_servers.server s`.execute(suite().admin);
  return JSON.stringify(rows);
}
const leaveInClear = ({ id }: { id: string }) =>
  sql`update tool_servers.server set url = ${CANARY} where id = ${id}`.execute(suite().admin);
const seal = () => sealStoredServers(suite().db, box);

describe('the stored address of a tool server (ACC-48)', () => {
  it('is encrypted, and decrypted wherever the server is called', async () => {
    const key = await create(newId());
    expect(await dump()).not.toContain('canary');
    expect(await dump()).toContain('https://tools.example.test');
    const [offered] = await readCatalogue(suite().db, key.accountId);
    const claimed = await claimDueServer(suite().db, 300);
    for (const found of [offered!, claimed!]) expect(openTarget(found, box).url).toBe(CANARY);
    expect(await target(key)).toEqual({ url: CANARY, headers: { 'x-key': 'canary-header' }, version: 1 });
  });

  it('cannot be decrypted as headers, or in the row of another server', async () => {
    const [key, other] = [await create(newId()), await create(newId())];
    await sql`
      update tool_servers.server s set url_sealed = o.url_sealed from tool_servers.server o
      where s.id = ${other.id} and o.id = ${key.id}
    `.execute(suite().admin);
    await expect(target(other)).rejects.toThrow();
    await sql`update tool_servers.server set headers_sealed = url_sealed where id = ${key.id}`.execute(suite().admin);
    await expect(target(key)).rejects.toThrow();
  });

  it('retains the headers while it refers to the same host, and gets a new version only if it changes', async () => {
    const key = await create(newId());
    await update(key, { url: CANARY });
    expect((await target(key)).version).toBe(1);
    await update(key, { url: `${CANARY}/2` });
    expect(await target(key)).toMatchObject({ headers: { 'x-key': 'canary-header' }, version: 2 });
    await update(key, { url: 'https://other.example.test' });
    expect(await target(key)).toEqual({ url: 'https://other.example.test', headers: {}, version: 3 });
  });
});

describe('addresses of tool servers that an earlier release stored unencrypted (ACC-48)', () => {
  it('work before and after they are encrypted, and are encrypted once', async () => {
    const key = await create(newId());
    await leaveInClear(key);
    expect((await target(key)).url).toBe(CANARY);
    expect(await dump()).toContain('canary');
    expect([await seal(), await seal()]).toEqual([1, 0]);
    expect(await dump()).not.toContain('canary');
    expect(await target(key)).toMatchObject({ url: CANARY, version: 1 });
  });

  it('stay unchanged when other fields are saved', async () => {
    const key = await create(newId());
    await leaveInClear(key);
    await update(key, { isEnabled: false });
    expect((await target(key)).url).toBe(CANARY);
    await update(key, { url: `${CANARY}/2` });
    expect(await dump()).not.toContain('canary');
    expect((await target(key)).url).toBe(`${CANARY}/2`);
  });
});
