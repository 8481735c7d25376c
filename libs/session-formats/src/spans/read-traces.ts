import type { OtlpSpan } from '@steward/otlp';
import type { SessionHead, SessionItem } from '../session-item.ts';
import { listEntryIds, readSpan } from './read-span.ts';
import { findConversation, readSessionHead } from './span-session.ts';

/** Data known from earlier spans. */
export interface KnownSessions {
  /** Session of each entry, by the id of the entry. */
  readonly ofEntries: ReadonlyMap<string, string>;
  /** Conversation of each trace, by the id of the trace. */
  readonly ofTraces: ReadonlyMap<string, string>;
}

const NOTHING_KNOWN: KnownSessions = { ofEntries: new Map(), ofTraces: new Map() };

/** Returns the spans without a conversation id. */
export function listUnnamedSpans(spans: readonly OtlpSpan[]): OtlpSpan[] {
  return spans.filter((span) => findConversation(span) === undefined);
}

/**
 * Yields the entries of spans, session by session, in order of their start, each with the session data of all spans of
 * its session. A span without a conversation id stays in the session to which it was assigned earlier. If it has not
 * been assigned, it belongs to the conversation of its trace; if no span of the trace names a conversation, the trace
 * is the session.
 */
export function* readTraces(spans: readonly OtlpSpan[], known: KnownSessions = NOTHING_KNOWN): Generator<SessionItem> {
  const inOrder = spans.toSorted((a, b) => (a.startNanos < b.startNanos ? -1 : a.startNanos > b.startNanos ? 1 : 0));
  const conversations = new Map(known.ofTraces);
  for (const span of inOrder) {
    const named = findConversation(span);
    if (named !== undefined && !conversations.has(span.traceId)) conversations.set(span.traceId, named);
  }
  const findPlace = (span: OtlpSpan): string | undefined =>
    listEntryIds(span)
      .map((id) => known.ofEntries.get(id))
      .find((place) => place !== undefined);
  const placed = inOrder.map((span) => {
    const conversation = findConversation(span) ?? findPlace(span) ?? conversations.get(span.traceId);
    return { span, head: readSessionHead(span, conversation) };
  });
  for (const session of Map.groupBy(placed, ({ head }) => head.sourceId).values()) {
    const merged = session.map(({ head }) => head).reduce(mergeHeads);
    for (const { span } of session) for (const entry of readSpan(span)) yield { session: merged, entry };
  }
}

/** Merges the session data of two spans: the newest value of each label, and the first of several agents. */
function mergeHeads(before: SessionHead, head: SessionHead): SessionHead {
  const { agent = head.agent } = before;
  const labels = { ...before.labels, ...head.labels, ...(agent === undefined ? {} : { agent: agent.name }) };
  return { ...before, labels, ...(agent === undefined ? {} : { agent }) };
}
