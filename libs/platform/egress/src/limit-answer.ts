import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonMeter } from '@steward/text';
import { AnswerLimitError, describeExcess, isPacked, PACKED, type AnswerLimits } from './answer-limits.ts';

type Limits = Omit<AnswerLimits, 'timeoutMs'>;

export interface AnswerHooks {
  /** Hears of the limit that is passed: libraries that read event streams tell their callers only that a stream ended. */
  readonly onExcess?: ((error: AnswerLimitError) => void) | undefined;
  /** So many bytes of a body came. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Nothing more of it will be read, for whatever reason. */
  readonly onEnd?: () => void;
}

/** About twenty small events. */
const EVENT_PART_BYTES = 2 * 1024;
const PART_BYTES = 64 * 1024;

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The answer with a body that fails where a limit is passed, before anybody parses it. Never gives on more than that, however the
 * other side packs or cuts it.
 *
 * @throws AnswerLimitError for one that is packed, or too large by its own word
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
        // Whoever reads events works on each: a chunk may hold a thousand, and others have their turn in between.
        if (isStream) await nextTurn();
      }
    },
    flush: () => onEnd?.(),
    cancel: () => onEnd?.(),
  });
}
