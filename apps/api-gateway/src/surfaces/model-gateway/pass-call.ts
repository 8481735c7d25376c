import type { IncomingHttpHeaders } from 'node:http';
import { readDeclaredSize, type FindAgentKind } from '@steward/api';
import type { Clock } from '@steward/async';
import { AppError, type Principal } from '@steward/contracts';
import type { ProviderPools } from '@steward/egress';
import type { BytesAnswer } from '@steward/http';
import type { ModelFamily, ServedModel } from '@steward/models';
import {
  createKeyHider,
  limitOutput,
  sizeInput,
  type CallPath,
  listClientHeaders,
  listProviderHeaders,
} from '@steward/model-calls';
import { findCallSession, type CallSession } from '@steward/sessions';
import { isEventStream } from './answers/is-event-stream.ts';
import { passAnswer, readAnswer, type AnswerEnd, type PassedSource } from './answers/pass-answer.ts';
import type { UsageRefusals } from './answers/usage-refusals.ts';
import type { CallLedger } from './booking/call-ledger.ts';
import { CallRecord, type CallRecordDeps } from './booking/call-record.ts';
import type { BackgroundResponses, KeptResponse } from './background/background-responses.ts';
import type { BodyLimiter } from './body-limiter.ts';
import { createCallSignal, type CallSignal } from './call-signal.ts';
import { createAnswerCollector } from './capture/answer-collector.ts';
import { callProviders, type ProviderAnswer, type ProviderResponse } from './call-providers.ts';
import type { FindChain } from './find-chain.ts';
import type { FindProviderUrl } from './provider-urls.ts';
import type { TakeTurnNotes, TurnNotes } from './notes/turn-notes.ts';
import { readCall, writeProviderBody, type BodyEdit, type CallBody } from './read-call.ts';

export interface PassDeps extends CallRecordDeps {
  readonly clock: Clock;
  readonly findChain: FindChain;
  readonly findProviderUrl: FindProviderUrl;
  readonly pools: Pick<ProviderPools, 'choose'>;
  readonly ledger: CallLedger;
  readonly room: BodyLimiter;
  readonly usageRefusals: UsageRefusals;
  readonly takeTurnNotes: TakeTurnNotes;
  readonly findAgentKind: FindAgentKind;
  readonly background: BackgroundResponses;
}

