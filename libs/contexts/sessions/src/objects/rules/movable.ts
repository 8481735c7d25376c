import type { SessionContentKind } from '@steward/contracts';

/** Kinds whose bodies may be large enough to be moved; notes and log lines stay in the database. */
export const MOVED_KINDS: readonly SessionContentKind[] = ['gateway_interaction', 'tool_call', 'transcript_message'];

/**
 * Bodies below this size stay in the database even if the setting is lower: the index of large bodies does not contain
 * them.
 */
export const LEAST_OBJECT_BYTES = 16_384;
