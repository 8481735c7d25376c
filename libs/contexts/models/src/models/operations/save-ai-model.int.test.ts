import { newId } from '@steward/crypto';
import { findAiModel, listAiModels, type AiModelPatch } from '../../index.ts';
import { openModels, type OpenModels } from '../../testing/open-models.ts';

let models: OpenModels;
beforeAll(async () => {
  models = await openModels();
});
afterAll(() => models.close());

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, detail }: { code: string; detail: { field: string } }) => [code, detail.field],
  );

describe('a model that is saved', () => {
  it('defaults to its provider’s address, to enabled and to not being the default model (MOD-2)', async () => {
    const account = newId();
    const model = await models.add(account, { provider: 'anthropic' });
    expect(model).toMatchObject({ baseUrl: 'https://api.anthropic.com/v1', isEnabled: true, isDefault: false });
    expect(await findAiModel(models.db, { accountId: account, id: model.id })).toEqual(model);
    expect(await findAiModel(models.db, { accountId: newId(), id: model.id })).toBeUndefined();
  });

  it.each<[string, AiModelPatch]>([
    ['alias', { alias: 'Fast' }],
    ['alias', { alias: '-fast' }],
    ['alias', { alias: 'x'.repeat(81) }],
    ['model_identifier', { modelIdentifier: 'a b' }],
    ['model_identifier', { modelIdentifier: '' }],
    ['api_key', { apiKey: 'two\nlines' }],
    ['base_url', { provider: 'generic_compatible' }],
    ['base_url', { baseUrl: 'http://api.example.com' }],
    ['base_url', { baseUrl: 'https://127.0.0.1/v1' }],
    ['prices.input_per_mtok_usd', { customPrices: { input: '0.0000001', output: '1', cachedInput: null } }],
    ['prices.output_per_mtok_usd', { customPrices: { input: '1', output: '-1', cachedInput: null } }],
    ['prices.cached_input_per_mtok_usd', { customPrices: { input: '1', output: '1', cachedInput: '1000001' } }],
    ['fallback_model_ids', { fallbackModelIds: [newId()] }],
  ])('is refused for an invalid %s, such as %j', async (field, patch) => {
    expect((await refusal(models.add(newId(), patch)))?.[1]).toBe(field);
  });

  it('can be updated and disabled even if its address is no longer allowed; the address is checked only if it is sent', async () => {
    const account = newId();
    const { id } = await models.add(account);
    await models.admin.pool.query(`update models.ai_model set base_url = 'http://127.0.0.1:9/v1' where id = $1`, [id]);
    expect(await models.update(account, id, { isEnabled: false })).toMatchObject({ model: { isEnabled: false } });
    expect(await refusal(models.update(account, id, { baseUrl: 'http://127.0.0.1:9/v1' }))).toEqual([
      'invalid_base_url',
      'base_url',
    ]);
  });

  it('counts toward the limit of 500, under simultaneous requests, separately for each account (LIM-50)', async () => {
    const account = newId();
    const { id } = await models.add(account);
    await models.admin.pool.query(
      `insert into models.ai_model
       select (jsonb_populate_record(model, jsonb_build_object('id', gen_random_uuid(), 'alias', 'copy-' || number))).*
       from models.ai_model model, generate_series(1, 498) number where id = $1`,
      [id],
    );
    const both = await Promise.allSettled([models.add(account), models.add(account)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(models.add(account)).rejects.toMatchObject({ code: 'quota_reached', detail: { limit: 500 } });
    await models.add(newId());
    await models.delete(account, id);
    await models.add(account);
  });

  it('stores prices exactly, to the last decimal (MOD-11)', async () => {
    const account = newId();
    const customPrices = { input: '123456.123456', output: '0.000001', cachedInput: '0' };
    expect((await models.add(account, { customPrices })).customPrices).toEqual(customPrices);
  });

  it('has an alias that is unique in the account (MOD-3)', async () => {
    const [account, fields] = [newId(), { provider: 'openai', alias: 'fast', modelIdentifier: 'x' } as const];
    const saves = await Promise.all(Array.from({ length: 5 }, () => models.save(account, fields)));
    expect(saves.map(({ kind }) => kind).sort()).toEqual([...Array<string>(4).fill('alias_taken'), 'saved']);
    expect((await models.save(newId(), fields)).kind).toBe('saved');
    const other = await models.add(account);
    expect((await models.update(account, other.id, { alias: 'fast' })).kind).toBe('alias_taken');
  });

  it('can be the only default, even under simultaneous requests (MOD-8)', async () => {
    const account = newId();
    await Promise.all(Array.from({ length: 5 }, () => models.add(account, { isDefault: true })));
    const all = await listAiModels(models.db, { accountId: account, beforeId: undefined, limit: 10 });
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});

describe('the key of a provider (MOD-6)', () => {
  const keyOf = async (account: string, name: string) => {
    const found = await models.find(account, name, 'openai');
    return found.kind === 'found' ? found.chain[0].apiKey : found.kind;
  };

  it('is stored encrypted and bound to its row', async () => {
    const account = newId();
    await models.add(account, { alias: 'a', apiKey: 'sk-canary-1' });
    const { rows } = await models.admin.pool.query<{ row: string }>(
      `select encode(api_key_sealed, 'escape') || m::text as row from models.ai_model m where account_id = $1`,
      [account],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain('sk-canary-1');
  });

  it('is retained if the model stays with the same service, and deleted by an empty string', async () => {
    const account = newId();
    const { id } = await models.add(account, { alias: 'a', apiKey: 'sk-1' });
    await models.update(account, id, { alias: 'b', baseUrl: 'https://api.openai.com/v2' });
    expect(await keyOf(account, 'b')).toBe('sk-1');
    expect(await models.update(account, id, { apiKey: '' })).toMatchObject({ model: { hasApiKey: false } });
    expect(await keyOf(account, 'b')).toBeUndefined();
  });

  it('is deleted when the model moves to another service', async () => {
    const account = newId();
    const { id } = await models.add(account, { alias: 'a', apiKey: 'sk-1' });
    expect(await models.update(account, id, { baseUrl: 'https://evil.example/v1' })).toMatchObject({
      model: { hasApiKey: false },
    });
    await models.update(account, id, { baseUrl: 'https://api.openai.com/v1' });
    expect(await keyOf(account, 'a')).toBeUndefined();
  });
});

describe('a fallback model (MOD-7, MOD-9)', () => {
  it('must be a different model of the same account and the same API, and can be listed only once', async () => {
    const account = newId();
    const [model, claude, foreign] = [
      await models.add(account),
      await models.add(account, { provider: 'anthropic' }),
      await models.add(newId()),
    ];
    const others = [await models.add(account), await models.add(account), await models.add(account)];
    const set = (ids: readonly string[]) => refusal(models.update(account, model.id, { fallbackModelIds: ids }));
    for (const ids of [
      [model.id],
      [claude.id],
      [foreign.id],
      [String(others[0]?.id), String(others[0]?.id)],
      [...others.map(({ id }) => id), claude.id],
    ])
      expect(await set(ids)).toEqual(['invalid_request', 'fallback_model_ids']);
    expect(await set(others.map(({ id }) => id))).toBeUndefined();
    expect(await set(others.map(({ id }) => id.toUpperCase()))).toBeUndefined();
  });

  it('cannot be deleted or moved to another API while it is used as a fallback', async () => {
    const account = newId();
    const base = await models.add(account);
    const user = await models.add(account, { alias: 'user', fallbackModelIds: [base.id] });
    const inUse = { kind: 'in_use', aliases: ['user'] };
    expect(await models.delete(account, base.id)).toEqual(inUse);
    expect(await models.update(account, base.id, { provider: 'anthropic' })).toEqual(inUse);
    await models.update(account, user.id, { fallbackModelIds: [] });
    expect(await models.update(account, base.id, { provider: 'anthropic' })).toMatchObject({
      model: { baseUrl: 'https://api.anthropic.com/v1' },
    });
    expect((await models.delete(account, base.id)).kind).toBe('deleted');
    expect((await models.delete(account, base.id)).kind).toBe('not_found');
  });

  it('cannot be deleted at the moment when another model begins to use it', async () => {
    const account = newId();
    const base = await models.add(account);
    const user = await models.add(account);
    const [deleted, updated] = await Promise.allSettled([
      models.delete(account, base.id),
      models.update(account, user.id, { fallbackModelIds: [base.id] }),
    ]);
    const isDeleted = deleted.status === 'fulfilled' && deleted.value.kind === 'deleted';
    expect(updated.status === 'fulfilled').toBe(!isDeleted);
  });
});
