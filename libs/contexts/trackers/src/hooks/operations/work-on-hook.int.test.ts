import { createSecretBox, newId } from '@steward/crypto';
import { APP_ROLES, transact } from '@steward/database';
import { openClone } from '@steward/database/testing';
import { useOpened } from '@steward/testing';
import { createTracker } from '../../connections/operations/save-tracker.ts';
import { TRACKER_HOSTS } from '../../hosts/hosts.ts';
import { TrackerError } from '../../hosts/tracker-error.ts';
import type { HookOrder, TrackerHost } from '../../hosts/tracker-host.ts';
import type { HookRow } from '../../schema.ts';
import { claimDueHook, claimHook, findHooks, leaveHook, wishHook } from '../store/hook.store.ts';
import { workOnHook } from './work-on-hook.ts';

const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'tracker');
const ORDER = { url: 'https://steward.test/x', urlPrefix: 'https://steward.test/', secret: 's', events: [] };

async function open() {
  const clone = await openClone({ poolSize: 12 });
  return { db: clone.connectAs(APP_ROLES.apiGateway).db, close: clone.close };
}
const suite = useOpened(open);
const run = <T>(work: Parameters<typeof transact<T>>[1]) => transact(suite(), work);

async function connect(accountId: string, name: string, baseUrl = 'https://api.github.com') {
  const patch = { name, token: 'a-token', baseUrl };
  const input = { accountId, kind: 'github', patch, insecureOrigins: [], now: new Date() } as const;
  const outcome = await run((trx) => createTracker(trx, input, box));
  if (outcome.kind !== 'saved') throw new Error(outcome.kind);
  return outcome.tracker.id;
}
async function wish() {
  const accountId = newId();
  const trackerId = await connect(accountId, 'hub');
  const hook = { accountId, flowId: newId(), trackerId, repository: 'acme/shop', isWanted: true };
  await run((trx) => wishHook(trx, hook));
  return hook;
}
/**
 * Claims due hooks until the flow's hook is among them, or all due hooks of its account, since other tests may have
 * left due hooks.
 */
async function claimOf({ accountId, flowId }: { accountId: string; flowId: string }, ofAccount = false) {
  for (;;) {
    const hook = await claimDueHook(suite().db, 60);
    if (hook === undefined || hook.flow_id === flowId || (ofAccount && hook.account_id === accountId)) return hook;
  }
}
const claim = async (key: { accountId: string; flowId: string }) => {
  const hook = await claimHook(suite().db, key, 60);
  if (hook === undefined) throw new Error('no hook');
  return hook;
};
const read = async ({ accountId, flowId }: { accountId: string; flowId: string }) =>
  (await findHooks(suite().db, accountId, [flowId]))[0];

/** Processes the hook with this response of the tracker: an id, or an error. */
const work = (hook: HookRow, saveHook: (order: HookOrder) => Promise<string>, removed: string[] = []) => {
  const host: TrackerHost = {
    ...TRACKER_HOSTS.github,
    saveHook: (_access, order) => saveHook(order),
    removeHook: (_access, { hookId }) => Promise.resolve(void removed.push(String(hookId))),
  };
  const access = { ask: () => Promise.reject(new Error('not asked')), isCloud: false };
  return workOnHook(suite().db, { hook, host, open: () => access, order: ORDER });
};

