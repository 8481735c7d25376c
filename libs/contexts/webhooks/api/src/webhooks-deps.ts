import { AppError } from '@steward/contracts';
import type { Clock } from '@steward/async';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { ChangeRefusal } from '@steward/webhooks';
import type { SecretBoxes, WebhookSettings } from '@steward/api';

/** Dependencies of the routes for event webhooks and notices. */
export interface EventWebhooksDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly settings: WebhookSettings;
  readonly clock: Clock;
  readonly secretBoxes: Pick<SecretBoxes, 'webhook'>;
}

/** Returns the error for a change that was refused. */
export function refuseChange(refusal: ChangeRefusal): AppError {
  if (refusal.kind === 'not_found') return new AppError('not_found');
  return new AppError('conflict', {
    message: 'This endpoint belongs to an approval workflow. Change it there.',
  });
}

/**
 * Returns the error for a full outbox. The time until there is capacity again depends on how fast the receivers
 * respond; a minute is a reasonable estimate.
 */
export function refuseFullOutbox(limit: number): AppError {
  return new AppError('outbox_full', { retryAfterSeconds: 60, detail: { limit } });
}
