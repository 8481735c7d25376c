import type { HintSink } from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { AnyTransaction } from '@steward/database';
import { storeMessage, type EmitOptions, type EmitOutcome } from '../outbox/operations/emit-event.ts';
import { MAIL_MESSAGE } from '../outbox/rules/message-types.ts';
import { ensureMailEndpoint } from './mail-endpoint.store.ts';
import type { Mail } from './mail.ts';

export interface QueuedMail {
  readonly accountId: string;
  /**
   * Id of the email: a caller that queues the same email again uses the same id, so that the email is sent only once.
   */
  readonly id: string;
  readonly now: Date;
  readonly mail: Mail;
}

/**
 * Puts an email into the outbox inside the caller's transaction. The email is an ordinary delivery (claim, retries,
 * breaker, dead letters), but is encrypted until it is sent: it may contain a link with which an approval can be
 * decided.
 */
export async function queueMail(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, id, now, mail }: QueuedMail,
  secretBox: SecretBox,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const endpointId = await ensureMailEndpoint(trx, accountId);
  const body = secretBox.seal(JSON.stringify(mail), endpointId);
  const message = { id, type: MAIL_MESSAGE, accountId, occurredAt: now, body, truncated: false };
  return storeMessage(trx, hints, message, { kind: 'endpoint', endpointId }, options);
}
