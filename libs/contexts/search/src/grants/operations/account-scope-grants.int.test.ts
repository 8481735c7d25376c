import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { useOpened } from '@steward/testing';
import { openSearch } from '../../testing/open-search.ts';
import type { AccountScopeGrant } from '../account-scope-grant.ts';
import { listAccountScopeGrants } from '../store/account-scope-grant.store.ts';
import { findAccountScopeGrant } from './find-account-scope-grant.ts';
import { saveAccountScopeGrants } from './save-account-scope-grants.ts';

const suite = useOpened(openSearch);

const grant = (subjectType: AccountScopeGrant['subjectType'], subjectId: string, isGranted: boolean) => ({
  subjectType,
  subjectId,
  isGranted,
});
const save = (accountId: string, grants: readonly AccountScopeGrant[]) =>
  transact({ db: suite().database.db }, (trx) =>
    saveAccountScopeGrants(trx, { accountId, grants, findUnknownSubject: () => Promise.resolve(undefined) }),
  );

describe('the decision whether an agent may search its account (SRCH-62)', () => {
  const [apiKeyId, managedAgentId] = [newId(), 'agent-1'];

  it.each<[boolean, string, boolean | undefined, boolean | undefined, boolean | undefined]>([
    [false, 'nothing says anything', undefined, undefined, undefined],
    [true, 'the account says yes', undefined, undefined, true],
    [true, 'the agent says yes', undefined, true, undefined],
    [true, 'the key says yes', true, undefined, undefined],
    [true, 'the agent says yes, the account no', undefined, true, false],
    [false, 'the agent says no, the account yes', undefined, false, true],
    [true, 'the key says yes, all others no', true, false, false],
    [false, 'the key says no, all others yes', false, true, true],
  ])('%s: %s', async (expected, _what, ofKey, ofAgent, ofAccount) => {
    const accountId = newId();
    const all = [
      ...(ofAccount === undefined ? [] : [grant('account', accountId, ofAccount)]),
      ...(ofKey === undefined ? [] : [grant('api_key', apiKeyId, ofKey)]),
      ...(ofAgent === undefined ? [] : [grant('managed_agent', managedAgentId, ofAgent)]),
    ];
    await save(accountId, all);
    expect(await findAccountScopeGrant(suite().database.db, { accountId, apiKeyId, managedAgentId })).toBe(expected);
    // Another account, another key and another agent have no such grant.
    expect(await findAccountScopeGrant(suite().database.db, { accountId: newId(), apiKeyId, managedAgentId })).toBe(
      false,
    );
    const others = { accountId, apiKeyId: newId(), managedAgentId: 'agent-2' };
    expect(await findAccountScopeGrant(suite().database.db, others)).toBe(ofAccount ?? false);
    expect(await findAccountScopeGrant(suite().database.db, { accountId })).toBe(ofAccount ?? false);
  });

  it('does not mix up ids of keys and agents', async () => {
    const accountId = newId();
    await save(accountId, [grant('managed_agent', apiKeyId, true)]);
    expect(await findAccountScopeGrant(suite().database.db, { accountId, apiKeyId })).toBe(false);
    expect(await findAccountScopeGrant(suite().database.db, { accountId, managedAgentId: apiKeyId })).toBe(true);
  });
});

describe('saving grants (SRCH-60)', () => {
  it('replaces the list, in look-up order', async () => {
    const accountId = newId();
    const [a, b] = [newId(), newId()].sort();
    await save(accountId, [grant('account', accountId, false), grant('api_key', b as string, true)]);
    const next = [
      grant('managed_agent', 'x', true),
      grant('api_key', b as string, false),
      grant('api_key', a as string, true),
    ];
    const outcome = await save(accountId, next);
    const ordered = [next[2], next[1], next[0]];
    expect(outcome).toMatchObject({ kind: 'saved', grants: ordered });
    expect(await listAccountScopeGrants(suite().database.db, accountId)).toEqual(ordered);
    expect(await save(accountId, [])).toMatchObject({ kind: 'saved', grants: [] });
    expect(await listAccountScopeGrants(suite().database.db, accountId)).toEqual([]);
  });

  it('stores the list of one of two concurrent requests, without mixing them', async () => {
    const accountId = newId();
    const lists = Array.from({ length: 8 }, (_, n) => [
      grant('managed_agent', `a${n}`, true),
      grant('managed_agent', 'z', n > 3),
    ]);
    await Promise.all(lists.map((list) => save(accountId, list)));
    expect(lists).toContainEqual(await listAccountScopeGrants(suite().database.db, accountId));
  });

  it('validates only new subjects: a list can be sent back after its key was deleted', async () => {
    const accountId = newId();
    const known = grant('api_key', apiKeyOf(1), true);
    await save(accountId, [known]);
    const asked: AccountScopeGrant[] = [];
    const fresh = grant('api_key', apiKeyOf(2), true);
    const outcome = await transact({ db: suite().database.db }, (trx) =>
      saveAccountScopeGrants(trx, {
        accountId,
        grants: [known, fresh],
        findUnknownSubject: (grants) => {
          asked.push(...grants);
          return Promise.resolve(grants[0]);
        },
      }),
    );
    expect(asked).toEqual([fresh]);
    expect(outcome).toEqual({ kind: 'unknown_subject', index: 1 });
    expect(await listAccountScopeGrants(suite().database.db, accountId)).toEqual([known]);
  });
});

const apiKeyOf = (n: number) => `01a1fd83-e0f6-74f3-a4d4-3894501df16${n}`;
