import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@steward/contracts';
import { classifyFailure, mayHaveBeenSent, parseRetryAfterMs, type ProviderPools } from '@steward/egress';
import type { ServedModel } from '@steward/models';
import { judgeAnswer, type Verdict } from './answers/judge-answer.ts';
import { readRefusal } from './answers/read-refusal.ts';
import { readWhole } from './answers/read-whole.ts';
import { unpackAnswer } from './answers/unpack-answer.ts';
import type { UsageRefusals } from './answers/usage-refusals.ts';
import { LARGE_BYTES } from './join-chunks.ts';

type Pool = NonNullable<ReturnType<ProviderPools['choose']>>;
type PoolAnswer = Awaited<ReturnType<Pool['request']>>;
export interface ProviderAnswer extends Pick<PoolAnswer, 'statusCode' | 'headers'> {
  readonly body: Readable;
  /** The body, if it was received as a whole; `body` has then ended. */
  readonly whole?: Buffer;
}

export interface ProviderRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in chunks. */
  readonly body: readonly Buffer[];
}

export interface ProviderCall {
  readonly pools: Pick<ProviderPools, 'choose'>;
  /** The requested model, then its fallbacks. */
  readonly chain: readonly [ServedModel, ...ServedModel[]];
  /** Returns whether a model may take over the call; called before each fallback. */
  readonly admit: (model: ServedModel) => Promise<boolean>;
  readonly buildRequest: (model: ServedModel, asksForUsage: boolean) => ProviderRequest;
  /**
   * Whether the usage is requested. If the provider refuses the parameter, the request is repeated once without it
   * (GW-10).
   */
  readonly asksForUsage: boolean;
  readonly usageRefusals: UsageRefusals;
  /** Called if a provider may have received the request, and may therefore bill it, but sent no response. */
  readonly onUnanswered: (durationMs: number) => void;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

export interface ProviderResponse {
  readonly model: ServedModel;
  /** Number of requests to all models, including requests that could not be sent. */
  readonly attempts: number;
  readonly answer: ProviderAnswer;
}

const MAX_REPEATS = 2;
const MAX_RETRY_AFTER_MS = 8_000;
const FIRST_WAIT_MS = 200;
const MAX_DISCARDED_BYTES = 128 * 1024;
const DISCARDED_WITHIN_MS = 1000;

type Outcome =
  | { readonly kind: 'answered'; readonly answer: ProviderAnswer; readonly verdict: Verdict }
  | { readonly kind: 'failed'; readonly error: unknown; readonly mayRepeat: boolean };

/**
 * Returns the first response that may be passed on (GW-8). Each model is tried up to three times before the next one in
 * the chain, not counting a repetition without the usage parameter. If no model succeeds, returns the last response, or
 * throws if the last attempt received none.
 *
 * @throws provider_unreachable, provider_timeout
 */
export async function callProviders({ chain, admit, ...call }: ProviderCall): Promise<ProviderResponse> {
  const [first, ...fallbacks] = chain;
  let model = first;
  let attempts = 0;
  const mayAsk = (): boolean => call.asksForUsage && !call.usageRefusals.has(model);
  let asksForUsage = mayAsk();
  let refused: ServedModel | undefined;
  for (let repeats = 0; ;) {
    attempts += 1;
    const outcome = await callModel(model, call, asksForUsage);
    if (outcome.kind === 'answered' && outcome.verdict === 'pass') {
      const ready = outcome.answer;
      if (!asksForUsage) {
        if (refused === model) noteRefusal(call, model, ready);
        return { model, attempts, answer: ready };
      }
      const { isAboutUsage, answer } = await readRefusal(ready).catch((error: unknown) => {
        throw call.signal.aborted ? error : refuseUnreachable(error);
      });
      if (!isAboutUsage) return { model, attempts, answer };
      refused = model;
      asksForUsage = false;
      continue;
    }
    const waitMs = repeats < MAX_REPEATS ? findWait(outcome, repeats, call.now()) : undefined;
    const next = waitMs === undefined ? await findNext(fallbacks, admit) : model;
    if (next === undefined) {
      if (outcome.kind === 'failed') throw refuseUnreachable(outcome.error);
      return { model, attempts, answer: outcome.answer };
    }
    if (outcome.kind === 'answered') discard(outcome.answer);
    if (waitMs !== undefined) await delay(waitMs, undefined, { signal: call.signal });
    repeats = waitMs === undefined ? 0 : repeats + 1;
    if (model === next) continue;
    model = next;
    asksForUsage = mayAsk();
  }
}

/** Reads the rest of a response in the background if it is short, so that the connection can be reused. */
function discard({ body }: ProviderAnswer): void {
  body.on('error', () => undefined);
  if ('dump' in body)
    (body as PoolAnswer['body'])
      .dump({ limit: MAX_DISCARDED_BYTES, signal: AbortSignal.timeout(DISCARDED_WITHIN_MS) })
      .catch(() => undefined);
  else body.destroy();
}

/**
 * Notes that the model's provider refuses the usage parameter, if the request succeeded without the parameter: the
 * success shows that nothing that the client sent caused the earlier error.
 */
function noteRefusal(
  { usageRefusals }: Pick<ProviderCall, 'usageRefusals'>,
  model: ServedModel,
  answer: ProviderAnswer,
): void {
  if (answer.statusCode < 400) usageRefusals.add(model);
}

/**
 * Returns the next model that may be called. This model and the models before it are removed from `fallbacks`, so that
 * none of them is tried later.
 */
async function findNext(fallbacks: ServedModel[], admit: ProviderCall['admit']): Promise<ServedModel | undefined> {
  for (let next = fallbacks.shift(); next !== undefined; next = fallbacks.shift()) if (await admit(next)) return next;
  return undefined;
}

async function callModel(
  model: ServedModel,
  {
    pools,
    buildRequest,
    onUnanswered,
    signal,
  }: Pick<ProviderCall, 'pools' | 'buildRequest' | 'onUnanswered' | 'signal'>,
  asksForUsage: boolean,
): Promise<Outcome> {
  signal.throwIfAborted();
  const { url, headers, body } = buildRequest(model, asksForUsage);
  const pool = pools.choose(url);
  if (pool === undefined) return { kind: 'failed', error: undefined, mayRepeat: false };
  const startedAt = performance.now();
  try {
    const sizeBytes = body.reduce((sum, part) => sum + part.byteLength, 0);
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, 'content-length': String(sizeBytes) },
      body: prepareBody(body, sizeBytes),
      signal,
    } as const;
    const judged = await judgeAnswer(await readWhole(unpackAnswer(await pool.request(request))));
    return { kind: 'answered', ...judged };
  } catch (error) {
    const failure = classifyFailure(error);
    if (signal.aborted || isTimeout(error) || mayHaveBeenSent(failure)) onUnanswered(performance.now() - startedAt);
    if (signal.aborted) throw error;
    return { kind: 'failed', error, mayRepeat: failure.errorClass !== 'target_blocked' && !isTimeout(error) };
  }
}

