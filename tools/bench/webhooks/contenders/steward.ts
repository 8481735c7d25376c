import pg from 'pg';
import type { AppProcess } from '../../start-app-process.ts';
import { startDispatcher } from '../start-dispatcher.ts';
import { startProducer } from '../start-producer.ts';
import type { Contender, ContenderInput, Contest } from './contender.ts';

/**
 * Contender that is the product: every event is emitted with `emitEvent` in a separate transaction, then one dispatcher
 * process is started.
 */
export const STEWARD: Contender = { name: 'steward', prepare };

async function prepare(input: ContenderInput): Promise<Contest> {
  const producer = await startProducer(input.database, input.natsUrl);
  const secrets: string[] = [];
  for (const accountId of input.accountIds) secrets.push(await producer.addEndpoint(accountId, `${input.url}/ok`));
  await Promise.all(
    input.accountIds.map(async (accountId) => {
      for (const event of input.events) if (event.accountId === accountId) await producer.emit(accountId, event.id);
    }),
  );
  const pool = new pg.Pool({ connectionString: input.database.url, max: 1 });
  pool.on('error', () => undefined);
  let dispatcher: AppProcess | undefined;
  return {
    secrets,
    async start() {
      dispatcher = await startDispatcher(input.database, input.natsUrl, {
        WEBHOOK_DELIVERY_CONCURRENCY: String(input.concurrency),
        WEBHOOK_DELIVERY_BATCH_SIZE: String(input.concurrency * 4),
        ...(input.profileDirectory === undefined
          ? {}
          : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${input.profileDirectory}` }),
      });
    },
    readPid: () => dispatcher?.pid ?? 0,
    countAttempts: () =>
      pool.query<{ n: number }>('select count(*)::int as n from webhooks.attempt').then(({ rows }) => rows[0]?.n ?? 0),
    async stop() {
      await dispatcher?.stop();
      await pool.end();
      await producer.stop();
    },
  };
}
