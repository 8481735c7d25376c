import type { ClientBase } from 'pg';

export interface ListenOptions {
  /** Name of the channel, an SQL identifier. */
  readonly channel: string;
  readonly onNotified: () => void;
  /** Called when a connection ends: notifications may have been lost. */
  readonly onLost: () => void;
}

/**
 * Returns the `admit` function of a pool whose connections listen for notifications. Listening does not work through a
 * pooler in transaction mode.
 */
export function listenTo({ channel, onNotified, onLost }: ListenOptions): (client: ClientBase) => Promise<void> {
  return async (client) => {
    client.on('notification', onNotified);
    client.on('end', onLost);
    client.on('error', onLost);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  };
}
