import { sql } from 'kysely';
import type { EventData, EventType } from '@steward/contracts';
import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { transact } from '@steward/database';
import { createEndpoint } from '@steward/webhooks';
import type { TestWorker } from './start-worker.ts';

export interface SentEvent<T extends EventType> {
  readonly id: string;
  readonly occurred_at: string;
  readonly data: EventData<T>;
}

/**
 * Adds a listener to the account of the file's worker: events are written only if there is a listener. Returns a
 * function that reads the events of a run.
 */
export function useEvents(worker: () => TestWorker) {
  const box = createSecretBox('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.endpoint);
  const endpoint = { url: 'https://receiver.example.test/', description: '', eventTypes: [] };
  beforeAll(() =>
    transact({ db: worker().database.db, broker: { publishHint: () => undefined } }, (trx) =>
      createEndpoint(trx, { accountId: worker().accountId, ...endpoint }, box),
    ),
  );
  return async <T extends EventType>(type: T, execution: { readonly id: string }): Promise<SentEvent<T>[]> => {
    const { rows } = await sql<{ body: Buffer }>`
      select body from webhooks.event where type = ${type} and convert_from(body, 'UTF8') like ${`%${execution.id}%`}
      order by occurred_at
    `.execute(worker().database.db);
    return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as SentEvent<T>);
  };
}
