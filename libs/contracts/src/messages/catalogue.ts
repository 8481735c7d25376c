import type { Static } from '@sinclair/typebox';
import { chunkWritten } from './chunk-written.ts';
import { eventEmitted } from './event-emitted.ts';
import { triggerAccepted } from './trigger-accepted.ts';

/**
 * Every message of the suite by name. Publishers and consumers refer to a message by its name, from which its payload
 * type is derived.
 */
export const MESSAGES = {
  'chunk-written': chunkWritten,
  'event-emitted': eventEmitted,
  'trigger-accepted': triggerAccepted,
} as const;

export type MessageName = keyof typeof MESSAGES;
export type MessagePayload<Name extends MessageName> = Static<(typeof MESSAGES)[Name]['schema']>;

/**
 * Stream for messages that violate their schema or whose handler fails repeatedly. Their subject in this stream is
 * `steward.dead-letter.<message name>`.
 */
export const DEAD_LETTER_STREAM = 'STEWARD_DEAD_LETTER';
export const DEAD_LETTER_SUBJECT_PREFIX = 'steward.dead-letter';
