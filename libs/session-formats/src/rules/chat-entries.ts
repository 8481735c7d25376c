import type { ImportedMessage, SessionItem, TokenCounts } from '../session-item.ts';
import { hasTokens } from './read-tokens.ts';
import { boundedId, placedId } from './entry-id.ts';
import type { ChatMessage } from './chat-message.ts';
import type { FinishedCall, OpenCalls } from './open-calls.ts';
import type { SessionNotes } from '../session-notes.ts';

export interface ChatFacts extends Omit<ImportedMessage, 'kind' | 'role' | 'content'> {
  readonly notes: SessionNotes;
}

/**
 * Yields the entries of one message: the message itself, the calls whose results it contains, results whose call is
 * unknown, and earlier calls without a result that had to be removed to make room for its new calls. The message itself
 * gets the token counts; if the message has no text, the first of its new calls gets them.
 */
export function* toChatItems(
  message: ChatMessage,
  facts: ChatFacts,
  calls: OpenCalls<SessionNotes>,
): Generator<SessionItem, void, undefined> {
  const { notes, externalId, formerId, occurredAt, revision, model, byProgram, status, ...tokens } = facts;
  const session = notes.head();
  const again = revision === undefined || revision === 0 ? {} : { revision };
  const former = formerId === undefined ? {} : { formerId };
  const { role } = message;
  const marks = { ...(byProgram && { byProgram }), ...(status !== undefined && { status }) };
  const isMeasured = message.calls.length === 0 && message.results.length === 0 && hasTokens(tokens);
  const content = message.content ?? (isMeasured ? '' : undefined);
  if (content !== undefined) {
    const said = { kind: 'message', role, content, externalId, occurredAt, model } as const;
    yield { session, entry: { ...said, ...marks, ...tokens, ...again, ...former } };
  }
  const measured = content === undefined ? tokens : {};
  yield* openCalls(message, { notes, externalId, occurredAt, again, measured }, calls);
  yield* finishCalls(message, { notes, externalId, occurredAt, again, measured }, calls);
}

interface CallFacts extends Pick<ChatFacts, 'notes' | 'externalId' | 'occurredAt'> {
  readonly again: { readonly revision?: number };
  readonly measured: TokenCounts;
}

function* openCalls(
  { calls: made }: ChatMessage,
  { notes, externalId, occurredAt, again, measured }: CallFacts,
  calls: OpenCalls<SessionNotes>,
): Generator<SessionItem, void, undefined> {
  for (const [index, { callId, isNamed = false, toolName, arguments: given }] of made.entries()) {
    const id = boundedId(callId ?? `${externalId}:call${index}`);
    const call = { toolName, arguments: given, occurredAt, ...(index === 0 ? measured : {}), ...again };
    yield* calls.open(notes, id, call, isNamed).map(toItem);
  }
}

function* finishCalls(
  { results }: ChatMessage,
  { notes, externalId, occurredAt, again }: CallFacts,
  calls: OpenCalls<SessionNotes>,
): Generator<SessionItem, void, undefined> {
  const session = notes.head();
  for (const [index, { callId, result, status }] of results.entries()) {
    const finished =
      callId === undefined ? undefined : calls.finish(boundedId(callId), { result, ...(status && { status }) });
    if (finished !== undefined) {
      yield toItem(finished);
      continue;
    }
    // The call is not in this file, but the text of its result is stored anyway.
    const id = boundedId(`${callId ?? placedId(`${externalId}:${index}`, result)}:result`);
    yield { session, entry: { kind: 'message', role: 'tool', content: result, externalId: id, occurredAt, ...again } };
  }
}

export function toItem({ owner, entry }: FinishedCall<SessionNotes>): SessionItem {
  return { session: owner.head(), entry };
}
