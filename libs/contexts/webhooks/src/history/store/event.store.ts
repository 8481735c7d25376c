import type { AnyDatabase } from '@steward/database';
import { MAIL_MESSAGE } from '../../outbox/rules/message-types.ts';
import { tables } from '../../schema.ts';

/** A stored event in the form in which it is sent. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  /** The exact bytes sent in every attempt to an endpoint; notices are sent in other formats. */
  readonly body: Buffer;
}

/**
 * Returns an event; undefined if it is unknown, belongs to another account or was purged, and for an email, which only
 * its receiver may read.
 */
export async function findEvent(db: AnyDatabase, accountId: string, id: string): Promise<StoredEvent | undefined> {
  return tables(db)
    .selectFrom('webhooks.event')
    .select(['id', 'type', 'occurred_at as occurredAt', 'created_at as createdAt', 'body'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('type', '<>', MAIL_MESSAGE)
    .executeTakeFirst();
}
