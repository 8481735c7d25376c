import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { MAIL_URL } from '../../mail/mail.ts';
import { ensureMailEndpoint } from '../../mail/mail-endpoint.store.ts';
import { openWebhooks, type OpenWebhooks } from '../../testing/open-webhooks.ts';
import { findEndpoint } from '../store/endpoint.store.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { sealStoredEndpoints } from './seal-stored-endpoints.ts';
import { updateEndpoint, type EndpointPatch } from './update-endpoint.ts';

let suite: OpenWebhooks;
beforeAll(async () => {
  suite = await openWebhooks();
});
afterEach(() => suite.empty());
afterAll(() => suite.close());

const CANARY = 'http://127.0.0.1:1/services/canary-path?token=canary-query';

/** Returns the stored rows of the endpoints as one string. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ row: string }>`select e::text as row from webhooks.endpoint e`.execute(suite.admin);
  return JSON.stringify(rows);
}
/** Stores an address in plaintext, as a release that does not encrypt addresses did. */
async function leaveInClear(accountId: string, url = CANARY): Promise<string> {
  const id = await suite.addEndpoint(accountId);
  await sql`update webhooks.endpoint set url = ${url} where id = ${id}`.execute(suite.admin);
  return id;
}
const patch = (accountId: string, endpointId: string, fields: EndpointPatch) =>
  suite.write((trx, hints) => updateEndpoint(trx, hints, { accountId, endpointId, patch: fields }, suite.secretBox));
async function readUrl(accountId: string, id: string): Promise<string | undefined> {
  const endpoint = await findEndpoint(suite.gateway, { accountId }, id);
  return endpoint && suite.openUrl(id, endpoint.address);
}
const readVersion = async (id: string) =>
  (
    await sql<{ url_version: number; circuit_state: string }>`
      select url_version, circuit_state from webhooks.endpoint where id = ${id}
    `.execute(suite.admin)
  ).rows[0];

describe('the stored address of an endpoint (ACC-48)', () => {
  it('is encrypted, but its origin is not; it cannot be decrypted as the address of another endpoint', async () => {
    const accountId = newId();
    const [id, other] = [await suite.addEndpoint(accountId), await suite.addEndpoint(accountId)];
    await patch(accountId, id, { url: CANARY });
    expect(await dump()).not.toContain('canary');
    expect(await dump()).toContain('http://127.0.0.1:1');
    expect(await readUrl(accountId, id)).toBe(CANARY);
    await sql`
      update webhooks.endpoint e set url_sealed = o.url_sealed from webhooks.endpoint o where e.id = ${other} and o.id = ${id}
    `.execute(suite.admin);
    await expect(readUrl(accountId, other)).rejects.toThrow();
  });

  it('is included in every delivery that a claim returns for the endpoint', async () => {
    const accountId = newId();
    const id = await suite.addEndpoint(accountId);
    await patch(accountId, id, { url: CANARY });
    for (let n = 0; n < 3; n += 1) await suite.emit(accountId);
    const claims = await suite.claim();
    expect(claims.map(({ endpointId, address }) => suite.openUrl(endpointId, address))).toEqual([
      CANARY,
      CANARY,
      CANARY,
    ]);
  });

  it('resets the breaker if it changes, but not if it stays the same', async () => {
    const accountId = newId();
    const id = await suite.addEndpoint(accountId);
    await patch(accountId, id, { url: CANARY });
    await sql`
      update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() + interval '1 hour' where id = ${id}
    `.execute(suite.admin);
    await patch(accountId, id, { url: CANARY, description: 'the same' });
    expect(await readVersion(id)).toEqual({ url_version: 2, circuit_state: 'open' });
    await patch(accountId, id, { url: `${CANARY}2` });
    expect(await readVersion(id)).toEqual({ url_version: 3, circuit_state: 'closed' });
  });

  it('can be replaced if its key is permanently lost', async () => {
    const accountId = newId();
    const id = await suite.addEndpoint(accountId);
    await sql`update webhooks.endpoint set url_sealed = '\\x02beefbeef00' where id = ${id}`.execute(suite.admin);
    await patch(accountId, id, { url: CANARY });
    expect(await readUrl(accountId, id)).toBe(CANARY);
  });
});

describe('addresses that an earlier release stored unencrypted (ACC-48)', () => {
  const seal = () => sealStoredEndpoints(suite.gateway, suite.secretBox);

  it('work before and after they are encrypted; those of deleted endpoints are encrypted as well', async () => {
    const accountId = newId();
    const [id, deleted] = [await leaveInClear(accountId), await leaveInClear(accountId)];
    await suite.write((trx) => deleteEndpoint(trx, { accountId, endpointId: deleted }));
    expect(await readUrl(accountId, id)).toBe(CANARY);
    expect([await seal(), await seal()]).toEqual([2, 0]);
    expect(await dump()).not.toContain('canary');
    expect(await readUrl(accountId, id)).toBe(CANARY);
    expect((await readVersion(id))?.url_version).toBe(1);
  });

  it('are encrypted only once, even by processes that start simultaneously', async () => {
    for (let n = 0; n < 5; n += 1) await leaveInClear(newId());
    const counts = await Promise.all([seal(), seal(), seal()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
    await seal();
    expect(await dump()).not.toContain('canary');
  });

  it('do not include mail endpoints, which have no address', async () => {
    const accountId = newId();
    await suite.write((trx) => ensureMailEndpoint(trx, accountId));
    expect(await seal()).toBe(0);
    expect(await dump()).toContain(MAIL_URL);
  });
});
