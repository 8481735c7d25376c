/** Of the text of one condition. */
export const MAX_CONDITION_BYTES = 4 * 1024;
export const MAX_CONDITION_NODES = 500;
/** Loops within loops. */
export const MAX_LOOP_DEPTH = 2;
/** Of the arguments of a call as JSON; above it every condition counts as failed. */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/**
 * What the conditions of one decision may cost together, in units of about ten nanoseconds: a fifth of a second. Reckoned
 * from the size of the arguments before a condition is evaluated (`condition-work.ts`).
 */
export const MAX_DECISION_WORK = 20_000_000;
