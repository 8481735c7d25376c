import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonMeter } from '@steward/text';
import { AnswerLimitError, describeExcess, isPacked, PACKED, type AnswerLimits } from './answer-limits.ts';

type Limits = Omit<AnswerLimits, 'timeoutMs'>;

export interface AnswerHooks {
  /**
   * Called with the error if the response exceeds a limit or is compressed, because libraries that read event streams
   * only report that a stream has ended.
   */
  readonly onExcess?: ((error: AnswerLimitError) => void) | undefined;
  /** Called for each chunk that is read from the body, with its number of bytes. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Called when no more of the body will be read, for any reason; not called if `limitAnswer` throws. */
  readonly onEnd?: () => void;
}

/** Size in bytes of a part of an event stream that is processed at once: about twenty small events. */
const EVENT_PART_BYTES = 2 * 1024;
const PART_BYTES = 64 * 1024;

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns the response with a body that fails when a limit is exceeded, before the part that exceeds it can be parsed.
 * The body never yields more data than the limit, whatever its encoding or chunking.
 *
 * @throws AnswerLimitError if the body is compressed, or its declared length is too large
 */
export async function limitAnswer(answer: Response, limits: Limits, hooks: AnswerHooks = {}): Promise<Response> {
  const fault = findFault(answer.headers, limits);
  if (fault !== undefined) {
    await answer.body?.cancel().catch(() => undefined);
    hooks.onExcess?.(fault);
    throw fault;
  }
  const { status, statusText, headers, body } = answer;
  if (body === null || BODILESS.has(status)) {
    hooks.onEnd?.();
    return answer;
  }
  const limited = body.pipeThrough(createLimit(headers, limits, hooks));
  return new Response(limited, { status, statusText, headers });
}

function findFault(headers: Headers, limits: Limits): AnswerLimitError | undefined {
  if (isPacked(headers.get('content-encoding'))) return new AnswerLimitError(PACKED);
  const length = Number(headers.get('content-length') ?? 0);
  return length > limits.maxBytes ? describeExcess('bytes', limits) : undefined;
}

function createLimit(
  headers: Headers,
  limits: Limits,
  { onExcess, onRead, onEnd }: AnswerHooks,
): TransformStream<Uint8Array, Uint8Array> {
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const meter = new JsonMeter({ ...limits, maxEvents: isStream ? limits.maxEvents : undefined });
  const partBytes = isStream ? EVENT_PART_BYTES : PART_BYTES;
  let received = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      received += chunk.byteLength;
      onRead?.(chunk.byteLength);
      for (let start = 0; start < chunk.byteLength; start += partBytes) {
        const part = chunk.subarray(start, start + partBytes);
        const excess = received > limits.maxBytes ? 'bytes' : meter.add(part);
        if (excess !== undefined) {
          const error = describeExcess(excess, limits);
          onExcess?.(error);
          onEnd?.();
          return controller.error(error);
        }
        controller.enqueue(part);
        // The event loop processes other work between the parts: readers process each event, and a chunk may contain a
        // thousand events.
        if (isStream) await nextTurn();
      }
    },
    flush: () => onEnd?.(),
    cancel: () => onEnd?.(),
  });
}
