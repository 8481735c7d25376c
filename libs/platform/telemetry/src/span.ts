import { AsyncLocalStorage } from 'node:async_hooks';
import { beginTrace, isTraceparent, nextSpan } from '@steward/crypto';

/**
 * Attributes with names from the semantic conventions, and ids, codes and counts as values: never content, a
 * credential, an address or a person.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanFacts {
  /** Name of the span, one of a small set. */
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
}

export interface SpanStart extends SpanFacts {
  /**
   * Trace context of the span itself, if its ids have already been generated; if undefined, the span is a new child of
   * its parent.
   */
  readonly traceparent?: string | undefined;
  /**
   * Trace context of the span that caused this one; if undefined, the current span is used. Null if there is no such
   * span, or if it is unknown.
   */
  readonly parent?: string | null | undefined;
  /** True if a span without a parent begins a new trace; otherwise, work without a parent span has no span. */
  readonly beginsTrace?: boolean;
  readonly startTime?: Date;
}

export interface OpenSpan {
  readonly traceparent: string;
  /** Value of `performance.now()` when the span ended; undefined until then. */
  readonly endedAt: number | undefined;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /**
   * Ends the span.
   * @param errorType - a code or the name of a class; never a message, which may quote content
   */
  end(errorType?: string): void;
}

/** Receives spans for the export. */
export interface SpanRecorder {
  start(
    facts: SpanFacts & {
      readonly traceparent: string;
      readonly parent: string | undefined;
      readonly startTime?: Date | undefined;
    },
  ): OpenSpan;
}

let recorder: SpanRecorder | undefined;
const current = new AsyncLocalStorage<OpenSpan>();

/** Sets the recorder; if undefined, no span is recorded from now on. */
export function setRecorder(next: SpanRecorder | undefined): void {
  recorder = next;
}

/** Returns true if this process exports spans. */
export function isTracing(): boolean {
  return recorder !== undefined;
}

/** Returns true if this process exports the spans of a trace: data needed only for spans is read only in this case. */
export function isRecorded(traceparent: string): boolean {
  return recorder !== undefined && isSampled(traceparent);
}

/**
 * Opens a span; returns undefined if no spans are exported, if the trace is not sampled, or if there is no parent span
 * and no trace is to begin.
 */
export function openSpan(start: SpanStart): OpenSpan | undefined {
  if (recorder === undefined) return undefined;
  const parent = start.parent === undefined ? readCurrent() : (start.parent ?? undefined);
  const traceparent = start.traceparent ?? drawSpan(parent, start.beginsTrace === true);
  if (traceparent === undefined || !isSampled(traceparent)) return undefined;
  return recorder.start({ ...start, traceparent, parent });
}

/**
 * Maximum time in milliseconds for which a span that has ended still becomes the parent of new spans. Otherwise, a loop
 * that happened to be started by a request would extend the trace of this request for the lifetime of the process.
 */
const LONGEST_AFTER_END_MS = 60_000;

function readCurrent(): string | undefined {
  const span = current.getStore();
  const isOver = span?.endedAt !== undefined && performance.now() - span.endedAt > LONGEST_AFTER_END_MS;
  return isOver ? undefined : span?.traceparent;
}

function drawSpan(parent: string | undefined, beginsTrace: boolean): string | undefined {
  if (isTraceparent(parent)) return nextSpan(parent);
  return beginsTrace ? beginTrace() : undefined;
}

function isSampled(traceparent: string): boolean {
  return traceparent.endsWith('1');
}

/** Runs work within a span, which becomes the parent of the spans that begin during the work. */
export function withinSpan<T>(span: OpenSpan | undefined, work: () => T): T {
  return span === undefined ? work() : current.run(span, work);
}

/** Runs work in a separate span, which ends when the work ends. */
export async function inSpan<T>(start: SpanStart, work: (span: OpenSpan | undefined) => Promise<T>): Promise<T> {
  const span = openSpan(start);
  if (span === undefined) return work(undefined);
  try {
    const result = await current.run(span, work, span);
    span.end();
    return result;
  } catch (error) {
    span.end(nameError(error));
    throw error;
  }
}

/** Returns the code of an error, or its class. */
function nameError(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : 'unknown';
}

/**
 * Returns the next hop of a trace, for a row or a message that propagates it: other processes create their spans as its
 * children. The hop is recorded as a span without a duration.
 */
export function drawHop(parent: string, facts: SpanFacts): string {
  const traceparent = nextSpan(parent);
  if (recorder !== undefined && isTraceparent(parent)) openSpan({ ...facts, traceparent, parent })?.end();
  return traceparent;
}
