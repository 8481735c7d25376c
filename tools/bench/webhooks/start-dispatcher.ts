import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES } from '@steward/database';
import type { TestDatabase } from '@steward/testing';
import { startAppProcess, type AppProcess } from '../start-app-process.ts';
import { SECRET_KEY } from './start-producer.ts';

/** Starts the real app as shipped. */
export function startDispatcher(
  database: TestDatabase,
  natsUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<AppProcess> {
  return startAppProcess('webhook-dispatcher', {
    DATABASE_URL: database.urlForRole(APP_ROLES.webhookDispatcher),
    NATS_URL: natsUrl,
    ENDPOINT_SECRET_KEY: deriveKey(SECRET_KEY, KEY_PURPOSES.endpoint),
    ...environment,
  });
}
