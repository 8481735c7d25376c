import type { ImportedMessage, SessionItem } from '../session-item.ts';
import { boundedId, placedId } from './entry-id.ts';
import type { ChatMessage } from './chat-message.ts';
import type { FinishedCall, OpenCalls } from './open-calls.ts';
import type { SessionNotes } from '../session-notes.ts';

export interface ChatFacts extends Omit<ImportedMessage, 'kind' | 'role' | 'content'> {
  readonly notes: SessionNotes;
}

/** The entries of one message: itself, the calls it answers, and what had to make room for the calls it makes. */
export function* toChatItems(
  message: ChatMessage,
  facts: ChatFacts,
  calls: OpenCalls<SessionNotes>,
): Generator<SessionItem, void, undefined> {
  const { notes, externalId, occurredAt, ...measured } = facts;
  const session = notes.head();
  if (message.content !== undefined) {
    const { role, content } = message;
    yield { session, entry: { kind: 'message', role, content, externalId, occurredAt, ...measured } };
  }
  for (const [index, { callId, isNamed = false, toolName, arguments: given }] of message.calls.entries()) {
    const id = boundedId(callId ?? `${externalId}:call${index}`);
    yield* calls.open(notes, id, { toolName, arguments: given, occurredAt }, isNamed).map(toItem);
  }
  for (const [index, { callId, result, status }] of message.results.entries()) {
    const finished =
      callId === undefined ? undefined : calls.finish(boundedId(callId), { result, ...(status && { status }) });
    if (finished !== undefined) yield toItem(finished);
    else {
      // Its call is not in this file: the words are kept all the same.
      const id = boundedId(`${callId ?? placedId(`${externalId}:${index}`, result)}:result`);
      yield { session, entry: { kind: 'message', role: 'tool', content: result, externalId: id, occurredAt } };
    }
  }
}

export function toItem({ owner, entry }: FinishedCall<SessionNotes>): SessionItem {
  return { session: owner.head(), entry };
}
