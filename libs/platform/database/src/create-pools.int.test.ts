import { createLogger } from '@steward/process';
import { createTestDatabase, type TestDatabase } from '@steward/testing';
import { createPools } from './create-pools.ts';

describe('named pools', () => {
  let clone: TestDatabase;
  beforeAll(async () => {
    clone = await createTestDatabase();
  });
  afterAll(() => clone.drop());

  it('have separate sizes, settings and names, and are closed together', async () => {
    const { pools, component } = createPools({
      url: clone.url,
      service: 'a-test',
      logger: createLogger({ service: 'test', level: 'error', pretty: false }),
      pools: { slow: { size: 1, settings: { statement_timeout: '1234ms' } }, quick: { size: 2 } },
    });
    const read = async (name: keyof typeof pools, setting: string) =>
      (await pools[name].pool.query<{ value: string }>('select current_setting($1) as value', [setting])).rows[0]
        ?.value;
    expect([await read('slow', 'statement_timeout'), await read('quick', 'statement_timeout')]).toEqual([
      '1234ms',
      '0',
    ]);
    expect([await read('slow', 'application_name'), await read('quick', 'application_name')]).toEqual([
      'steward-a-test-slow',
      'steward-a-test-quick',
    ]);
    expect([pools.slow.pool.options.max, pools.quick.pool.options.max]).toEqual([1, 2]);
    await component.stop?.();
    await expect(pools.quick.pool.query('select 1')).rejects.toThrow();
    await expect(pools.slow.pool.query('select 1')).rejects.toThrow();
  });
});
