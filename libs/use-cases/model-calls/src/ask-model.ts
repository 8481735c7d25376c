import type { Clock } from '@steward/async';
import { AppError } from '@steward/contracts';
import { newId, type SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { classifyFailure, mayHaveBeenSent, postJson, type ProviderPools } from '@steward/egress';
import type { ModelCall } from './model-call.ts';
import type { ModelCalls } from './create-model-calls.ts';
import {
  buildProviderUrl,
  familyOf,
  findAiModel,
  findServedModel,
  type ModelFamily,
  type ServedModel,
} from '@steward/models';
import { countAnthropic, countOpenAi, type ProviderUsage, type SeenCounts } from './answers/provider-usage.ts';
import { estimate } from './answers/usage-reader.ts';
import { buildUsageRow, guessUnanswered, type CallOutcome } from './call-facts.ts';
import type { CallPath } from './call-path.ts';
import { listProviderHeaders } from './provider-headers.ts';

/** Prompt for a model: instructions, and the data to which they apply. */
export interface ModelPrompt {
  readonly system: string;
  readonly data: string;
}

export interface AskModelDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly secretBoxes: { readonly model: SecretBox };
  readonly pools: Pick<ProviderPools, 'choose'>;
  readonly calls: Pick<ModelCalls, 'begin' | 'end'>;
}

const MAX_OUTPUT_TOKENS = 1_000;
const MAX_ANSWER_BYTES = 256 * 1024;
const ENDPOINT = 'approval-review';

interface Answer {
  readonly text: string;
  readonly outcome: Omit<CallOutcome, 'firstByteMs'>;
}

/**
 * Sends one prompt to a model of the account. The cost is reserved in the account's budgets beforehand, and is always
 * recorded as usage afterwards. There are no retries or fallback models, because the callers can do without a response:
 * people can decide about a request, and a session can keep its title.
 *
 * @throws budget_exceeded, unpriced_model, provider_unreachable, provider_timeout
 */
export async function askModel(
  deps: AskModelDeps,
  asked: {
    readonly accountId: string;
    readonly model: ServedModel;
    readonly prompt: ModelPrompt;
    /** Endpoint in the usage records. */
    readonly endpoint?: string;
  },
  signal: AbortSignal,
): Promise<string> {
  const { accountId, model, prompt, endpoint = ENDPOINT } = asked;
  const { ask } = FAMILIES[familyOf(model.provider)];
  const body = JSON.stringify({ model: model.modelIdentifier, ...ask(model, prompt) });
  const nobody = { apiKeyId: null, userId: null, managedAgentId: null, executionId: null, flowId: null };
  const head = { ...nobody, id: newId(), accountId, occurredAt: deps.clock.now(), endpoint, stream: false };
  const inputBytes = Buffer.byteLength(body);
  const limits = { maxOutputTokens: MAX_OUTPUT_TOKENS, defaultOutputTokens: MAX_OUTPUT_TOKENS };
  const call: ModelCall = { ...head, model, expected: { inputBytes, ...limits } };
  const begun = await deps.calls.begin(call);
  if (begun.kind !== 'reserved') throw new AppError(begun.kind, { message: begun.reason });
  const startedAt = performance.now();
  const book = (outcome: Answer['outcome']) =>
    deps.calls.end(
      buildUsageRow({
        head: { ...head, occurredAt: begun.occurredAt },
        model,
        durationMs: performance.now() - startedAt,
        ...outcome,
        firstByteMs: null,
      }),
    );
  try {
    const { text, outcome } = await send(deps, { model, body, inputBytes }, signal);
    await book(outcome);
    if (outcome.status !== 'ok') throw new AppError('provider_unreachable', { message: outcome.errorClass ?? 'error' });
    return text;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = classifyFailure(error);
    const isLost = signal.aborted || mayHaveBeenSent(failure);
    const usage = isLost ? guessUnanswered(call.expected, model, performance.now() - startedAt) : undefined;
    const errorClass = signal.aborted ? 'provider_timeout' : 'provider_unreachable';
    await book({ status: 'error', errorClass, usage });
    throw new AppError(errorClass, { message: `${failure.error}.`, cause: error });
  }
}

