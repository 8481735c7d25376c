import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { openSearch } from '../../testing/open-search.ts';
import { utcDay } from '../rules/utc-day.ts';
import { readSpend, reserveSpend, settleSpend } from './embedding-spend.store.ts';

const NOON = new Date('2026-11-20T12:00:00Z');
const NEXT_DAY = new Date('2026-11-21T00:00:00Z');

const suite = useOpened(openSearch);

const reserve = (accountId: string, usd: number, capUsd = 1, now = NOON) =>
  reserveSpend(suite().admin.db, { accountId, now, usd, capUsd });
const settle = (accountId: string, reservedUsd: number, spentUsd: number, now = NOON) =>
  settleSpend(suite().admin.db, { accountId, day: utcDay(now), reservedUsd, spentUsd, tokens: 10 });
const read = (accountId: string, now = NOON) => readSpend(suite().admin.db, { accountId, now });

describe('spend of an account and a UTC day (EMB-14)', () => {
  it('can reach its cap exactly, but not exceed it', async () => {
    const accountId = newId();
    const outcomes: boolean[] = [];
    for (let call = 0; call < 12; call += 1) outcomes.push(await reserve(accountId, 0.1));
    expect(outcomes).toEqual([...Array<boolean>(10).fill(true), false, false]);
    expect(await reserve(accountId, 0.0000000001)).toBe(false);
    expect(await reserve(accountId, 0)).toBe(true);
  });

  it('never exceeds its cap under concurrent reservations', async () => {
    const accountId = newId();
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => reserve(accountId, 0.07)));
    expect(outcomes.filter(Boolean)).toHaveLength(14);
  });

  it('releases what a call did not use, and counts what exceeded its reservation', async () => {
    const accountId = newId();
    await reserve(accountId, 0.6);
    expect(await reserve(accountId, 0.5)).toBe(false);
    await settle(accountId, 0.6, 0.2);
    expect(await reserve(accountId, 0.5)).toBe(true);
    await settle(accountId, 0.5, 0.9);
    expect([await read(accountId), await reserve(accountId, 0.0001)]).toEqual([1.1, false]);
  });

  it('counts unsettled reservations as spent', async () => {
    const accountId = newId();
    await reserve(accountId, 0.25);
    expect(await read(accountId)).toBe(0.25);
  });

  it('restarts at midnight UTC; calls across it count for the day of their reservation', async () => {
    const accountId = newId();
    const lastMinute = new Date('2026-11-20T23:59:59.999Z');
    expect(await reserve(accountId, 1, 1, lastMinute)).toBe(true);
    expect(await reserve(accountId, 1, 1, NEXT_DAY)).toBe(true);
    await settle(accountId, 1, 0.5, lastMinute);
    expect([await read(accountId), await read(accountId, NEXT_DAY)]).toEqual([0.5, 1]);
  });

  it('is impossible with a cap of 0, even for free models; a free model is allowed by any other cap', async () => {
    const accountId = newId();
    expect(await reserve(accountId, 0, 0)).toBe(false);
    expect(await reserve(accountId, 0, 0.000001)).toBe(true);
  });

  it('is separate for each account', async () => {
    const [one, other] = [newId(), newId()];
    await reserve(one, 1);
    expect([await reserve(one, 0.1), await reserve(other, 1)]).toEqual([false, true]);
  });

  it('adds up small prices exactly', async () => {
    const accountId = newId();
    for (let call = 0; call < 100; call += 1) {
      await reserve(accountId, 0.0000000001);
      await settle(accountId, 0.0000000001, 0.0000000001);
    }
    const [row] = await suite().query<{ spent: string }>(
      'select spent_usd::text || $2 as spent from search.embedding_spend where account_id = $1',
      [accountId, ''],
    );
    expect(row?.spent).toBe('0.0000000100');
  });
});
