import { estimateTokens, type TokenCounts, type UsageSource } from '@steward/models';
import type { CallPath } from '../call-path.ts';
import { createEventLines } from './event-lines.ts';
import { createFailureReader, FAILURE_PATHS } from './failure-reader.ts';
import { createJsonScanner, type JsonScanner } from './json-scanner.ts';
import { createToolCounter, TOOL_PATHS } from './tool-counter.ts';
import { countAnthropic, countOpenAi, mergeUsage, type ProviderUsage, type SeenCounts } from './provider-usage.ts';

export interface CallUsage {
  readonly counts: TokenCounts;
  readonly source: UsageSource;
}

/** Extracts facts from a response while it is passed through; takes the same memory for any size. */
export interface UsageReader {
  read(chunk: Buffer): void;
  /** Skips bytes that cannot be parsed: only their size is used. */
  skip(chunk: Buffer): void;
  /**
   * True if the provider signaled the end of a stream: a client that disconnects after that has received everything.
   */
  readonly isComplete: boolean;
  /** True if the provider reported a failure within a response that had begun successfully. */
  readonly hasFailed: boolean;
  /** True if model output was received, or counted. */
  readonly hasBegun: boolean;
  /** Last status that the provider reported in the response; undefined if none. */
  readonly responseStatus: string | undefined;
  /**
   * Returns the usage of the call.
   * @param hasEnded - True if the response is complete
   */
  count(hasEnded: boolean): CallUsage;
}

export interface UsageReaderOptions {
  readonly path: CallPath;
  readonly isStream: boolean;
  /** Size of the request in bytes, from which the input is estimated if the provider does not report a count. */
  readonly inputBytes: number;
  /** Maximum of an output estimate, according to the provider's limit; `Infinity` if unknown. */
  readonly mostOutputTokens: number;
  /**
   * Minimum of an output estimate, for a response that continues at the provider without its client and is not read
   * here.
   */
  readonly leastOutputTokens?: number;
  /**
   * Called with the data of each event of a stream, except for very large events, until it reports that it needs no
   * more.
   */
  readonly onEvent?: ((data: string) => boolean) | undefined;
}

const PATHS: ReadonlySet<string> = new Set([
  ...['type', 'usage', 'response.usage', 'message.usage'],
  // These are used by Groq and Moonshot.
  ...['x_groq.usage', 'choices[].usage'],
  ...['service_tier', 'response.service_tier', 'status', 'response.status'],
  ...TOOL_PATHS,
]);
const ALL_PATHS: ReadonlySet<string> = new Set([...PATHS, ...FAILURE_PATHS]);
const LAST_TYPES: ReadonlySet<string> = new Set([
  '"message_stop"',
  '"response.completed"',
  '"response.incomplete"',
  '"response.failed"',
]);

/**
 * Members with model output: for a stream of the Responses API only the deltas, because the stream repeats them as a
 * whole.
 */
const TEXT_NAMES: Readonly<Record<CallPath, ReadonlySet<string>>> = {
  '/chat/completions': new Set(['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments']),
  '/responses': new Set(['text', 'arguments', 'refusal']),
  '/responses/compact': new Set(['text', 'encrypted_content']),
  '/responses/input_tokens': new Set(),
  '/embeddings': new Set(),
  '/messages': new Set(['text', 'thinking', 'partial_json']),
  '/messages/count_tokens': new Set(),
};
const STREAMED_RESPONSE_NAMES: ReadonlySet<string> = new Set(['delta']);

