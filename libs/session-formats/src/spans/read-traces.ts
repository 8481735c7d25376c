import type { OtlpSpan } from '@steward/otlp';
import type { SessionHead, SessionItem } from '../session-item.ts';
import { readSpan } from './read-span.ts';
import { findConversation, readSessionHead } from './span-session.ts';

/**
 * The entries of spans in the order they began, each with what all of them say of its session. A span that names no conversation is of
 * that of its trace, where another one names it; else the trace is the session.
 */
export function* readTraces(spans: readonly OtlpSpan[]): Generator<SessionItem> {
  const inOrder = spans.toSorted((a, b) => (a.startNanos < b.startNanos ? -1 : a.startNanos > b.startNanos ? 1 : 0));
  const conversations = new Map<string, string>();
  for (const span of inOrder) {
    const named = findConversation(span);
    if (named !== undefined && !conversations.has(span.traceId)) conversations.set(span.traceId, named);
  }
  const readHead = (span: OtlpSpan): SessionHead =>
    readSessionHead(span, findConversation(span) ?? conversations.get(span.traceId));
  const heads = new Map<string, SessionHead>();
  for (const span of inOrder) {
    const head = readHead(span);
    heads.set(head.sourceId, mergeHeads(heads.get(head.sourceId), head));
  }
  for (const span of inOrder) {
    const own = readHead(span);
    for (const entry of readSpan(span)) yield { session: heads.get(own.sourceId) ?? own, entry };
  }
}

/** Of each label the newest value; of several agents the one that began. */
function mergeHeads(before: SessionHead | undefined, head: SessionHead): SessionHead {
  if (before === undefined) return head;
  const { agent = head.agent } = before;
  const labels = { ...before.labels, ...head.labels, ...(agent === undefined ? {} : { agent: agent.name }) };
  return { ...before, labels, ...(agent === undefined ? {} : { agent }) };
}
