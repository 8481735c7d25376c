import { estimateTokens, type TokenCounts, type UsageSource } from '@steward/models';
import type { CallPath } from '../call-path.ts';
import { createEventLines, type EventLines } from './event-lines.ts';
import { FailureReader, FAILURE_PATHS } from './failure-reader.ts';
import { createJsonScanner, type JsonScanner } from './json-scanner.ts';
import { ToolCounter, TOOL_PATHS } from './tool-counter.ts';
import { countAnthropic, countOpenAi, mergeUsage, type ProviderUsage, type SeenCounts } from './provider-usage.ts';

export interface CallUsage {
  readonly counts: TokenCounts;
  readonly source: UsageSource;
}

/** Extracts facts from a response while it is passed through; takes the same memory for a response of any size. */
export interface UsageReader {
  read(chunk: Buffer): void;
  /** Skips bytes that cannot be parsed: only their size is used. */
  skip(chunk: Buffer): void;
  /**
   * True if the provider signaled the end of a stream: a client that disconnects after that has received everything.
   */
  readonly isComplete: boolean;
  /** True if the provider reported a failure in the body of the response. */
  readonly hasFailed: boolean;
  /** True if the provider reported usage, or if model output or bytes that cannot be parsed were received. */
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
  /**
   * Maximum of an output estimate, according to the limits of the client and the model; `Infinity` if neither has one.
   */
  readonly mostOutputTokens: number;
  /**
   * Minimum of an output estimate, for a response that the provider continues in the background, and that is not read
   * to its end here.
   */
  readonly leastOutputTokens?: number;
  /** Called with the data of each event of a stream, except for events larger than 256 KiB, until it returns false. */
  readonly onEvent?: ((data: string) => boolean) | undefined;
}

const PATHS: ReadonlySet<string> = new Set([
  ...['type', 'usage', 'response.usage', 'message.usage'],
  // Groq and Moonshot report the usage in these members.
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
 * Names of the members that contain model output. Streams of the Responses API have a separate list, which contains
 * only the deltas, because later events repeat the whole text.
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

export function createUsageReader(options: UsageReaderOptions): UsageReader {
  return new Reader(options);
}

/**
 * This is a class, because an object with closures for each response took as much memory for the closures as for all
 * data that it reads.
 */
class Reader implements UsageReader {
  readonly #path: CallPath;
  readonly #isStream: boolean;
  readonly #sizes: ExpectedSizes;
  readonly #tools: ToolCounter;
  readonly #failures: FailureReader;
  readonly #scanner: JsonScanner;
  readonly #lines: EventLines | undefined;
  #usage: ProviderUsage | undefined;
  /**
   * Bytes of output at the time of the provider's last count: later output of an aborted stream is not included in any
   * count.
   */
  #countedBytes = 0;
  #skippedBytes = 0;
  #isFinal = false;
  #tier: string | undefined;
  isComplete = false;
  responseStatus: string | undefined;

  constructor(options: UsageReaderOptions) {
    const { path, isStream, onEvent } = options;
    this.#path = path;
    this.#isStream = isStream;
    this.#sizes = options;
    this.#tools = new ToolCounter(isStream);
    this.#failures = new FailureReader(isStream);
    this.#scanner = createJsonScanner({
      paths: ALL_PATHS,
      textNames: isStream && path === '/responses' ? STREAMED_RESPONSE_NAMES : TEXT_NAMES[path],
      onMember: (member, json) => this.#note(member, json),
    });
    this.#lines = isStream
      ? readEvents(this.#scanner, {
          onDone: () => (this.isComplete = true),
          onEnd: () => this.#tools.endEvent(),
          onEvent,
        })
      : undefined;
  }

  get hasFailed(): boolean {
    return this.#failures.hasFailed(this.hasBegun);
  }

  get hasBegun(): boolean {
    return this.#usage !== undefined || this.#scanner.textBytes > 0 || this.#skippedBytes > 0;
  }

  read(chunk: Buffer): void {
    if (this.#lines === undefined) this.#scanner.read(chunk, 0, chunk.byteLength);
    else this.#lines.read(chunk);
  }

  skip(chunk: Buffer): void {
    this.#skippedBytes += chunk.byteLength;
  }

  count(hasEnded: boolean): CallUsage {
    const { textBytes } = this.#scanner;
    const seen = this.#see();
    const isOver = hasEnded || this.isComplete;
    const hasMore = this.#isStream && !isOver && textBytes > this.#countedBytes;
    if (this.#isFinal && !hasMore && isWhole(seen)) return { counts: seen, source: 'provider' };
    // Providers do not charge for a response that contains only a failure.
    if (!this.hasBegun && this.#failures.hasFailed(false))
      return { counts: { inputTokens: 0, outputTokens: 0 }, source: 'estimated' };
    const guess = estimate(this.#sizes, this.#hasOutput ? textBytes + this.#skippedBytes : 0);
    return { counts: fillGaps(seen, guess), source: isOver ? 'estimated' : 'partial' };
  }

  get #hasOutput(): boolean {
    return this.#path !== '/embeddings';
  }

  #note(member: string, json: string): void {
    if (this.#tools.note(member, json) || this.#failures.note(member, json)) return;
    if (member.endsWith('service_tier')) this.#tier = json === 'null' ? this.#tier : json.replaceAll('"', '');
    else if (member.endsWith('status')) this.responseStatus = json.replaceAll('"', '');
    else if (member === 'type') this.isComplete ||= LAST_TYPES.has(json);
    else if (json !== 'null') {
      this.#usage = mergeUsage(this.#usage, json);
      this.#countedBytes = this.#scanner.textBytes;
      // `message.usage` is reported at the beginning of a message, when only its first token has been counted.
      this.#isFinal ||= member !== 'message.usage';
    }
  }

  /** Returns the counts that the provider has reported so far. */
  #see(): SeenCounts | undefined {
    if (this.#usage === undefined) return undefined;
    const counted = (this.#path.startsWith('/messages') ? countAnthropic : countOpenAi)(this.#usage);
    const named = this.#tier === undefined ? {} : { tier: this.#tier };
    // Providers omit zero counts.
    return { ...named, ...counted, ...this.#tools.count(), ...(this.#hasOutput ? {} : { outputTokens: 0 }) };
  }
}

/**
 * Replaces missing counts by the estimate, and the output count also if the estimate is higher: the last reported count
 * may precede the end.
 */
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