export interface Call {
  readonly family: ModelFamily;
  readonly path: CallPath;
  readonly principal: Principal;
  readonly headers: IncomingHttpHeaders;
  /** The query as received. */
  readonly search: string;
  /** Reads the body; called once, when there is memory for it. */
  readonly readBody: () => Promise<Buffer>;
  readonly traceparent: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export const MAX_BODY_BYTES = 32 * 1024 * 1024;
const WHOLE_CALL_MS = 3_600_000;
const NOBODY = new AbortController().signal;

/**
 * Passes a call on and streams the response back (GW-6), in four steps: looks up the price of the model, reserves the
 * maximum cost of the call, sends the call, and records its usage exactly once, whatever the outcome.
 */
export async function passCall(deps: PassDeps, call: Call): Promise<PassedSource | BytesAnswer> {
  const { path, principal, headers, traceparent } = call;
  const sizeBytes = Math.min(readDeclaredSize(headers), MAX_BODY_BYTES);
  const place = await deps.room.enter({ accountId: principal.accountId, sizeBytes }, call.signal);
  try {
    const bytes = await call.readBody();
    place.settle(bytes.byteLength);
    const body = readCall(path, bytes);
    const session = findCallSession(principal, headers, await deps.findAgentKind(principal, headers));

    // Steps 1 and 2: estimates the tokens of the call, looks up the price of its model, and reserves its maximum cost
    // and its tokens in the budgets and in the limits of the key.
    const record = new CallRecord(deps, { path, principal, session, traceparent, body });
    const { chain, notes } = await priceAndReserve(deps, call, { body, session, record });

    // A background call continues without its client, so it is not aborted if the client disconnects: the id with which
    // the provider can be asked about the call is only in the provider's response.
    const ending = createCallSignal(body.isBackground ? NOBODY : call.signal, WHOLE_CALL_MS);
    try {
      // Step 3: sends the request to the provider, then to the providers of the fallback models, each within the
      // budgets of its model.
      const sending = { call, body, record, chain, signal: ending.signal };
      const called = await notes.callModel(body.bytes, chain[0], (edits) => send(deps, sending, edits));

      // Step 4: stores the usage row and the content in the session when the response has ended.
      const answered = {
        call,
        sizes: readSizes(deps, body),
        record,
        called,
        ending,
        asksForUsage: asksForUsage(call, body),
      };
      return await respond(deps, body.isBackground ? await keepResponse(deps, answered, session) : answered);
    } catch (error) {
      ending.release();
      throw recordFailure(record, { error, isLate: ending.isOverTime(), hasLeft: call.signal.aborted });
    }
  } finally {
    // Once a response has begun, or the call has failed, the body is no longer needed.
    place.leave();
  }
}

function readSizes(deps: PassDeps, body: CallBody): Answered['sizes'] {
  const { maxOutputTokens, answers, isBackground } = body;
  return { inputBytes: sizeInput(body, deps.reserves), maxOutputTokens, answers, isBackground };
}

function asksForUsage({ path }: Call, body: CallBody): boolean {
  return path === '/chat/completions' && body.isStream && body.usageEdits.length > 0;
}

interface Sending {
  readonly call: Call;
  readonly body: CallBody;
  readonly record: CallRecord;
  readonly chain: Prepared['chain'];
  readonly signal: AbortSignal;
}

function send(deps: PassDeps, sending: Sending, edits: readonly BodyEdit[]): Promise<ProviderResponse> {
  const { call, body, record, chain, signal } = sending;
  return callProviders({
    pools: deps.pools,
    usageRefusals: deps.usageRefusals,
    chain,
    admit: (model) => record.moveTo(model),
    onUnanswered: (durationMs) => record.noteUnanswered(durationMs),
    signal,
    now: () => deps.clock.now(),
    asksForUsage: asksForUsage(call, body),
    buildRequest: (served, asks) => ({
      url: deps.findProviderUrl(served, call.path, call.search),
      headers: listProviderHeaders(served, call.family, call.headers),
      body: writeProviderBody(body, served.modelIdentifier, asks, edits),
    }),
  });
}

/** Records a call without a response. Returns the error for the client. */
function recordFailure(record: CallRecord, failure: Failure): unknown {
  const { error: cause, isLate, hasLeft } = failure;
  record.fail(describeFailure(failure));
  if (isLate) return new AppError('provider_timeout', { cause });
  // The client no longer receives this error; in the log, it distinguishes the disconnect from an internal failure.
  if (hasLeft) return new AppError('bad_request', { message: 'The client disconnected.', cause });
  return cause;
}

interface Prepared {
  readonly chain: readonly [ServedModel, ...ServedModel[]];
  readonly notes: TurnNotes;
}

/**
 * Finds the models of a call, reserves its maximum cost, and takes the notes that operators have left for its agent;
 * the notes are looked up concurrently.
 */
async function priceAndReserve(
  deps: PassDeps,
  { family, path, principal, traceparent }: Call,
  { body, session, record }: { readonly body: CallBody; readonly session: CallSession; readonly record: CallRecord },
): Promise<Prepared> {
  if (body.isBackground) await deps.background.requireQuota(principal).catch(refuseCall(record));
  const taking = deps.takeTurnNotes({ path, principal, session, traceparent });
  try {
    const chain = await deps.findChain({ principal, name: body.model, family });
    await record.hold(chain[0]);
    return { chain, notes: await taking };
  } catch (error) {
    record.refuse(error);
    await (await taking).release();
    throw error;
  }
}

function refuseCall(record: CallRecord) {
  return (error: unknown): never => {
    record.refuse(error);
    throw error;
  };
}

interface Answered {
  readonly call: Call;
  /** Facts about the size of the call, without the body, which may be large. */
  readonly sizes: Pick<CallBody, 'inputBytes' | 'maxOutputTokens' | 'answers' | 'isBackground'>;
  readonly record: CallRecord;
  readonly called: ProviderResponse;
  readonly ending: CallSignal;
  readonly asksForUsage: boolean;
  /** Set for a response that may continue after the call is answered. */
  readonly kept?: KeptResponse | undefined;
}

/** Stores a background response before the client gets its id. */
async function keepResponse(deps: PassDeps, answered: Answered, session: CallSession): Promise<Answered> {
  const { call, record, called, sizes } = answered;
  const { model, answer } = called;
  const { principal, traceparent } = call;
  const { inputBytes } = sizes;
  const mostOutputTokens = limitOutput(sizes, model);
  const kept = await deps.background.keep({
    ...{ answer, model, record, principal, session, traceparent },
    sizes: { inputBytes, mostOutputTokens, heldOutputTokens: limitHeld(deps, sizes, model) },
  });
  return { ...answered, called: { ...called, answer: kept.answer }, kept: kept.kept };
}

function limitHeld({ reserves }: PassDeps, sizes: Answered['sizes'], model: ServedModel): number {
  return limitOutput({ ...sizes, maxOutputTokens: sizes.maxOutputTokens ?? reserves.outputTokens }, model);
}

async function respond(deps: PassDeps, answered: Answered): Promise<PassedSource | BytesAnswer> {
  const { call, sizes, record, called, ending, asksForUsage, kept } = answered;
  const { path } = call;
  const { model, attempts, answer } = called;
  const hider = createKeyHider(model.apiKey);
  const collector = deps.captureContent ? createAnswerCollector(path, isEventStream(answer)) : undefined;
  const reading = {
    path,
    inputBytes: sizes.inputBytes,
    mostOutputTokens: limitOutput(sizes, model),
    leastOutputTokens: sizes.isBackground ? limitHeld(deps, sizes, model) : 0,
    hider,
    onFirstByte: () => record.noteFirstByte(),
    collector,
    onEnd(end: AnswerEnd) {
      ending.release();
      if (kept !== undefined) return kept.end(end, collector);
      record.end(() => describeEnd(end, answer.statusCode, ending.isOverTime()), collector);
    },
  };
  const beforeEnd = () => deps.ledger.waitForCapacity();
  const status = answer.statusCode;
  const describe = (headers: ProviderAnswer['headers']): Record<string, string> =>
    Object.assign(listClientHeaders(headers, hider), {
      'X-Service-Model': model.alias,
      'X-Service-Attempts': String(attempts),
    });
  if (answer.whole !== undefined) {
    const { bytes, end } = readAnswer(answer.whole, reading);
    await beforeEnd();
    return { status, headers: describe(answer.headers), bytes, onSent: end };
  }
  const { sent, withholds } = passAnswer({
    ...reading,
    answer,
    withholdsUsage: asksForUsage,
    client: call.signal,
    beforeEnd,
  });
  const { 'content-length': _length, ...otherHeaders } = answer.headers;
  return { status, headers: describe(withholds ? otherHeaders : answer.headers), ...sent };
}

type Ended = ReturnType<Parameters<CallRecord['end']>[0]>;

/** Describes the end of a response that had begun. Providers do not charge for an error response or a redirect. */
function describeEnd({ kind, hasFailed, usage }: AnswerEnd, statusCode: number, isOverTime: boolean): Ended {
  if (statusCode >= 300) {
    const nothing = { counts: { inputTokens: 0, outputTokens: 0 }, source: 'estimated' } as const;
    return { status: 'error', errorClass: `provider_${statusCode}`, usage: nothing };
  }
  if (kind === 'left') return { status: 'aborted', errorClass: null, usage };
  if (kind === 'broken')
    return { status: 'error', errorClass: isOverTime ? 'provider_timeout' : 'stream_broken', usage };
  return hasFailed
    ? { status: 'error', errorClass: 'provider_error', usage }
    : { status: 'ok', errorClass: null, usage };
}

interface Failure {
  readonly error: unknown;
  /** Whether the time limit of the whole call was exceeded. */
  readonly isLate: boolean;
  readonly hasLeft: boolean;
}

/** Describes the end of a call without a response. */
function describeFailure({ error, isLate, hasLeft }: Failure): Pick<Ended, 'status' | 'errorClass'> {
  if (hasLeft) return { status: 'aborted', errorClass: null };
  if (isLate) return { status: 'error', errorClass: 'provider_timeout' };
  return { status: 'error', errorClass: error instanceof AppError ? error.code : 'internal' };
}
