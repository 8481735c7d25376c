import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { sql, type RawBuilder } from 'kysely';
import { settleAttempts } from '../../deliveries/operations/settle-attempts.ts';
import { ENDPOINT_FAILING } from '../../outbox/rules/message-types.ts';
import { BREAKER_RULES, conclude, openWebhooks } from '../../testing/open-webhooks.ts';
import { createChannel } from './change-channels.ts';
import { reportGivenUp } from './report-given-up.ts';

const suite = useOpened(openWebhooks);
beforeEach(() => suite().empty());

const report = (): Promise<number> => reportGivenUp(suite().dispatcher, { maxPendingPerAccount: 100 });

async function addChannel(accountId: string): Promise<string> {
  const fields = { kind: 'slack' as const, url: 'http://127.0.0.1:1/', token: undefined, description: '' };
  const input = { ...fields, accountId, notices: [ENDPOINT_FAILING] as const };
  const outcome = await suite().write((trx) => createChannel(trx, input, suite().secretBox));
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  return outcome.channel.id;
}

/** Number of deliveries of an endpoint that were counted, and of those that were reported. */
async function readCounts(endpointId: string): Promise<{ deliveries: number; told: number } | undefined> {
  const { rows } = await sql<{ deliveries: number; told: number }>`
    select coalesce(sum(deliveries), 0)::int as deliveries, coalesce(sum(told), 0)::int as told
    from webhooks.given_up where endpoint_id = ${endpointId}
  `.execute(suite().admin);
  return rows[0];
}

/** The counts of the notices about an endpoint, in order. */
async function readNotices(accountId: string): Promise<number[]> {
  const { rows } = await sql<{ body: Buffer }>`
    select body from webhooks.event where account_id = ${accountId} and type = ${ENDPOINT_FAILING} order by created_at
  `.execute(suite().admin);
  return rows.map(({ body }) => (JSON.parse(body.toString()) as { data: { given_up: number } }).data.given_up);
}

describe('deliveries that are given up', () => {
  it('are reported once an hour by any number of dispatchers, then once more if there were more (NTC-13)', async () => {
    const accountId = newId();
    await addChannel(accountId);
    const endpointId = await suite().addEndpoint(accountId, ['session.ended']);
    await suite().emit(accountId);
    await suite().settleAll('dead');
    expect(await readCounts(endpointId)).toEqual({ deliveries: 1, told: 0 });
    const queued = await Promise.all([report(), report(), report()]);
    expect(queued.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await readCounts(endpointId)).toEqual({ deliveries: 1, told: 1 });
    await sql`update webhooks.given_up set deliveries = 4 where endpoint_id = ${endpointId}`.execute(suite().admin);
    expect(await report()).toBe(0);
    await sql`
      update webhooks.given_up set hour = hour - interval '1 hour' where endpoint_id = ${endpointId}
    `.execute(suite().admin);
    expect([await report(), await report()]).toEqual([1, 0]);
    expect(await readNotices(accountId)).toEqual([1, 4]);
  });

  it('are reported after the hour even if another dispatcher queued the first notice with a smaller number', async () => {
    const accountId = newId();
    await addChannel(accountId);
    const endpointId = await suite().addEndpoint(accountId, ['session.ended']);
    await suite().emit(accountId);
    await suite().settleAll('dead');
    expect(await report()).toBe(1);
    const change = (fields: RawBuilder<unknown>) =>
      sql`update webhooks.given_up set ${fields} where endpoint_id = ${endpointId}`.execute(suite().admin);
    // A dispatcher that has not seen the end of the report has read this.
    await change(sql`told = 0, deliveries = 4`);
    expect(await report()).toBe(0);
    expect(await readCounts(endpointId)).toEqual({ deliveries: 4, told: 0 });
    await change(sql`told = 1, hour = hour - interval '1 hour'`);
    expect(await report()).toBe(1);
    // The transaction of one more began before the end of the hour, and ended after the second notice.
    await change(sql`deliveries = 5`);
    expect(await report()).toBe(0);
    expect(await readNotices(accountId)).toEqual([1, 4]);
  });

  it('are counted together if several are given up at once', async () => {
    const accountId = newId();
    const endpointId = await suite().addEndpoint(accountId);
    for (let index = 0; index < 3; index += 1) await suite().emit(accountId);
    await suite().settleAll('dead');
    await suite().emit(accountId);
    await suite().settleAll('dead');
    expect(await readCounts(endpointId)).toEqual({ deliveries: 4, told: 0 });
  });

  it('are not counted while the breaker is open or opens, which is reported by itself', async () => {
    const accountId = newId();
    const endpointId = await suite().addEndpoint(accountId);
    await suite().emit(accountId);
    const outcomes = (await suite().claim()).map((claimed) => conclude(claimed, 'dead'));
    await settleAttempts(suite().dispatcher, outcomes, { ...BREAKER_RULES, failureThreshold: 1 });
    expect(await readCounts(endpointId)).toEqual({ deliveries: 0, told: 0 });
  });

  it('are not reported to a channel that was added afterwards, or to the channel that failed itself', async () => {
    const accountId = newId();
    const failed = await addChannel(accountId);
    await sql`update webhooks.endpoint set event_types = array['session.ended', ${ENDPOINT_FAILING}::text]`.execute(
      suite().admin,
    );
    await suite().addEndpoint(accountId, ['policy.denied']);
    await suite().emit(accountId);
    await suite().settleAll('dead');
    expect(await readCounts(failed)).toEqual({ deliveries: 1, told: 0 });
    await addChannel(accountId);
    await sql`
      update webhooks.endpoint set created_at = now() + interval '1 minute' where id <> ${failed}
    `.execute(suite().admin);
    expect(await report()).toBe(0);
    expect(await readNotices(accountId)).toEqual([]);
  });

  it('are not reported if they were notices about failures, so that two broken channels end', async () => {
    const accountId = newId();
    const channelId = await addChannel(accountId);
    await suite().addEndpoint(accountId, ['session.ended']);
    await suite().emit(accountId);
    await suite().settleAll('dead');
    expect(await report()).toBe(1);
    expect(await suite().settleAll('dead')).toBe(1);
    expect(await readCounts(channelId)).toEqual({ deliveries: 0, told: 0 });
  });
});
