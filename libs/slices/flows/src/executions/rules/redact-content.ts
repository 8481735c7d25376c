type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A payload as it is kept: each of its workspace files says only how long it was, because the bytes are rows of their own.
 * Whatever else is called `content_base64` stays, so that a template can name it.
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

/** A copy of the value in which every `content_base64`, at any depth, says only how long it was (FLOW-44). */
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

/** What this function wrote itself, a retry brings back. No base64 begins with a bracket. */
const REDACTED = /^\[redacted(?:: \d+ base64 characters)?\]$/;

function describe(content: unknown): string {
  if (typeof content !== 'string') return '[redacted]';
  return REDACTED.test(content) ? content : `[redacted: ${content.length} base64 characters]`;
}
