/** Of one session. */
export const MOST_SESSION_LABELS = 32;

/**
 * JSON Schema of a label: `key:value`, the key without colon and white space (1 to 40 characters), the value (1 to 200)
 * without control characters and without white space at its ends.
 */
export const SESSION_LABEL = {
  maxLength: 241,
  pattern: '^[^\\s:\\p{Cc}]{1,40}:(?!\\s)[^\\p{Cc}]{1,200}(?<!\\s)$',
} as const;
