import { createAccountBudget } from './account-budget.ts';

const portal = { group: 'customer-1', eventTypes: ['session.ended'] };
const linkOf = (accountId: string, apiKeyId: string) => ({ accountId, apiKeyId, portal });

describe('the request budget', () => {
  it('is shared by the users and keys of an account, but not by its portal links (LIM-1, LIM-105)', () => {
    const spend = createAccountBudget({ perMinute: 1000 }, () => 0);
    for (let request = 0; request < 120; request += 1)
      expect(spend(linkOf('account', 'link-1'))).toMatchObject({ isGranted: true, limit: 120, owner: 'portal link' });
    expect(spend(linkOf('account', 'link-1'))).toMatchObject({ isGranted: false, remaining: 0, retryAfterSeconds: 1 });
    expect(spend(linkOf('account', 'link-2'))).toMatchObject({ isGranted: true, remaining: 119 });
    expect(spend({ accountId: 'account', apiKeyId: undefined })).toMatchObject({ isGranted: true, remaining: 999 });
    expect(spend({ accountId: 'account', apiKeyId: 'key' })).toMatchObject({ isGranted: true, remaining: 998 });
  });

  it('is never larger for a portal link than for its account', () => {
    const spend = createAccountBudget({ perMinute: 2 }, () => 0);
    expect(spend(linkOf('account', 'link-1')).limit).toBe(2);
  });
});
