/** A copy of the value in which every `content_base64`, at any depth, says only how long it was (trigger payload rule 5). */
export function redactContent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactContent);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'content_base64' ? describe(inner) : redactContent(inner),
    ]),
  );
}

function describe(content: unknown): string {
  return typeof content === 'string' ? `[redacted: ${content.length} base64 characters]` : '[redacted]';
}