describe('the hook of a flow (TRK-8, TRK-9)', () => {
  it('is processed by one of many processes at a time', async () => {
    const wished = await wish();
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimDueHook(suite().db, 60)));
    expect(claims.filter((hook) => hook?.flow_id === wished.flowId)).toHaveLength(1);
  });

  it('is updated again if it changed during its registration, and the id of the registered hook is stored', async () => {
    const wished = await wish();
    const hook = await claim(wished);
    await work(hook, async () => {
      await run((trx) => wishHook(trx, { ...wished, isWanted: false }));
      return '1001';
    });
    expect(await read(wished)).toMatchObject({ state: 'pending', is_wanted: false, hook_id: '1001' });
    const removed: string[] = [];
    await work(await claim(wished), () => Promise.reject(new Error('not registered')), removed);
    expect([removed, (await read(wished))?.state]).toEqual([['1001'], 'removed']);
  });

  it('is retried eight times with growing delays if the tracker does not respond, and then marked as failed', async () => {
    const wished = await wish();
    const waits: number[] = [];
    let hook = await claim(wished);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const fail = () =>
        Promise.reject(new TrackerError('GitHub responded with 503.', { fault: 'unavailable', status: 503 }));
      const outcome = await work({ ...hook, attempts: attempt }, fail);
      if (outcome === 'gone') throw new Error('gone');
      if (outcome.retrySeconds !== null) waits.push(outcome.retrySeconds);
      hook = { ...hook, ...(await read(wished)) };
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960]);
    expect(await read(wished)).toMatchObject({
      state: 'failed',
      reason: 'The hook is not registered: GitHub responded with 503.',
      due_at: null,
    });
  });

  it('is removed and deleted with its flow, even if the tracker does not remove it', async () => {
    for (const fault of ['none', 'forbidden'] as const) {
      const wished = await wish();
      const hook = await claim(wished);
      await work(hook, () => Promise.resolve('1001'));
      await run((trx) => leaveHook(trx, wished.accountId, wished.flowId));
      expect(await read(wished)).toBeUndefined();
      const left = { ...hook, is_wanted: false, is_left: true, hook_id: '1001' };
      const host: TrackerHost = {
        ...TRACKER_HOSTS.github,
        removeHook: () => (fault === 'none' ? Promise.resolve() : Promise.reject(new TrackerError('no', { fault }))),
      };
      const access = { ask: () => Promise.reject(new Error('not asked')), isCloud: false };
      expect(await workOnHook(suite().db, { hook: left, host, open: () => access, order: ORDER })).toBe('gone');
    }
  });

  it('is processed by one process at a time even if the flow changes meanwhile, and then again (TRK-8)', async () => {
    const wished = await wish();
    const saved: string[] = [];
    await work(await claim(wished), async () => {
      await run((trx) => wishHook(trx, wished));
      expect([await claimOf(wished), await claimHook(suite().db, wished, 60)]).toEqual([undefined, undefined]);
      return '1001';
    });
    const again = await claimOf(wished);
    expect(again).toMatchObject({ hook_id: '1001', is_left: false });
    await work(again as HookRow, ({ hookId }) => {
      saved.push(String(hookId));
      return Promise.resolve('1001');
    });
    expect([saved, (await read(wished))?.state]).toEqual([['1001'], 'active']);
  });

  it('is removed if its flow was deleted during the registration (TRK-9)', async () => {
    const wished = await wish();
    await work(await claim(wished), async () => {
      await run((trx) => leaveHook(trx, wished.accountId, wished.flowId));
      expect(await claimOf(wished)).toBeUndefined();
      return '1001';
    });
    const removed: string[] = [];
    expect(await work((await claimOf(wished)) as HookRow, () => Promise.resolve(''), removed)).toBe('gone');
    expect(removed).toEqual(['1001']);
  });

  it('waits until the previous hook is removed if the new one is at the same tracker (TRK-9)', async () => {
    const wished = await wish();
    await work(await claim(wished), () => Promise.resolve('1001'));
    await run((trx) => leaveHook(trx, wished.accountId, wished.flowId));
    await run((trx) => wishHook(trx, { ...wished, repository: 'acme/other' }));
    const left = await claimOf(wished);
    expect([left?.is_left, left?.hook_id]).toEqual([true, '1001']);
    expect([await claimOf(wished), await claimHook(suite().db, wished, 60)]).toEqual([undefined, undefined]);
    const removed: string[] = [];
    expect(await work(left as HookRow, () => Promise.resolve(''), removed)).toBe('gone');
    expect(removed).toEqual(['1001']);
    expect(await claimOf(wished)).toMatchObject({ is_left: false, repository: 'acme/other' });
  });

  it('does not wait for the previous hook if the new one is at another tracker; the two are distinguished (TRK-9)', async () => {
    const wished = await wish();
    await work(await claim(wished), () => Promise.resolve('1001'));
    const elsewhere = await connect(wished.accountId, 'other', 'https://github.acme.test');
    await run((trx) => wishHook(trx, { ...wished, trackerId: elsewhere }));
    const left = (await claimOf(wished)) as HookRow;
    await work(await claim(wished), () => Promise.resolve('1001'));
    const removed: string[] = [];
    expect(await work(left, () => Promise.resolve(''), removed)).toBe('gone');
    expect([removed, (await read(wished))?.hook_id]).toEqual([['1001'], '1001']);
  });

  it('uses at most two slots per account', async () => {
    const wished = await wish();
    for (let more = 0; more < 3; more += 1) await run((trx) => wishHook(trx, { ...wished, flowId: newId() }));
    const claimed = [await claimOf(wished, true), await claimOf(wished, true), await claimOf(wished, true)];
    expect(claimed.map((hook) => hook !== undefined)).toEqual([true, true, false]);
    const other = await wish();
    expect(await claimOf(other)).toMatchObject({ account_id: other.accountId });
  });
});
