import { beginTrace, newId, readTraceId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { deleteEndpoint } from '../../endpoints/operations/delete-endpoint.ts';
import { replayEvent } from '../../history/operations/replay-event.ts';
import { requestRecovery } from '../../history/operations/request-recovery.ts';
import { runRecoveryBatch } from '../../history/operations/run-recovery-batch.ts';
import { openWebhooks } from '../../testing/open-webhooks.ts';

const bound = { maxPendingPerAccount: 10_000 };
const FORM = /^00-[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;
const suite = useOpened(openWebhooks);
beforeEach(() => sql`truncate webhooks.delivery, webhooks.recovery_job`.execute(suite().admin));

async function read(table: 'event' | 'delivery' | 'delivery_done', accountId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ traceparent: string | null }>`
    select traceparent from ${sql.id('webhooks', table)} where account_id = ${accountId} order by id
  `.execute(suite().admin);
  return rows.map(({ traceparent }) => traceparent);
}
async function prepare(endpoints = 3): Promise<{ accountId: string; endpointIds: string[]; eventId: string }> {
  const accountId = newId();
  const endpointIds: string[] = [];
  for (let n = 0; n < endpoints; n += 1) endpointIds.push(await suite().addEndpoint(accountId));
  const eventId = newId();
  suite().hinted.length = 0;
  await suite().emit(accountId, eventId);
  return { accountId, endpointIds, eventId };
}
/** Asserts that all traceparents are in one trace, each with its own span. */
function expectOneTrace(all: readonly (string | null | undefined)[]): void {
  for (const one of all) expect(one).toMatch(FORM);
  expect(new Set(all.map(readTraceId)).size).toBe(1);
  expect(new Set(all).size).toBe(all.length);
}

describe('the trace of a delivery (HOOK-38)', () => {
  it('is the trace of its event and transaction, and also of the message', async () => {
    const { accountId } = await prepare();
    const all = [...(await read('event', accountId)), ...(await read('delivery', accountId)), ...suite().hinted];
    expect(all).toHaveLength(5);
    expectOneTrace(all);
    const claimed = await suite().claim();
    expect(claimed.map(({ traceparent }) => traceparent).sort()).toEqual((await read('delivery', accountId)).sort());
  });

  it('is retained in the history for delivered deliveries and for those cancelled with their endpoint', async () => {
    const { accountId, endpointIds } = await prepare();
    const before = await read('delivery', accountId);
    await suite().write((trx) => deleteEndpoint(trx, { accountId, endpointId: endpointIds[0] as string }));
    await suite().settleAll('delivered');
    expect(await read('delivery_done', accountId)).toEqual(before);
  });

  it('is the trace of the replay request', async () => {
    const { accountId, eventId } = await prepare();
    await suite().settleAll('delivered');
    const asked = await suite().write(async (trx, hints) => {
      expect((await replayEvent(trx, hints, { accountId, eventId }, bound)).kind).toBe('replayed');
      return hints.traceparent;
    });
    expectOneTrace([asked, ...(await read('delivery', accountId))]);
    expect(readTraceId((await read('event', accountId))[0])).not.toBe(readTraceId(asked));
  });

  it.each([
    ['of a recovery is that of the request that asked for it', beginTrace()],
    ['of a recovery that was asked for before there were traces is none', null],
  ])('%s', async (_what, traceparent) => {
    const { accountId } = await prepare();
    await suite().settleAll('dead');
    const scope = { accountId, endpointId: undefined, since: new Date(0), until: new Date(Date.now() + 60_000) };
    await suite().write((trx) =>
      requestRecovery(trx, { ...scope, traceparent: traceparent ?? beginTrace() }, { dryRun: false }),
    );
    await sql`update webhooks.recovery_job set traceparent = ${traceparent}`.execute(suite().admin);
    expect(await runRecoveryBatch(suite().dispatcher, bound)).toMatchObject({ kind: 'queued', queued: 3 });
    const queued = await read('delivery', accountId);
    if (traceparent === null) expect(queued).toEqual([null, null, null]);
    else expectOneTrace([traceparent, ...queued]);
  });

  it('is missing for a delivery queued by an earlier version; the delivery is still sent', async () => {
    const { accountId } = await prepare();
    await sql`update webhooks.delivery set traceparent = null where account_id = ${accountId}`.execute(suite().admin);
    expect(await suite().settleAll('delivered')).toBe(3);
    expect(await read('delivery_done', accountId)).toEqual([null, null, null]);
  });
});