export function createUsageReader({ path, isStream, onEvent, ...sizes }: UsageReaderOptions): UsageReader {
  const isAnthropic = path.startsWith('/messages');
  const hasOutput = path !== '/embeddings';
  let usage: ProviderUsage | undefined;
  /**
   * Bytes of output at the time of the provider's last count: later output of an aborted stream is not included in any
   * count.
   */
  let countedBytes = 0;
  let skippedBytes = 0;
  let isFinal = false;
  let isComplete = false;
  let tier: string | undefined;
  let responseStatus: string | undefined;
  const tools = createToolCounter(isStream);
  const failures = createFailureReader(isStream);
  const scanner = createJsonScanner({
    paths: ALL_PATHS,
    textNames: isStream && path === '/responses' ? STREAMED_RESPONSE_NAMES : TEXT_NAMES[path],
    onMember(member, json) {
      if (tools.note(member, json) || failures.note(member, json)) return;
      if (member.endsWith('service_tier')) tier = json === 'null' ? tier : json.replaceAll('"', '');
      else if (member.endsWith('status')) responseStatus = json.replaceAll('"', '');
      else if (member === 'type') isComplete ||= LAST_TYPES.has(json);
      else if (json !== 'null') {
        usage = mergeUsage(usage, json);
        countedBytes = scanner.textBytes;
        // A message begins with a count of its first token.
        isFinal ||= member !== 'message.usage';
      }
    },
  });
  const lines = isStream
    ? readEvents(scanner, { onDone: () => (isComplete = true), onEnd: () => tools.endEvent(), onEvent })
    : undefined;

  const hasBegun = (): boolean => usage !== undefined || scanner.textBytes > 0 || skippedBytes > 0;

  /** Returns the counts that the provider has reported so far. */
  function see(): SeenCounts | undefined {
    if (usage === undefined) return undefined;
    const counted = (isAnthropic ? countAnthropic : countOpenAi)(usage);
    const named = tier === undefined ? {} : { tier };
    // Providers omit zero counts.
    return { ...named, ...counted, ...tools.count(), ...(hasOutput ? {} : { outputTokens: 0 }) };
  }

  function count(hasEnded: boolean): CallUsage {
    const seen = see();
    const isOver = hasEnded || isComplete;
    const hasMore = isStream && !isOver && scanner.textBytes > countedBytes;
    if (isFinal && !hasMore && isWhole(seen)) return { counts: seen, source: 'provider' };
    // Providers do not charge for a response that contains only a failure.
    if (!hasBegun() && failures.hasFailed(false))
      return { counts: { inputTokens: 0, outputTokens: 0 }, source: 'estimated' };
    const guess = estimate(sizes, hasOutput ? scanner.textBytes + skippedBytes : 0);
    return { counts: fillGaps(seen, guess), source: isOver ? 'estimated' : 'partial' };
  }

  return {
    read: (chunk) => (lines === undefined ? scanner.read(chunk, 0, chunk.byteLength) : lines.read(chunk)),
    skip: (chunk) => void (skippedBytes += chunk.byteLength),
    get isComplete() {
      return isComplete;
    },
    get hasFailed() {
      return failures.hasFailed(hasBegun());
    },
    get hasBegun() {
      return hasBegun();
    },
    get responseStatus() {
      return responseStatus;
    },
    count,
  };
}

/** Adds the estimate to the reported counts if there is no count, or only a count that precedes the end. */
function fillGaps(seen: SeenCounts | undefined, guess: TokenCounts): TokenCounts {
  return {
    ...seen,
    inputTokens: seen?.inputTokens ?? guess.inputTokens,
    outputTokens: Math.max(seen?.outputTokens ?? 0, guess.outputTokens),
  };
}

function isWhole(counts: SeenCounts | undefined): counts is TokenCounts {
  return counts?.inputTokens !== undefined && counts.outputTokens !== undefined;
}

type ExpectedSizes = Pick<UsageReaderOptions, 'inputBytes' | 'mostOutputTokens' | 'leastOutputTokens'>;

/** Estimates tokens from the number of bytes, like the estimate before the call. */
export function estimate(
  { inputBytes, mostOutputTokens, leastOutputTokens = 0 }: ExpectedSizes,
  textBytes: number,
): TokenCounts {
  const { inputTokens: written } = estimateBytes(textBytes);
  const outputTokens = Math.max(leastOutputTokens, Math.min(written, mostOutputTokens));
  return { ...estimateBytes(inputBytes), outputTokens };
}

function estimateBytes(inputBytes: number): TokenCounts {
  return estimateTokens({ inputBytes, maxOutputTokens: 0, defaultOutputTokens: 0 }, { maxOutputTokens: null });
}

const DONE = '[DONE]';
const MAX_EVENT = 256 * 1024;

interface EventReaders extends Pick<UsageReaderOptions, 'onEvent'> {
  readonly onDone: () => void;
  /** Called at the end of each event. */
  readonly onEnd: () => void;
}

/** Passes the data of each event to the scanner. The data is JSON; a chat stream ends with `[DONE]`. */
function readEvents(scanner: JsonScanner, { onDone, onEnd, onEvent }: EventReaders) {
  let data = '';
  let wantsMore = onEvent !== undefined;
  return createEventLines({
    onData(chunk, from, to) {
      const most = wantsMore ? MAX_EVENT + 1 : DONE.length;
      if (data.length < most) data += chunk.toString('latin1', from, Math.min(to, from + most));
      scanner.read(chunk, from, to);
    },
    onEnd() {
      if (data.startsWith(DONE)) onDone();
      else if (wantsMore && data !== '' && data.length <= MAX_EVENT)
        wantsMore = onEvent?.(Buffer.from(data, 'latin1').toString()) ?? false;
      data = '';
      scanner.reset();
      onEnd();
    },
  });
}
