import type { Kysely, Transaction } from 'kysely';
import type { HintSink, MessageName, MessagePayload } from '@steward/contracts';
import { messageHop } from '@steward/telemetry';

/**
 * A transaction without table types, for the tables of any context. The public operations of contexts accept it; each
 * casts it to the type of its own tables.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the builder's type is invariant in its tables
export type AnyTransaction = Transaction<any>;

/** The query builder without table types, for the tables of any context. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export type AnyDatabase = Kysely<any>;

/** The broker's interface for code that commits transactions: it never throws and never blocks for long. */
export interface HintPublisher {
  publishHint<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
}

/** Interface of the broker for code that commits many rows in one transaction. */
export interface HintBatchPublisher {
  publishHints<Name extends MessageName>(name: Name, payloads: readonly MessagePayload<Name>[]): void;
}

export interface Committer {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher & Partial<HintBatchPublisher>;
  /**
   * Trace context of the request or background work that started the transaction; the rows and messages of `work`
   * continue this trace, except for messages to which `within` gives another one.
   */
  readonly traceparent: string;
}

/**
 * Runs `work` in one transaction and publishes the collected hints after the commit. A lost hint only increases
 * latency: the rows are authoritative, and the reconciler of each context finds them.
 */
export function transact<T>(deps: Committer, work: (trx: AnyTransaction, hints: HintSink) => Promise<T>): Promise<T>;
/** Runs `work` in one transaction. No trace context is needed, since `work` publishes no hints. */
export function transact<T>(
  deps: Pick<Committer, 'db'> & Partial<Committer>,
  work: (trx: AnyTransaction) => Promise<T>,
): Promise<T>;
export async function transact<T>(
  { db, broker, traceparent = '' }: Pick<Committer, 'db'> & Partial<Committer>,
  work: (trx: AnyTransaction, hints: HintSink) => Promise<T>,
): Promise<T> {
  const added: Hint[] = [];
  const createSink = (trace: string): HintSink => ({
    traceparent: trace,
    add: (name, payload) => void added.push({ name, payload, trace }),
    within: (other) => createSink(other ?? trace),
  });
  const result = await db.transaction().execute((trx) => work(trx, createSink(traceparent)));
  if (broker !== undefined) publishAll(broker, added);
  return result;
}

interface Hint {
  readonly name: MessageName;
  readonly payload: object;
  readonly trace: string;
}

/**
 * Publishes hints in order. Consecutive hints of one kind are sent together, so that the broker acknowledges them once.
 */
function publishAll(broker: Committer['broker'], hints: readonly Hint[]): void {
  for (let start = 0; start < hints.length;) {
    const name = hints[start]?.name;
    let end = start + 1;
    while (hints[end]?.name === name) end += 1;
    const payloads = hints
      .slice(start, end)
      .map(({ payload, trace }) => ({ ...payload, traceparent: messageHop(trace, name as string) }));
    publishTogether(broker, name as MessageName, payloads as MessagePayload<MessageName>[]);
    start = end;
  }
}

function publishTogether<Name extends MessageName>(
  broker: Committer['broker'],
  name: Name,
  payloads: readonly MessagePayload<Name>[],
): void {
  if (broker.publishHints !== undefined && payloads.length > 1) broker.publishHints(name, payloads);
  else for (const payload of payloads) broker.publishHint(name, payload);
}