/**
 * Prepares the body for the provider client. A large body is not joined, so that its parts are freed while it is sent:
 * the client would retain a joined body until the end of the response.
 */
function prepareBody(parts: readonly Buffer[], sizeBytes: number): Buffer | Readable {
  if (sizeBytes > LARGE_BYTES) return Readable.from(parts, { objectMode: false });
  // The memory is not from the pool of Node: the client retains the body until the end of the response, and a piece of
  // the pool would retain its whole block (2 KB for each open stream with a short body).
  const body = Buffer.allocUnsafeSlow(sizeBytes);
  let end = 0;
  for (const part of parts) end += part.copy(body, end);
  return body;
}

/** Returns the delay in milliseconds before the same model is tried again; undefined if it is not tried again. */
function findWait(outcome: Outcome, repeats: number, now: Date): number | undefined {
  const waitMs = FIRST_WAIT_MS * 2 ** repeats * (0.75 + Math.random() / 2);
  if (outcome.kind === 'failed') return outcome.mayRepeat ? waitMs : undefined;
  if (outcome.verdict !== 'again') return undefined;
  const { 'retry-after': header, 'retry-after-ms': exact } = outcome.answer.headers;
  const exactMs = typeof exact === 'string' && /^\d{1,9}$/.test(exact) ? Number(exact) : undefined;
  const askedMs = exactMs ?? parseRetryAfterMs(typeof header === 'string' ? header : undefined, now);
  if (askedMs === undefined) return waitMs;
  return askedMs <= MAX_RETRY_AFTER_MS ? askedMs : undefined;
}

/**
 * Returns whether the provider exceeded the time limit for the start of its response; if so, the same model is not
 * called again.
 */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'UND_ERR_HEADERS_TIMEOUT';
}

/** Returns the error for a call without a response. */
export function refuseUnreachable(cause: unknown): AppError {
  if (isTimeout(cause)) return new AppError('provider_timeout', { cause });
  const { errorClass, error } = classifyFailure(cause);
  const message = `The provider of the model could not be reached: ${error}.`;
  return new AppError('provider_unreachable', { message, internal: { error_class: errorClass }, cause });
}
