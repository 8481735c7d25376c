import type { SessionContentKind } from '@steward/contracts';

/** Kinds whose bodies may be large enough to be moved; notes and log lines stay in the database. */
export const MOVED_KINDS: readonly SessionContentKind[] = ['gateway_interaction', 'tool_call', 'transcript_message'];

/** Bodies below this size stay in the database, whatever the setting is: the index of large bodies begins here. */
export const LEAST_OBJECT_BYTES = 16_384;
