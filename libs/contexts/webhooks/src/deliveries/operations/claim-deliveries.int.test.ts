import { EVENT_TYPES } from '@steward/contracts';
import { newId } from '@steward/crypto';
import { sql } from 'kysely';
import { useOpened } from '@steward/testing';
import { claimProbes } from '../../breaker/store/probe.store.ts';
import { BREAKER_RULES, conclude, openWebhooks } from '../../testing/open-webhooks.ts';
import { releaseClaims } from '../store/release.store.ts';
import { settleAttempts } from './settle-attempts.ts';

const suite = useOpened(openWebhooks);
beforeEach(() => suite().empty());

describe('claiming', () => {
  it('never assigns one delivery to two workers', async () => {
    const accountId = newId();
    for (let index = 0; index < 5; index += 1) await suite().addEndpoint(accountId);
    for (let index = 0; index < 40; index += 1) await suite().emit(accountId);
    const claim = () => suite().claim({ limit: 30, defaultAllowance: 200 });
    const ids: string[] = [];
    for (;;) {
      const round = (await Promise.all(Array.from({ length: 10 }, claim))).flat();
      if (round.length === 0) break;
      ids.push(...round.map(({ id }) => id));
    }
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
  });

  it('assigns at most the allowance of an endpoint, so that other endpoints get their deliveries', async () => {
    const [busy, quiet] = [newId(), newId()];
    const busyEndpoint = await suite().addEndpoint(busy);
    const quietEndpoint = await suite().addEndpoint(quiet);
    for (let index = 0; index < 30; index += 1) await suite().emit(busy);
    await suite().emit(quiet);
    const claims = await suite().claim({ limit: 10, defaultAllowance: 3 });
    expect(claims.filter((claimed) => claimed.endpointId === busyEndpoint)).toHaveLength(3);
    expect(claims.filter((claimed) => claimed.endpointId === quietEndpoint)).toHaveLength(1);
    expect(await suite().claim({ allowances: new Map([[busyEndpoint, 0]]) })).toEqual([]);
  });

  it('returns the body as it is stored, byte for byte, with the signing secrets', async () => {
    const accountId = newId();
    const endpointId = await suite().addEndpoint(accountId);
    await suite().emit(accountId);
    const [claimed] = await suite().claim();
    expect(JSON.parse(String(claimed?.body))).toMatchObject({
      account_id: accountId,
      data: EVENT_TYPES['session.ended'].example,
    });
    expect(claimed?.sealedSecrets.map((sealed) => suite().secretBox.open(sealed, endpointId))).toEqual([
      expect.stringMatching(/^whsec_/),
    ]);
  });

  it('assigns the probe of a cooled-down breaker to one worker of ten, and to another if that worker fails', async () => {
    const accountId = newId();
    const endpointId = await suite().addEndpoint(accountId);
    for (let index = 0; index < 3; index += 1) await suite().emit(accountId);
    await sql`
      update webhooks.endpoint set circuit_state = 'open', circuit_open_until = now() - interval '1 s',
        consecutive_failures = 10 where id = ${endpointId}
    `.execute(suite().admin);
    expect(await suite().claim()).toEqual([]);
    const probe = (leaseSeconds: number) => claimProbes(suite().dispatcher, { token: newId(), leaseSeconds, limit: 5 });
    const first = (await Promise.all(Array.from({ length: 10 }, () => probe(30)))).flat();
    expect(first).toHaveLength(1);
    expect(await probe(30)).toEqual([]);
    await releaseClaims(suite().dispatcher, first);
    const [second] = await probe(0);
    const [third] = await probe(30);
    const stale = await settleAttempts(suite().dispatcher, [conclude(second!, 'failed')], BREAKER_RULES);
    expect(stale.breakerMoves).toEqual([]);
    const decided = await settleAttempts(suite().dispatcher, [conclude(third!, 'delivered')], BREAKER_RULES);
    expect(decided.breakerMoves).toMatchObject([{ endpointId, from: 'half_open', to: 'closed' }]);
    expect(await suite().claim()).toHaveLength(2);
  });

  it('does not count an attempt when a claim is released, and postpones the delivery on request', async () => {
    const accountId = newId();
    await suite().addEndpoint(accountId);
    await suite().emit(accountId);
    await releaseClaims(suite().dispatcher, await suite().claim());
    const [again] = await suite().claim();
    expect(again?.attemptCount).toBe(0);
    await releaseClaims(suite().dispatcher, [again!], 60);
    expect(await suite().claim()).toEqual([]);
  });
});
