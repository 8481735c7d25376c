import type { SourceAnswer } from '@steward/http';
import type { AnswerCollector } from '../capture/answer-collector.ts';
import { type CallPath, type KeyHider, createUsageReader, type CallUsage } from '@steward/model-calls';
import type { ProviderAnswer } from '../call-providers.ts';
import { AnswerTap } from './answer-tap.ts';
import { isEventStream } from './is-event-stream.ts';
import { isPlain } from './is-plain.ts';
import { createUsageChunkFilter } from './usage-chunk-filter.ts';

/** The end of a started response. The values that depend on its content are computed only when they are read. */
export interface AnswerEnd {
  /** `left`: the client disconnected; `broken`: the provider disconnected, or the time limit was reached. */
  readonly kind: 'ended' | 'left' | 'broken';
  /** Whether the provider reported a failure during the response. */
  readonly hasFailed: boolean;
  /** Last response status that the provider reported. */
  readonly responseStatus: string | undefined;
  readonly usage: CallUsage;
}

export interface PassedAnswer {
  readonly sent: Required<Pick<SourceAnswer, 'source' | 'through'>>;
  /** Whether a chunk may be withheld, in which case the response must not have a `content-length`. */
  readonly withholds: boolean;
}

/** A response that is passed on while its usage is read. */
export type PassedSource = SourceAnswer & PassedAnswer['sent'];

export interface AnswerToPass {
  readonly answer: ProviderAnswer;
  readonly path: CallPath;
  readonly inputBytes: number;
  readonly mostOutputTokens: number;
  readonly leastOutputTokens?: number;
  /** Whether the gateway, rather than the client, requested the usage of a chat stream. */
  readonly withholdsUsage: boolean;
  /** Masks the key that the request was sent with. */
  readonly hider: KeyHider | undefined;
  /** Aborted when the client disconnects. */
  readonly client: AbortSignal;
  readonly onFirstByte: () => void;
  /** Collects the part of the response that is stored; undefined if nothing is stored. */
  readonly collector: AnswerCollector | undefined;
  /**
   * Returns a promise that has to be awaited before the response is ended, if too much data is waiting to be stored.
   */
  readonly beforeEnd: () => Promise<void> | undefined;
  readonly onEnd: (end: AnswerEnd) => void;
}

/** Reads the usage of a response while it is passed on, and reports its end once. */
export function passAnswer({ answer, path, client, collector, ...call }: AnswerToPass): PassedAnswer {
  const isStream = isEventStream(answer);
  const isReadable = isPlain(answer);
  const onEvent = collector === undefined ? undefined : collectEvents(collector);
  const reader = createUsageReader({ ...call, path, isStream, onEvent });
  const withholds = call.withholdsUsage && isStream && isReadable;
  const through = new AnswerTap({
    onChunk(chunk) {
      call.onFirstByte();
      if (!isReadable) return reader.skip(chunk);
      reader.read(chunk);
      if (!isStream) collector?.addChunk(chunk);
    },
    beforeEnd: call.beforeEnd,
    filter: withholds ? createUsageChunkFilter() : undefined,
    hider: call.hider,
    onEnd(error) {
      // A client that has received the whole stream may disconnect before the gateway reads its end.
      const hasAll = error === undefined || reader.isComplete;
      const kind = hasAll ? 'ended' : client.aborted ? 'left' : 'broken';
      call.onEnd(describeEnd(() => reader, kind, hasAll));
    },
  });
  return { sent: { source: answer.body, through }, withholds };
}

export interface WholeAnswer {
  readonly bytes: Buffer;
  /** Has to be called once, when the bytes were sent or the client disconnected. */
  readonly end: (isWritten: boolean) => void;
}

/**
 * Returns the bytes to send for a response that was received as a whole. The usage is read only when it is first
 * needed, which is after the response was sent.
 */
export function readAnswer(
  whole: Buffer,
  { path, collector, hider, ...call }: Omit<AnswerToPass, 'answer' | 'withholdsUsage' | 'client' | 'beforeEnd'>,
): WholeAnswer {
  call.onFirstByte();
  const bytes = hider?.hideWhole(whole) ?? whole;
  return {
    bytes,
    end(isWritten) {
      collector?.addChunk(bytes);
      let reader: ReturnType<typeof createUsageReader> | undefined;
      const read = (): NonNullable<typeof reader> => {
        if (reader !== undefined) return reader;
        reader = createUsageReader({ ...call, path, isStream: false });
        reader.read(bytes);
        return reader;
      };
      call.onEnd(describeEnd(read, isWritten ? 'ended' : 'left', isWritten));
    },
  };
}

function describeEnd(
  read: () => ReturnType<typeof createUsageReader>,
  kind: AnswerEnd['kind'],
  hasAll: boolean,
): AnswerEnd {
  return {
    kind,
    get hasFailed() {
      return read().hasFailed;
    },
    get responseStatus() {
      return read().responseStatus;
    },
    get usage() {
      return read().count(hasAll);
    },
  };
}

function collectEvents(collector: AnswerCollector) {
  return (data: string): boolean => {
    collector.addEvent(data);
    return collector.wantsMore;
  };
}
