import type { Kysely, Transaction } from 'kysely';
import type { HintSink, MessageName, MessagePayload } from '@steward/contracts';

/** A transaction of any slice's tables. Published operations take it; each types it by its own tables inside. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the builder's type is invariant in its tables
export type AnyTransaction = Transaction<any>;

/** The builder over the tables of any slice. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export type AnyDatabase = Kysely<any>;

/** The broker as seen by a committer: never throws, never blocks for long. */
export interface HintPublisher {
  publishHint<Name extends MessageName>(name: Name, payload: MessagePayload<Name>): void;
}

/** For a committer of many rows at once. */
export interface HintBatchPublisher {
  publishHints<Name extends MessageName>(name: Name, payloads: readonly MessagePayload<Name>[]): void;
}

/**
 * Runs `work` in one transaction and publishes the collected hints after the commit. A lost hint costs latency only:
 * the rows are the truth and each slice's reconciler finds them.
 */
export async function transact<T>(
  deps: { readonly db: AnyDatabase; readonly broker: HintPublisher },
  work: (trx: AnyTransaction, hints: HintSink) => Promise<T>,
): Promise<T> {
  const publications: (() => void)[] = [];
  const hints: HintSink = {
    add(name, payload) {
      publications.push(() => deps.broker.publishHint(name, payload));
    },
  };
  const result = await deps.db.transaction().execute((trx) => work(trx, hints));
  for (const publish of publications) publish();
  return result;
}
