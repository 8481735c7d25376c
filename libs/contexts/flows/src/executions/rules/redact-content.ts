type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the stored form of a payload: the content of each workspace file is replaced by its length, because the bytes
 * are stored in separate rows. Other fields named `content_base64` are retained, so that a template can use them.
 */
export function redactContent(payload: unknown): unknown {
  if (!isObject(payload) || !Array.isArray(payload.workspace_files)) return payload;
  return {
    ...payload,
    workspace_files: payload.workspace_files.map((entry: unknown) =>
      isObject(entry) && Object.hasOwn(entry, 'content_base64')
        ? { ...entry, content_base64: describe(entry.content_base64) }
        : entry,
    ),
  };
}

/** Returns a copy in which every `content_base64`, at any depth, is replaced by its length (FLOW-44). */
export function redactEveryContent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactEveryContent);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'content_base64' ? describe(inner) : redactEveryContent(inner),
    ]),
  );
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * Matches the output of `describe`: when an execution is retried, its payload already contains such values. Base64
 * never begins with a bracket.
 */
const REDACTED = /^\[redacted(?:: \d+ base64 characters)?\]$/;

function describe(content: unknown): string {
  if (typeof content !== 'string') return '[redacted]';
  return REDACTED.test(content) ? content : `[redacted: ${content.length} base64 characters]`;
}
