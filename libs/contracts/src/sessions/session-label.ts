/** Maximum number of labels per session. */
export const MOST_SESSION_LABELS = 32;

/**
 * JSON Schema of a label: `key:value`. The key has 1 to 40 characters, none of which is a colon, white space or a
 * control character. The value has 1 to 200 characters, none of which is a control character; its first and its last
 * character must not be white space.
 */
export const SESSION_LABEL = {
  maxLength: 241,
  pattern: '^[^\\s:\\u0000-\\u001f\\u007f-\\u009f]{1,40}:(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f]{1,200}(?<!\\s)$',
} as const;
