import fc from 'fast-check';
import type { Authenticate } from './create-authenticate.ts';
import { useIdentity } from '../../testing/open-identity.ts';

const identity = useIdentity();

/** The state of a key as a request may see it. */
interface State {
  readonly isRevoked: boolean;
  readonly isSuspended: boolean;
  readonly isHalted: boolean;
}

const NEW: State = { isRevoked: false, isSuspended: false, isHalted: false };
const CHANGES = {
  revoke: { sql: 'update gateway.api_key set revoked_at = now() where id = $1', to: { isRevoked: true } },
  suspend: { sql: 'update gateway.api_key set is_suspended = true where id = $1', to: { isSuspended: true } },
  resume: { sql: 'update gateway.api_key set is_suspended = false where id = $1', to: { isSuspended: false } },
  halt: {
    sql: `insert into gateway.kill_switch (account_id, engaged, changed_at, changed_by)
      select account_id, true, now(), user_id from gateway.api_key where id = $1
      on conflict (account_id) do update set engaged = true`,
    to: { isHalted: true },
  },
  release: {
    sql: `update gateway.kill_switch set engaged = false
      where account_id = (select account_id from gateway.api_key where id = $1)`,
    to: { isHalted: false },
  },
} as const;

/** Creates a key in a separate account, and records every state it has had. */
async function openKey() {
  const owner = await identity().addAccount();
  const { key, id } = await identity().addKey(owner);
  const states: State[] = [NEW];
  /** Index of the newest state that is known to be committed. */
  let settled = 0;
  return {
    async change(name: keyof typeof CHANGES): Promise<void> {
      const { sql, to } = CHANGES[name];
      states.push({ ...(states.at(-1) as State), ...to });
      await identity().query(sql, [id]);
      settled = states.length - 1;
    },
    /** Authenticates with the key. @returns the state that the caller saw, and the states that it may see */
    async ask(authenticate: Authenticate) {
      const first = settled;
      const principal = await authenticate(key);
      if (principal !== undefined) expect(principal.apiKeyId).toBe(id);
      const told = {
        isRevoked: principal === undefined,
        isSuspended: principal?.isSuspended ?? false,
        isHalted: principal?.isHalted ?? false,
      };
      const possible = states.slice(first).map((one) => (one.isRevoked ? { ...NEW, isRevoked: true } : one));
      return { told, possible };
    },
  };
}

describe('requests whose credentials are read together', () => {
  it('get the current state in each of three processes, under concurrent changes (ACC-28)', async () => {
    const processes = [1, 2, 3].map(() => identity().openProcess().authenticate);
    const step = fc.record({
      kind: fc.constantFrom('ask', 'ask', 'ask', 'change', 'wait'),
      change: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
      key: fc.nat(3),
      process: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const keys = await Promise.all([openKey(), openKey(), openKey(), openKey()]);
        const asked: ReturnType<(typeof keys)[number]['ask']>[] = [];
        for (const { kind, change, key: at, process } of steps) {
          const [key, authenticate] = [keys[at], processes[process]];
          if (key === undefined || authenticate === undefined) throw new Error('there is no such key');
          if (kind === 'ask') asked.push(key.ask(authenticate));
          else if (kind === 'change') await key.change(change);
          else await asked.at(-1);
        }
        for (const { told, possible } of await Promise.all(asked)) expect(possible).toContainEqual(told);
      }),
      { numRuns: 25 },
    );
  });

  it('are authenticated by one statement, each with its own caller, and the server caches only one plan for it', async () => {
    const { authenticate, pool } = identity().openProcess();
    const addKey = async () => identity().addKey(await identity().addAccount());
    const keys = await Promise.all(Array.from({ length: 15 }, addKey));
    const askAll = () => Promise.all([...keys.map(({ key }) => authenticate(key)), authenticate('stw_unknown')]);
    // The first use of each key is recorded.
    await askAll();
    let statements = 0;
    pool.on('acquire', () => (statements += 1));
    const found = await askAll();
    expect(found.map((principal) => principal?.apiKeyId)).toEqual([...keys.map(({ id }) => id), undefined]);
    expect(statements).toBe(1);
    for (const { key } of keys) await authenticate(key);
    const { rows } = await pool.query<{ custom: number; generic: number }>(
      `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where name = 'identity.api-keys'`,
    );
    expect(rows).toEqual([{ custom: 5, generic: expect.any(Number) as number }]);
  });
});
