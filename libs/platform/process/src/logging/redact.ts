import { HIDDEN, isCredentialName } from '@steward/masking';
import { redactText } from './redact-text.ts';

/**
 * Matches field names whose value is never printed, in addition to the names of credentials defined by masking. The
 * word has to end the name: `token_count`, `input_tokens` and `secret_hint` are ordinary fields.
 */
const SECRET_FIELD =
  /(?:^|[_-])(?:password|passwd|passphrase|secrets?|token|(?:api|access|private|secret|signing|encryption)[_-]?key|authorization|cookies?|credentials?|signature)$/i;

const MAX_DEPTH = 8;
/**
 * Maximum number of values of a line, which limits the work for a value with many references to itself; a longer line
 * would be of no use.
 */
const MAX_VALUES = 5000;

/** Empty list of secrets; it is shared, because harmless strings are cached per list. */
const NO_SECRETS: readonly string[] = [];

interface Walk {
  readonly secrets: readonly string[];
  valuesLeft: number;
}

/**
 * Copies a log value without secrets, which are recognized by field name, by pattern, and by the given exact values.
 * Errors become plain objects. Never throws and never takes long, for any input: a log line must not disrupt the work
 * that it describes.
 */
export function redact(value: unknown, secrets: readonly string[] = NO_SECRETS): unknown {
  return redactValue(value, { secrets, valuesLeft: MAX_VALUES }, 0);
}

function redactValue(value: unknown, walk: Walk, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, walk.secrets);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '[too deep]';
  walk.valuesLeft -= 1;
  if (walk.valuesLeft < 0) return '[too large]';
  try {
    return redactObject(value, walk, depth);
  } catch {
    // The error was thrown by a getter or a proxy of an external object.
    return '[unreadable]';
  }
}

function redactObject(value: object, walk: Walk, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return redactText(value.href, walk.secrets);
  if (isError(value)) return redactError(value, walk, depth);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return redactList(value, walk, depth);
  if (value instanceof Set) return redactList([...value], walk, depth);
  return value instanceof Map
    ? redactFields([...value.keys()], (key) => value.get(key), { walk, depth })
    : redactFields(Object.keys(value), (key) => (value as Record<string, unknown>)[key], { walk, depth });
}

function redactList(list: readonly unknown[], walk: Walk, depth: number): unknown[] {
  const result: unknown[] = [];
  for (const entry of list) {
    if (walk.valuesLeft <= 0) return [...result, '[too large]'];
    walk.valuesLeft -= 1;
    result.push(redactValue(entry, walk, depth + 1));
  }
  return result;
}

function redactFields<Key>(
  keys: readonly Key[],
  read: (key: Key) => unknown,
  { walk, depth }: { readonly walk: Walk; readonly depth: number },
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    if (walk.valuesLeft <= 0) {
      result['...'] = '[too large]';
      break;
    }
    walk.valuesLeft -= 1;
    const inner = read(key);
    const name = redactText(String(key), walk.secrets);
    const shown = isPresent(inner) && isSecretField(name) ? HIDDEN : redactValue(inner, walk, depth + 1);
    // A log field may have this name; it is defined, not assigned, since an assignment would set the prototype.
    if (name === '__proto__') {
      Object.defineProperty(result, name, { value: shown, enumerable: true, configurable: true, writable: true });
    } else result[name] = shown;
  }
  return result;
}

/**
 * Returns whether the value of a secret field is masked: null, undefined and booleans are not, since the log may show
 * whether the field is set.
 */
function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean';
}

/**
 * Maximum number of cached names. Every line has the same few names; without the limits, a client that constantly sends
 * new or very long names could exhaust the memory.
 */
const MAX_REMEMBERED_NAMES = 1000;
const LONGEST_REMEMBERED_NAME = 64;
const rememberedNames = new Map<string, boolean>();

function isSecretField(name: string): boolean {
  const remembered = rememberedNames.get(name);
  if (remembered !== undefined) return remembered;
  const isSecret = SECRET_FIELD.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')) || isCredentialName(name);
  const mayRemember = rememberedNames.size < MAX_REMEMBERED_NAMES && name.length <= LONGEST_REMEMBERED_NAME;
  if (mayRemember) rememberedNames.set(name, isSecret);
  return isSecret;
}

/**
 * Returns whether a value is an error, also of another realm (a worker, a test runner's sandbox), which `instanceof`
 * does not recognize.
 */
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

function redactError(error: Error, walk: Walk, depth: number): Record<string, unknown> {
  const { code, internal, errors } = error as { code?: unknown; internal?: unknown; errors?: unknown };
  const more = (name: string, value: unknown): Record<string, unknown> =>
    value === undefined ? {} : { [name]: redactValue(value, walk, depth + 1) };
  const hasInternal = typeof internal === 'object' && internal !== null && Object.keys(internal).length > 0;
  return {
    name: error.name,
    message: redactText(String(error.message), walk.secrets),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(String(error.stack), walk.secrets) }),
    // `AppError.internal` is written only to the log.
    ...(hasInternal ? more('internal', internal) : {}),
    ...more('cause', error.cause),
    ...(Array.isArray(errors) ? more('errors', errors) : {}),
  };
}
