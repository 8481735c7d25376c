import { newId } from '@steward/crypto';
import type { ModelForCall } from '../../index.ts';
import { openModels, type OpenModels } from '../../testing/open-models.ts';

let models: OpenModels;
beforeAll(async () => {
  models = await openModels();
});
afterAll(() => models.close());

const aliasesOf = (outcome: ModelForCall) =>
  outcome.kind === 'found' ? outcome.chain.map(({ alias }) => alias) : outcome.kind;

describe('the model of a call (MOD-20)', () => {
  it('is the model with that alias, with its key and its price, even if another model has the same identifier', async () => {
    const account = newId();
    const fast = await models.add(account, { alias: 'fast', modelIdentifier: 'gpt-4o-mini', apiKey: 'sk-1' });
    await models.add(account, { alias: 'other', modelIdentifier: 'fast' });
    const found = await models.find(account, 'fast');
    expect(found).toEqual({
      kind: 'found',
      chain: [
        {
          id: fast.id,
          alias: 'fast',
          provider: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          modelIdentifier: 'gpt-4o-mini',
          maxOutputTokens: null,
          apiKey: 'sk-1',
          price: expect.objectContaining({ source: 'catalogue' }) as unknown,
        },
      ],
    });
    expect(aliasesOf(await models.find(account, fast.id))).toEqual(['fast']);
  });

  it('is the model with that identifier if exactly one such model of the route’s API is enabled', async () => {
    const account = newId();
    const named = { modelIdentifier: 'shared' };
    await models.add(account, { ...named, alias: 'a' });
    await models.add(account, { ...named, alias: 'off', isEnabled: false });
    await models.add(account, { ...named, alias: 'claude', provider: 'anthropic' });
    expect(aliasesOf(await models.find(account, 'shared'))).toEqual(['a']);
    expect(aliasesOf(await models.find(account, 'shared', 'anthropic'))).toEqual(['claude']);
    await models.add(account, { ...named, alias: 'b' });
    expect(await models.find(account, 'shared')).toEqual({ kind: 'ambiguous', aliases: ['a', 'b'] });
  });

  it('is the account’s default model for the name "default", unless a model has that alias', async () => {
    const account = newId();
    expect(await models.find(account, 'default')).toEqual({ kind: 'not_found' });
    await models.add(account, { alias: 'first', isDefault: true });
    await models.add(account, { alias: 'second', isDefault: true });
    expect(aliasesOf(await models.find(account, 'default'))).toEqual(['second']);
    await models.add(account, { alias: 'default' });
    expect(aliasesOf(await models.find(account, 'default'))).toEqual(['default']);
  });

  it('is never disabled and never belongs to another account or another API', async () => {
    const account = newId();
    const { id } = await models.add(account, { alias: 'fast' });
    expect(await models.find(newId(), 'fast')).toEqual({ kind: 'not_found' });
    expect(await models.find(newId(), id)).toEqual({ kind: 'not_found' });
    expect(await models.find(account, 'fast', 'anthropic')).toEqual({ kind: 'other_provider', provider: 'openai' });
    await models.update(account, id, { isEnabled: false });
    expect(await models.find(account, 'fast')).toEqual({ kind: 'disabled' });
  });

  it.each(['', 'x'.repeat(256), 'a\0b', "'; --"])('does not exist under the name %j', async (name) => {
    expect(await models.find(newId(), name)).toEqual({ kind: 'not_found' });
  });

  it('changes with the next call after an update (MOD-22)', async () => {
    const account = newId();
    const { id } = await models.add(account, { alias: 'fast', apiKey: 'old' });
    await models.find(account, 'fast');
    await models.update(account, id, { apiKey: 'new', modelIdentifier: 'changed' });
    expect(await models.find(account, 'fast')).toMatchObject({
      chain: [{ apiKey: 'new', modelIdentifier: 'changed' }],
    });
  });
});

