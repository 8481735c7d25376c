import { sql } from 'kysely';
import type { HintSink } from '@steward/contracts';
import { beginTrace, readTraceId } from '@steward/crypto';
import { transact, type AnyTransaction, type HintPublisher } from './transact.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.pool.query('create table fact (name text primary key)');
});
afterAll(() => database.drop());

const insert = (trx: AnyTransaction, name: string) => sql`insert into fact values (${name})`.execute(trx);
const trigger = (id: string) => ({ account_id: id, flow_id: id, execution_id: id });

async function countFacts(name: string): Promise<number> {
  const { rows } = await database.pool.query('select 1 from fact where name = $1', [name]);
  return rows.length;
}

/**
 * Creates a broker that records which messages were published, and which of their rows other connections could see at
 * that moment.
 */
function createBroker(seen: Promise<number>[] = [], name = '') {
  const published: string[] = [];
  const broker: HintPublisher = {
    publishHint(message, payload) {
      published.push(`${message} ${payload.account_id}`);
      if (name !== '') seen.push(countFacts(name));
    },
  };
  return { broker, published };
}

describe('messages of a transaction (PROC-10)', () => {
  it('are published together if they have the same name and the broker supports it', async () => {
    const sent: [string, number][] = [];
    const broker = {
      publishHint: (name: string) => void sent.push([name, 1]),
      publishHints: (name: string, payloads: readonly unknown[]) => void sent.push([name, payloads.length]),
    };
    const source = { account_id: 'a', runtime_session_id: 'a', source_kind: 'tool_call' as const, source_id: 'a' };
    await transact({ db: database.db, broker, traceparent: beginTrace() }, (_trx, hints) => {
      for (const id of ['a', 'b', 'c']) hints.add('trigger-accepted', trigger(id));
      hints.add('chunk-written', { ...source, content_hash: 'a', chunk_count: 1 });
      for (const id of ['d', 'e']) hints.add('trigger-accepted', trigger(id));
      return Promise.resolve();
    });
    expect(sent).toEqual([
      ['trigger-accepted', 3],
      ['chunk-written', 1],
      ['trigger-accepted', 2],
    ]);
  });

  it('are sent in order after the commit, and the result of the work is returned', async () => {
    const { broker, published } = createBroker();
    const answer = await transact({ db: database.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
      hints.add('trigger-accepted', trigger('a'));
      await insert(trx, 'ordered');
      hints.add('trigger-accepted', trigger('b'));
      expect(published).toEqual([]);
      return 42;
    });
    expect(answer).toBe(42);
    expect(published).toEqual(['trigger-accepted a', 'trigger-accepted b']);
  });

  it('refer to committed rows, which a reader finds immediately', async () => {
    const seen: Promise<number>[] = [];
    const { broker } = createBroker(seen, 'visible');
    await transact({ db: database.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
      hints.add('trigger-accepted', trigger('a'));
      await insert(trx, 'visible');
      expect(await countFacts('visible')).toBe(0);
    });
    expect(await Promise.all(seen)).toEqual([1]);
  });

  it('are not sent if the work throws, and none of its changes are stored', async () => {
    const { broker, published } = createBroker();
    const work = transact({ db: database.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
      await insert(trx, 'thrown');
      hints.add('trigger-accepted', trigger('a'));
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(published).toEqual([]);
    expect(await countFacts('thrown')).toBe(0);
  });

  it('are not sent if the commit itself fails', async () => {
    await database.pool.query('create table late (name text references fact (name) deferrable initially deferred)');
    const { broker, published } = createBroker();
    const work = transact({ db: database.db, broker, traceparent: beginTrace() }, async (trx, hints) => {
      await sql`insert into late values ('nobody')`.execute(trx);
      hints.add('trigger-accepted', trigger('a'));
    });
    await expect(work).rejects.toMatchObject({ code: '23503' });
    expect(published).toEqual([]);
  });
});

describe('the trace of a transaction (PROC-15)', () => {
  const work = beginTrace();
  const other = beginTrace();

  async function publish(within: (hints: HintSink) => HintSink): Promise<string[]> {
    const sent: unknown[] = [];
    const broker: HintPublisher = { publishHint: (_name, payload) => void sent.push(payload.traceparent) };
    await transact({ db: database.db, broker, traceparent: work }, (_trx, hints) => {
      expect(hints.traceparent).toBe(work);
      for (const id of ['a', 'b'])
        within(hints).add('trigger-accepted', { ...trigger(id), traceparent: 'the caller’s' });
      return Promise.resolve();
    });
    return sent.map(String);
  }

  it.each<[string, string, (hints: HintSink) => HintSink]>([
    ['its own', work, (hints) => hints],
    ['its own, of a row that names none', work, (hints) => hints.within(null)],
    ['that of the row they are about', other, (hints) => hints.within(other)],
  ])('is on every message, each with a separate span: %s', async (_what, trace, within) => {
    const sent = await publish(within);
    expect(sent.map(readTraceId)).toEqual([readTraceId(trace), readTraceId(trace)]);
    expect(new Set([...sent, trace]).size).toBe(3);
  });
});
