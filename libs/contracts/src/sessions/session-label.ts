/** Maximum number of labels per session. */
export const MOST_SESSION_LABELS = 32;

/**
 * JSON Schema of a label: `key:value`. The key has 1 to 40 characters without colons and white space, the value has 1
 * to 200 characters without control characters and without surrounding white space.
 */
export const SESSION_LABEL = {
  maxLength: 241,
  pattern: '^[^\\s:\\u0000-\\u001f\\u007f-\\u009f]{1,40}:(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}(?<!\\s)$',
} as const;