describe('cached models', () => {
  /** Returns a finder, and the revision with which a request would be authenticated. */
  async function openFinder() {
    const account = newId();
    const { id } = await models.add(account, { alias: 'fast', apiKey: 'old' });
    const find = models.finder();
    const call = async (more: { revision?: number } = {}) =>
      find({
        ...{ accountId: account, name: 'fast', family: 'openai', now: new Date('2026-11-20T10:00:00Z') },
        ...{ revision: await models.readRevision(account), ...more },
      });
    return { account, id, call };
  }

  it('are used for calls with the same revision without another read', async () => {
    const { account, id, call } = await openFinder();
    await call();
    const revision = await models.readRevision(account);
    await models.update(account, id, { apiKey: 'new' });
    expect(await call({ revision })).toMatchObject({ chain: [{ apiKey: 'old' }] });
  });

  it.each<readonly [string, (account: string, id: string) => Promise<unknown>, object]>([
    ['changed', (account, id) => models.update(account, id, { apiKey: 'new' }), { chain: [{ apiKey: 'new' }] }],
    ['disabled', (account, id) => models.update(account, id, { isEnabled: false }), { kind: 'disabled' }],
    ['deleted', (account, id) => models.delete(account, id), { kind: 'not_found' }],
    [
      'given a fallback model',
      async (account, id) => {
        const other = await models.add(account, { alias: 'other' });
        await models.update(account, id, { fallbackModelIds: [other.id] });
      },
      { chain: [{ alias: 'fast' }, { alias: 'other' }] },
    ],
  ])('are read again once one of them was %s (MOD-22)', async (_change, change, after) => {
    const { account, id, call } = await openFinder();
    await call();
    await change(account, id);
    expect(await call()).toMatchObject(after);
  });

  it('have a separate revision per account', async () => {
    const { account } = await openFinder();
    const before = await models.readRevision(account);
    await models.add(newId(), { alias: 'fast' });
    expect(await models.readRevision(account)).toBe(before);
    expect(await models.readRevision(newId())).toBe(0);
  });

  it('have the price at the time of each call', async () => {
    const account = newId();
    await models.add(account, {
      alias: 'chat',
      provider: 'generic_compatible',
      baseUrl: 'https://api.deepseek.com/v1',
      modelIdentifier: 'deepseek-chat',
    });
    const find = models.finder();
    const priceAt = async (now: Date) => {
      const found = await find({ accountId: account, name: 'chat', family: 'openai', now, revision: 1 });
      return found.kind === 'found' ? found.chain[0].price.rates?.input.base : undefined;
    };
    // The price of this model was lower between 16:30 and 0:30 UTC.
    const [dear, cheap] = [
      await priceAt(new Date('2025-04-01T16:29:59Z')),
      await priceAt(new Date('2025-04-01T16:30:00Z')),
    ];
    expect(cheap).toBeLessThan(dear ?? 0);
  });
});

describe('the fallback models of a call (MOD-21)', () => {
  it('are those of the model, in order, without disabled models and without their own fallbacks', async () => {
    const account = newId();
    const last = await models.add(account, { alias: 'last' });
    const [a, b, off] = [
      await models.add(account, { alias: 'a', fallbackModelIds: [last.id] }),
      await models.add(account, { alias: 'b', provider: 'generic_compatible', baseUrl: 'https://b.example/v1' }),
      await models.add(account, { alias: 'off', isEnabled: false }),
    ];
    await models.add(account, { alias: 'fast', fallbackModelIds: [b.id, off.id, a.id] });
    expect(aliasesOf(await models.find(account, 'fast'))).toEqual(['fast', 'b', 'a']);
  });

  it('can refer to each other', async () => {
    const account = newId();
    const a = await models.add(account, { alias: 'a' });
    const b = await models.add(account, { alias: 'b', fallbackModelIds: [a.id] });
    await models.update(account, a.id, { fallbackModelIds: [b.id] });
    expect(aliasesOf(await models.find(account, 'a'))).toEqual(['a', 'b']);
  });
});
