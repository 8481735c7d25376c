const HIDDEN = '[redacted]';

/** Field names whose value is never printed, whatever it is. */
const SECRET_FIELD =
  /^(?:.*[_-])?(?:password|passwd|secret|token|api[_-]?key|authorization|cookie|credential|private[_-]?key|signature)$/i;

/** Shapes of our own credentials and of the usual ones, wherever they stand in a text. Each alternative is linear. */
const SECRET_TEXT =
  /\b(?:stw|whsec|flw|sk|ghp|gho|glpat|xox[abp])[_-][A-Za-z0-9_+/=-]{8,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|\bBearer [A-Za-z0-9._~+/=-]{8,}|(?<=:\/\/)[^\s/@]{1,256}@/g;

const MAX_DEPTH = 8;

/** A copy of a log value without secrets: by field name, by shape, and by the exact values given. Errors become plain objects. */
export function redact(value: unknown, secrets: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? value.toString() : value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return redactError(value, secrets, depth);
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((entry) => redact(entry, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_FIELD.test(key) && inner !== null && inner !== undefined && typeof inner !== 'boolean'
        ? HIDDEN
        : redact(inner, secrets, depth + 1),
    ]),
  );
}

function redactText(text: string, secrets: readonly string[]): string {
  let result = text.replace(SECRET_TEXT, HIDDEN);
  for (const secret of secrets) result = result.replaceAll(secret, HIDDEN);
  return result;
}

function redactError(error: Error, secrets: readonly string[], depth: number): Record<string, unknown> {
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: redactText(error.message, secrets),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack, secrets) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, secrets, depth + 1) }),
  };
}
