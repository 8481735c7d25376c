import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { readDelivery } from '../../history/operations/read-delivery.ts';
import { BREAKER_RULES, conclude, openWebhooks } from '../../testing/open-webhooks.ts';
import type { AttemptVerdict } from '../rules/outcome.ts';
import { releaseClaims } from '../store/release.store.ts';
import { settleAttempts } from './settle-attempts.ts';

const suite = useOpened(openWebhooks);
beforeEach(() => suite().empty());

/** Returns a delivery that one worker claimed and lost, and another claimed after it. */
async function claimTwice() {
  const accountId = newId();
  const endpointId = await suite().addEndpoint(accountId);
  await suite().emit(accountId);
  const [stale] = await suite().claim({ leaseSeconds: 0 });
  const [current] = await suite().claim();
  return { accountId, endpointId, stale, current };
}

describe('settling', () => {
  it('changes nothing for a worker that lost its lease (HOOK-25)', async () => {
    const { accountId, endpointId, stale, current } = await claimTwice();
    expect(current?.id).toBe(stale?.id);
    const late = await settleAttempts(suite().dispatcher, [conclude(stale!, 'dead')], BREAKER_RULES);
    expect([late.settledIds.size, late.lost.length, late.breakerMoves.length]).toEqual([0, 1, 0]);
    expect((await suite().readPending(accountId)).counter).toBe(1);
    expect(await releaseClaims(suite().dispatcher, [stale!])).toBe(0);
    expect((await readDelivery(suite().gateway, { accountId }, current!.id))?.attempts).toEqual([]);

    const written = await settleAttempts(suite().dispatcher, [conclude(current!, 'delivered')], BREAKER_RULES);
    expect(written.settledIds.has(current!.id)).toBe(true);
    const again = await settleAttempts(suite().dispatcher, [conclude(stale!, 'failed')], BREAKER_RULES);
    expect(again.lost).toHaveLength(1);
    expect((await suite().readPending(accountId)).counter).toBe(0);
    const { rows } = await sql<{
      consecutive_failures: number;
    }>`select consecutive_failures from webhooks.endpoint where id = ${endpointId}`.execute(suite().admin);
    expect(rows[0]?.consecutive_failures).toBe(0);
  });

  it('distinguishes a lost claim from the next claim of the same delivery if both end in one batch', async () => {
    const { accountId, endpointId, stale, current } = await claimTwice();
    const written = await settleAttempts(
      suite().dispatcher,
      [conclude(stale!, 'failed'), conclude(current!, 'delivered')],
      {
        ...BREAKER_RULES,
        failureThreshold: 1,
      },
    );
    expect([written.settledIds.size, written.lost.length, written.breakerMoves]).toEqual([1, 1, []]);
    expect((await readDelivery(suite().gateway, { accountId }, current!.id))?.attempts).toMatchObject([
      { responseStatus: 200 },
    ]);
    const { rows } = await sql`select circuit_state from webhooks.endpoint where id = ${endpointId}`.execute(
      suite().admin,
    );
    expect(rows).toEqual([{ circuit_state: 'closed' }]);
  });

  it('maintains an exact counter while workers settle and producers emit concurrently', async () => {
    const accountId = newId();
    for (let index = 0; index < 4; index += 1) await suite().addEndpoint(accountId);
    const produce = async () => {
      for (let index = 0; index < 15; index += 1) await suite().emit(accountId);
    };
    const verdicts: readonly AttemptVerdict[] = ['delivered', 'failed', 'dead'];
    const work = async () => {
      for (let round = 0; round < 15; round += 1) {
        const claims = await suite().claim({ limit: 20 });
        const outcomes = claims.map((claimed, index) => conclude(claimed, verdicts[index % 3]!, 1));
        if (outcomes.length > 0)
          await settleAttempts(suite().dispatcher, outcomes, { ...BREAKER_RULES, failureThreshold: 1_000_000 });
      }
    };
    await Promise.all([produce(), produce(), produce(), work(), work(), work()]);
    const { counter, rows } = await suite().readPending(accountId);
    expect(counter).toBe(rows);
  });
});
