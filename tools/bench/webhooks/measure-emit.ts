import { newId } from '@steward/crypto';
import { createTestDatabase, startTestBroker } from '@steward/testing';
import { sql } from 'kysely';
import { connectClient } from '../../src/servers/connect-client.ts';
import { median, percentile } from '../statistics.ts';
import { startProducer, type Producer } from './start-producer.ts';

/** Milliseconds of a transaction that produces an event, from `begin` to `commit`. */
export interface EmitResult {
  readonly without: { readonly p50: number; readonly p99: number };
  readonly withEvent: { readonly p50: number; readonly p99: number };
  /**
   * Median of the differences between consecutive transactions, which are compared because other load on the machine
   * affects both.
   */
  readonly added: number;
}

const WARM_UP = 100;
const ROUNDS = 600;
/** Number of existing events in the table and its indexes, as in an account that has used webhooks for a while. */
const EARLIER_EVENTS = 500;

/**
 * Measures the time that `emitEvent` adds to the transaction that produces an event: transactions with one insert and a
 * commit, alternating between those with and without an event for one endpoint. No dispatcher runs; its load is
 * measured by the latency run.
 */
export async function measureEmit(): Promise<EmitResult> {
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const producer = await startProducer(database, broker.url);
  try {
    const admin = await connectClient(database.url);
    await admin.query('create table public.fact (id uuid primary key, account_id uuid not null, note text not null)');
    await admin.query('grant select, insert on public.fact to public');
    await admin.end();
    const accountId = newId();
    await producer.addEndpoint(accountId, 'http://127.0.0.1:9/');
    for (let index = 0; index < EARLIER_EVENTS; index += 1) await producer.emit(accountId, newId());
    const without: number[] = [];
    const withEvent: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const plain = await time(() => produce(producer, accountId, false));
      const emitting = await time(() => produce(producer, accountId, true));
      if (round < 0) continue;
      without.push(plain);
      withEvent.push(emitting);
    }
    return {
      without: { p50: median(without), p99: percentile(without, 0.99) },
      withEvent: { p50: median(withEvent), p99: percentile(withEvent, 0.99) },
      added: median(withEvent.map((ms, index) => ms - (without[index] ?? Number.NaN))),
    };
  } finally {
    await producer.stop();
    await broker.stop();
    await database.drop();
  }
}

function produce(producer: Producer, accountId: string, emits: boolean): Promise<void> {
  return producer.transact(async (trx, emit) => {
    await sql`insert into public.fact (id, account_id, note) values (${newId()}, ${accountId}, 'a fact')`.execute(trx);
    if (emits) await emit(accountId, newId());
  });
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
