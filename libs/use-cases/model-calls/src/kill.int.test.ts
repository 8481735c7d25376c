import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import pg from 'pg';
import { openModelCalls, type OpenModelCalls } from './testing/open-model-calls.ts';

const FIXTURE = resolve(import.meta.dirname, 'testing/call-models-fixture.ts');
const CENT = 10n ** 10n;
const KILLED = 'killed';
const ENDPOINT = `insert into webhooks.endpoint (id, account_id, url) values (gen_random_uuid(), $1, 'https://receiver.example/')`;
/** Lists connections to the database: the last statements of a killed process may still run there. */
const CONNECTIONS = 'select pid from pg_stat_activity where application_name = $1 and datname = current_database()';

let opened: OpenModelCalls;
beforeAll(async () => {
  opened = await openModelCalls();
});
afterAll(() => opened.close());

/** Starts a process of the fixture and counts its output lines. */
function startCaller(accountId: string, name: string, mode: string) {
  const child = spawn(process.execPath, [FIXTURE, opened.url, accountId, name, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const printed = { ready: 0, begun: 0, done: 0 };
  createInterface({ input: child.stdout }).on('line', (line) => (printed[line as keyof typeof printed] += 1));
  return {
    printed,
    go: () => child.stdin.write('go'),
    exited,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function query<Row extends pg.QueryResultRow>(text: string, parameter: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: opened.ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, [parameter])).rows;
  } finally {
    await client.end();
  }
}

/** Counts events by threshold. */
async function countEvents(accountId: string): Promise<Record<string, number>> {
  const rows = await query<{ name: string; count: number }>(
    `select type || ' ' || (convert_from(body, 'utf8')::jsonb #>> '{data,threshold_percent}') as name,
       count(*)::integer as count from webhooks.event where account_id = $1 group by 1`,
    accountId,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

describe('a thousand calls of two processes, one of which is killed', () => {
  it('remain within a budget for fifty calls; the ledger, rows and events are complete', async () => {
    const accountId = newId();
    await query(ENDPOINT, accountId);
    await opened.addBudget(accountId, { limitAmount: '0.5', period: 'all_time', thresholdsPercent: [50, 80] });
    const [killed, other] = [startCaller(accountId, KILLED, 'keep'), startCaller(accountId, 'other', 'end')];
    await eventually(() => killed.printed.ready + other.printed.ready === 2);
    killed.go();
    other.go();
    // There are more than the six initial calls, so both processes are busy, unless one was so fast that no calls are
    // left.
    await eventually(() => other.printed.begun > 10 || other.printed.done === 1);
    await killed.kill();
    await eventually(() => other.printed.done === 1);
    await other.exited;
    await eventually(async () => (await query(CONNECTIONS, KILLED)).length === 0);
    const [before] = await opened.readLedger(accountId);
    expect(before?.said).toEqual(before?.counted);
    expect(before?.said.reserved).toBeGreaterThan(0n);
    opened.setClock(new Date(Date.now() + 120_000));
    await Promise.all(opened.processes.map((calls) => calls.reap()));
    const [after] = await opened.readLedger(accountId);
    expect(after?.said).toEqual(after?.counted);
    expect(after?.said.reserved).toBe(0n);
    expect(after?.said.spent).toBeLessThanOrEqual(50n * CENT);
    expect((before?.said.spent ?? 0n) + (before?.said.reserved ?? 0n)).toBe(after?.said.spent);
    expect(await countEvents(accountId)).toEqual({
      'budget.threshold 50': 1,
      'budget.threshold 80': 1,
      'budget.exceeded 100': 1,
    });
  });
});
