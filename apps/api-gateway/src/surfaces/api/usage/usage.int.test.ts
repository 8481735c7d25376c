import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { usePeople } from '../../../testing/people-tests.ts';

const people = usePeople();
const { call } = people;

interface Booked {
  readonly accountId: string;
  readonly alias?: string;
  readonly costUsd?: string | null;
  readonly occurredAt?: string;
}

/** Inserts rows directly, without the gateway. */
async function book({ accountId, alias = 'fast', costUsd = '0.1', occurredAt = '2026-11-20T10:00:00Z' }: Booked) {
  const id = newId();
  await people.query(
    `insert into models.usage (account_id, id, occurred_at, model_alias, provider, endpoint, status, input_tokens,
       cached_input_tokens, output_tokens, cost_usd, price_source, usage_source, duration_ms, first_byte_ms, stream)
     values ($1, $2, $3, $4, 'openai', 'chat/completions', 'ok', 100, 10, 5, $5, 'catalogue', 'provider', 20, 7, true)`,
    [accountId, id, occurredAt, alias, costUsd],
  );
  return id;
}

describe('usage (USE-5)', () => {
  it('is listed with every field, but only for the caller’s account', async () => {
    const { accessToken: token, accountId } = await people.register();
    const id = await book({ accountId });
    await book({ accountId: newId() });
    expect((await call('GET', '/usage', token)).body).toEqual({
      items: [
        {
          id,
          occurred_at: '2026-11-20T10:00:00.000Z',
          account_id: accountId,
          api_key_id: null,
          user_id: null,
          managed_agent_id: null,
          execution_id: null,
          flow_id: null,
          runtime_session_id: null,
          model_id: null,
          model_alias: 'fast',
          provider: 'openai',
          endpoint: 'chat/completions',
          status: 'ok',
          input_tokens: 100,
          cached_input_tokens: 10,
          output_tokens: 5,
          cost_usd: 0.1,
          price_source: 'catalogue',
          usage_source: 'provider',
          duration_ms: 20,
          first_byte_ms: 7,
          stream: true,
          error_class: null,
        },
      ],
      next_cursor: null,
    });
  });

  it('is paged and can be filtered', async () => {
    const { accessToken: token, accountId } = await people.register();
    const ids = [await book({ accountId }), await book({ accountId, alias: 'slow' }), await book({ accountId })];
    const first = (await call('GET', '/usage?limit=2', token)).body;
    const second = (await call('GET', `/usage?limit=2&cursor=${first.next_cursor}`, token)).body;
    const listed = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
    expect(listed.sort()).toEqual(ids.sort());
    expect((await call('GET', '/usage?model_alias=slow', token)).body.items).toHaveLength(1);
    for (const bad of ['?cursor=x', '?status=fine', '?model_id=1', '?nope=1'])
      expect((await call('GET', `/usage${bad}`, token)).status).toBe(422);
  });

  it.each([
    ['viewer', 200],
    ['executor', 403],
    ['tracker_manager', 403],
  ])('responds to the role %s with %i', async (role, status) => {
    const owner = await people.register();
    const { token } = await people.add(owner.accessToken, role);
    const paths = ['/usage', '/usage/summary?group_by=day'];
    expect(await Promise.all(paths.map(async (path) => (await call('GET', path, token)).status))).toEqual([
      status,
      status,
    ]);
  });
});

describe('a summary of usage (USE-6)', () => {
  it('contains sums by group and in total for the requested period', async () => {
    const { accessToken: token, accountId } = await people.register();
    await book({ accountId });
    await book({ accountId, costUsd: '0.2' });
    await book({ accountId, alias: 'slow', costUsd: null, occurredAt: '2026-11-21T00:00:00Z' });
    const stretch = 'since=2026-11-20T00:00:00Z&until=2026-11-22T00:00:00Z';
    const { body } = await call('GET', `/usage/summary?group_by=model&${stretch}`, token);
    const sums = { refused_calls: 0, unpriced_calls: 0 };
    expect(body).toEqual({
      group_by: 'model',
      since: '2026-11-20T00:00:00.000Z',
      until: '2026-11-22T00:00:00.000Z',
      items: [
        {
          ...sums,
          key: 'fast',
          calls: 2,
          input_tokens: 200,
          cached_input_tokens: 20,
          output_tokens: 10,
          cost_usd: 0.3,
        },
        {
          ...sums,
          key: 'slow',
          calls: 1,
          unpriced_calls: 1,
          input_tokens: 100,
          cached_input_tokens: 10,
          output_tokens: 5,
          cost_usd: 0,
        },
      ],
      total: {
        calls: 3,
        refused_calls: 0,
        unpriced_calls: 1,
        input_tokens: 300,
        cached_input_tokens: 30,
        output_tokens: 15,
        cost_usd: 0.3,
      },
      truncated: false,
    });
  });

  it('covers at most 366 days, and requires a valid grouping', async () => {
    const { accessToken: token } = await people.register();
    const ask = async (query: string) => (await call('GET', `/usage/summary?${query}`, token)).status;
    expect(await ask('group_by=day&since=2025-01-01T00:00:00Z&until=2026-01-02T00:00:00Z')).toBe(200);
    expect(await ask('group_by=day&since=2025-01-01T00:00:00Z&until=2026-01-03T00:00:00Z')).toBe(422);
    expect(await ask('group_by=hour')).toBe(422);
    expect(await ask('')).toBe(422);
  });
});

describe('the spending on embeddings for search', () => {
  it('is part of the usage, and counts toward budgets', async () => {
    const { accessToken: token, accountId } = await people.register();
    await call('POST', '/budgets', token, { scope: 'account', period: 'all_time', limit_amount: 1 });
    const id = newId();
    // Recorded as by the indexer, in the transaction that stores the vectors.
    await people.query(
      `insert into search.embedding_usage (account_id, call_id, occurred_at, provider, model_identifier, source, is_failed, tokens,
         cost_usd) values ($1, $2, now(), 'generic_compatible', 'vectors-small', 'provider', false, 70, 0.25)`,
      [accountId, id],
    );
    const read = async () => (await call('GET', '/usage?endpoint=embeddings', token)).body.items as unknown[];
    await eventually(async () => (await read()).length > 0);
    expect(await read()).toMatchObject([{ id, model_alias: 'vectors-small', input_tokens: 70, cost_usd: 0.25 }]);
    expect((await call('GET', '/budgets', token)).body.items).toMatchObject([{ spent_amount: 0.25 }]);
  });
});
