/** Maximum size of one condition. */
export const MAX_CONDITION_BYTES = 4 * 1024;
export const MAX_CONDITION_NODES = 500;
/** Maximum nesting of loops. */
export const MAX_LOOP_DEPTH = 2;
/** Maximum size of a call's arguments as JSON; if they are larger, every condition is treated as failed. */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/**
 * Maximum cost of all conditions of one decision, in units of about ten nanoseconds: a fifth of a second on one
 * processor. The most expensive of 820 tested decisions took 126 ms, with at most 11 ns per unit. The cost is computed
 * from the size of the arguments before a condition is evaluated (`condition-work.ts`).
 */
export const MAX_DECISION_WORK = 20_000_000;
/**
 * Size of small arguments. A condition whose cost exceeds the limit even for arguments of this size could hardly ever
 * be evaluated, so it is refused.
 */
export const SMALL_ARGUMENTS = {
  bytes: 4 * 1024,
  longest: 50,
  measureShell: () => ({ length: 4 * 1024, programs: 50, members: 500, bytes: 12 * 1024 }),
};
/** Maximum number of compiled parts in all patterns of a document: each part takes about a microsecond to compile. */
export const MAX_DOCUMENT_PROGRAM = 200_000;
