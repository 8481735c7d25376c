import { randomUUID } from 'node:crypto';
import { createFreshReads, type Clock } from '@steward/async';
import { transact, type AnyDatabase, type HintPublisher, retryDatabase } from '@steward/database';
import type { Component, Logger } from '@steward/process';
import {
  CLAIM_SECONDS,
  claimNotes,
  extendNoteClaims,
  hasPendingNotes,
  releaseNotes,
  type NoteTaker,
} from './store/note-claim.store.ts';
import { deliverOperatorNotes } from './operations/deliver-operator-notes.ts';
import { type DeliveryChannel, type OperatorNote } from './operator-note.ts';
import { type SessionWriteOptions } from '../sessions/runtime-session.ts';

export interface NoteHandOverDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SessionWriteOptions;
}

/**
 * Claimed notes for an agent. No other process delivers the notes until `deliver` or `release` is called; only the
 * first of these calls has an effect. The promises of both resolve when the outcome is stored, or when storing it has
 * failed; they never reject.
 */
export interface HeldNotes {
  readonly notes: readonly OperatorNote[];
  /**
   * Stores that the agent has received the notes.
   * @param findSession - finds the session of the turn, if it has one
   */
  deliver(channel: DeliveryChannel, traceparent: string, findSession: () => Promise<string | null>): Promise<void>;
  /** Releases notes that the agent has not received, so that they are delivered at its next turn. */
  release(): Promise<void>;
}

export interface NoteHandOver extends Component {
  /** Returns whether there is a waiting note in the account. */
  hasAny(accountId: string): Promise<boolean>;
  /** Claims notes for the agent at a turn; returns undefined if there are none. */
  take(taker: NoteTaker): Promise<HeldNotes | undefined>;
}

/**
 * Interval of renewals in milliseconds, a third of the duration of a claim: a claim does not expire if one renewal
 * fails.
 */
const RENEW_MS = (CLAIM_SECONDS * 1000) / 3;

/**
 * Creates the service that delivers notes at the turns of agents, on any surface (SESS-32). A process has one instance
 * for all surfaces.
 */
export function createNoteHandOver(deps: NoteHandOverDeps): NoteHandOver {
  const { db, logger } = deps;
  const share = createFreshReads<boolean>();
  /**
   * Tokens of held notes, including those whose outcome is being stored: no other process delivers them in the
   * meantime.
   */
  const held = new Set<string>();
  const ending = new Map<string, Promise<void>>();
  let renewing: NodeJS.Timeout | undefined;

  function hold(token: string): void {
    held.add(token);
    // Claims are renewed, because a provider may take minutes to respond.
    renewing ??= setInterval(() => {
      extendNoteClaims(db, [...held]).catch((error: unknown) => logger.warn('operator_notes.not_renewed', { error }));
    }, RENEW_MS).unref();
  }

  function release(token: string): void {
    held.delete(token);
    ending.delete(token);
    if (held.size > 0) return;
    clearInterval(renewing);
    renewing = undefined;
  }

  function letGo(token: string, accountId: string, work: () => Promise<void>): Promise<void> {
    if (!held.has(token) || ending.has(token)) return Promise.resolve();
    // A retry stores nothing twice, because storing an outcome ends the claim.
    const ended = retryDatabase(work)
      // If an outcome is not stored in time, the claim expires: the note is then delivered again, and the agent can
      // recognize the repeated note by its id.
      .catch((error: unknown) => logger.error('operator_notes.not_settled', { account_id: accountId, error }))
      .finally(() => release(token));
    ending.set(token, ended);
    return ended;
  }

  return {
    name: 'operator notes',
    hasAny: (accountId) => share(accountId, () => hasPendingNotes(db, accountId)),
    async take(taker) {
      const token = randomUUID();
      const { accountId } = taker;
      const notes = await claimNotes(db, taker, token);
      if (notes.length === 0) return undefined;
      hold(token);
      return {
        notes,
        release: () => letGo(token, accountId, () => releaseNotes(db, { accountId, token })),
        deliver(channel, traceparent, findSession) {
          const now = deps.clock.now();
          return letGo(token, accountId, async () => {
            const sessionId = taker.sessionId ?? (await findSession()) ?? undefined;
            const delivery = { accountId, token, channel, sessionId, now };
            await transact({ ...deps, traceparent }, (trx, hints) =>
              deliverOperatorNotes(trx, hints, delivery, deps.options),
            );
          });
        },
      };
    },
    async stop() {
      while (ending.size > 0) await Promise.all(ending.values());
      clearInterval(renewing);
    },
  };
}
