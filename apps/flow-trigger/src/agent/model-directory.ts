import { StartupError } from '@steward/process';

/** One model as the deployment offers it. */
export interface ModelAccess {
  /** What flows name as `ai_model_id`. */
  readonly alias: string;
  /** Without a slash at its end; `/chat/completions` is added. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The provider's name of the model. */
  readonly model: string;
  readonly provider: string;
  /** Whoever passes its calls on stores them in the session. */
  readonly isRecorded: boolean;
}

/** Answers a flow that names no model. */
export const DEFAULT_MODEL = 'default';

/**
 * Reads `FLOW_MODELS`: an object of alias -> `{"base_url", "model"?, "api_key"?, "provider"?}`.
 * @throws StartupError that names the entry and never quotes its values: a key may stand in the wrong place.
 */
export function readModelDirectory(text: string): ReadonlyMap<string, ModelAccess> {
  const entries = readObject(text);
  return new Map(Object.entries(entries).map(([alias, value]) => [alias, readModel(alias, value)]));
}

function readObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StartupError('FLOW_MODELS is not valid JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new StartupError('FLOW_MODELS must be a JSON object of model aliases');
  return value as Record<string, unknown>;
}

function readModel(alias: string, value: unknown): ModelAccess {
  const problem = describeProblem(value);
  if (problem !== undefined) throw new StartupError(`FLOW_MODELS: the entry "${alias}" ${problem}`);
  const entry = value as { base_url: string; model?: string; api_key?: string; provider?: string };
  return {
    alias,
    baseUrl: entry.base_url.replace(/\/+$/, ''),
    apiKey: entry.api_key,
    model: entry.model ?? alias,
    provider: entry.provider ?? new URL(entry.base_url).hostname,
    isRecorded: false,
  };
}

const KEYS = ['base_url', 'model', 'api_key', 'provider'];
/** What can stand in a header. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

function describeProblem(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'must be an object';
  const entry = value as Record<string, unknown>;
  const unknownKey = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknownKey !== undefined) return `has the unknown key "${unknownKey}"`;
  if (!isHttpUrl(entry.base_url)) return 'needs a "base_url" that starts with http:// or https://';
  const wrong = KEYS.find((key) => entry[key] !== undefined && (typeof entry[key] !== 'string' || entry[key] === ''));
  if (wrong !== undefined) return `needs a text as "${wrong}"`;
  const { api_key: apiKey } = entry;
  return typeof apiKey === 'string' && !HEADER_TEXT.test(apiKey) ? 'has an "api_key" no header can carry' : undefined;
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}
