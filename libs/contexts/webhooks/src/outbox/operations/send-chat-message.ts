import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { CHAT_MESSAGE } from '../rules/message-types.ts';
import { storeMessage, type EmitOptions, type EmitOutcome } from './emit-event.ts';

export interface ChatMessage {
  readonly accountId: string;
  readonly workflowId: string;
  /** Id of the message: a caller that sends the same message again uses the same id, so that it is posted only once. */
  readonly id: string;
  readonly now: Date;
  readonly text: string;
}

/**
 * Queues a message for the chat webhooks of an approval workflow, in the format of Slack and Mattermost. The message is
 * an ordinary delivery.
 */
export function sendChatMessage(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, workflowId, id, now, text }: ChatMessage,
  options: EmitOptions,
): Promise<EmitOutcome> {
  const body = Buffer.from(JSON.stringify({ text }));
  const message = { id, type: CHAT_MESSAGE, accountId, occurredAt: now, body, truncated: false };
  return storeMessage(trx, hints, message, { kind: 'chat', workflowId }, options);
}