/**
 * Returns the account's model with this id, for calls that the service itself makes.
 * @throws model_not_found
 */
export async function findReviewModel(
  { db, clock, secretBoxes }: Pick<AskModelDeps, 'db' | 'clock' | 'secretBoxes'>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<ServedModel> {
  const known = await findAiModel(db, { accountId, id });
  const model = await findServedModel(db, { accountId, id, now: clock.now() }, secretBoxes.model);
  if (known?.isEnabled === true && model !== undefined) return model;
  throw new AppError('model_not_found', { message: 'The model was deleted or disabled.' });
}

interface Family {
  readonly path: CallPath;
  /** Builds the request body, without the model. */
  readonly ask: (model: ServedModel, prompt: ModelPrompt) => object;
  readonly readText: (answer: SaidByModel) => unknown;
  readonly count: (usage: ProviderUsage) => SeenCounts;
}

interface SaidByModel {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  readonly content?: readonly { readonly text?: unknown }[];
}

const FAMILIES: Readonly<Record<ModelFamily, Family>> = {
  openai: {
    path: '/chat/completions',
    ask: ({ provider }, { system, data }) => ({
      // Newer models of OpenAI reject `max_tokens`; other services may not support `max_completion_tokens`.
      [provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: MAX_OUTPUT_TOKENS,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: data },
      ],
    }),
    readText: ({ choices }) => choices?.[0]?.message?.content,
    count: countOpenAi,
  },
  anthropic: {
    path: '/messages',
    ask: (_model, { system, data }) => ({
      max_tokens: MAX_OUTPUT_TOKENS,
      system,
      messages: [{ role: 'user', content: data }],
    }),
    readText: ({ content }) => content?.map(({ text }) => text ?? '').join(''),
    count: countAnthropic,
  },
};

async function send(
  { pools }: Pick<AskModelDeps, 'pools'>,
  sent: { readonly model: ServedModel; readonly body: string; readonly inputBytes: number },
  signal: AbortSignal,
): Promise<Answer> {
  const { model, body, inputBytes } = sent;
  const family = familyOf(model.provider);
  const url = buildProviderUrl(model, FAMILIES[family].path);
  const dispatcher = pools.choose(new URL(url));
  if (dispatcher === undefined) throw new Error('the address is not https');
  const headers = listProviderHeaders(model, family, {});
  const answer = await postJson({ url, headers, body, dispatcher, signal, maxBytes: MAX_ANSWER_BYTES });
  if (answer.status !== 200) {
    const nothing = { counts: { inputTokens: 0, outputTokens: 0 }, source: 'estimated' } as const;
    return { text: '', outcome: { status: 'error', errorClass: `provider_${answer.status}`, usage: nothing } };
  }
  if (answer.fault !== undefined) {
    const usage = {
      counts: estimate({ inputBytes, mostOutputTokens: MAX_OUTPUT_TOKENS }, MAX_ANSWER_BYTES),
      source: 'estimated',
    } as const;
    return { text: '', outcome: { status: 'error', errorClass: 'protocol_error', usage } };
  }
  const { text, usage } = readAnswer(answer.body.toString(), FAMILIES[family]);
  const guess = estimate({ inputBytes, mostOutputTokens: MAX_OUTPUT_TOKENS }, answer.body.byteLength);
  const isCounted = usage?.inputTokens !== undefined && usage.outputTokens !== undefined;
  const counts = {
    ...usage,
    inputTokens: usage?.inputTokens ?? guess.inputTokens,
    outputTokens: usage?.outputTokens ?? guess.outputTokens,
  };
  const counted = { counts, source: isCounted ? 'provider' : 'estimated' } as const;
  return { text, outcome: { status: 'ok', errorClass: null, usage: counted } };
}

function readAnswer(json: string, { readText, count }: Family) {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { text: '', usage: undefined };
  }
  const answer = (value ?? {}) as SaidByModel & { readonly usage?: ProviderUsage | null };
  const { usage } = answer;
  const said = readText(answer);
  return { text: typeof said === 'string' ? said : '', usage: usage ? count(usage) : undefined };
}
