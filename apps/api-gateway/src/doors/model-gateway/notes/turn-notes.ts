import { endsWithin } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import { findCurrentSession, frameNotes, readRuntimeSession } from '@steward/slice-sessions';
import { isSessionOf, readAgentId } from '../../../notes/owns-session.ts';
import type { HeldNotes, NoteHandOver } from '../../../notes/note-hand-over.ts';
import type { CallPath } from '../call-path.ts';
import type { CallSession } from '../capture/call-session.ts';
import type { FindSession } from '../capture/session-finder.ts';
import type { Dialled } from '../dial-models.ts';
import type { BodyEdit } from '../read-call.ts';
import { placeNotes, takesNotes } from './place-notes.ts';

export interface TurnNotesDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly notes: Pick<NoteHandOver, 'hasAny' | 'take'>;
  readonly findSession: FindSession;
}

/** A call that may be a turn. */
export interface Turn {
  readonly path: CallPath;
  readonly principal: Principal;
  readonly session: CallSession;
  readonly traceparent: string;
}

type Dial = (edits: readonly BodyEdit[]) => Promise<Dialled>;

/** What waits for an agent at this turn, on its way. */
export interface TurnNotes {
  /** Asks the provider, with the notes where there are any and the call has a place for them. */
  dial(body: Buffer, first: Dialled['model'], dial: Dial): Promise<Dialled>;
  giveBack(): Promise<void>;
}

export type TakeTurnNotes = (turn: Turn) => Promise<TurnNotes>;

const NONE: TurnNotes = {
  dial: (_body, _first, dial) => dial([]),
  giveBack: () => Promise.resolve(),
};

/** How long a call may wait for it to be stored what became of its notes: a database that is away holds nobody up. */
const MOST_MS = 1000;

/** Refusals that a further block may be the reason of, where a provider takes texts alone. */
const MAY_BE_OURS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Looks for notes while the model of a call is looked up. What goes wrong here is worth no call: the notes wait. */
export function createTakeTurnNotes(deps: TurnNotesDeps): TakeTurnNotes {
  return async (turn) => {
    if (!takesNotes(turn.path)) return NONE;
    try {
      const held = await takeNotes(deps, turn);
      return held === undefined ? NONE : holdForTurn(deps, turn, held);
    } catch (error) {
      deps.logger.error('operator_notes.not_taken', { account_id: turn.principal.accountId, error });
      return NONE;
    }
  };
}

async function takeNotes(deps: TurnNotesDeps, { principal, session }: Turn): Promise<HeldNotes | undefined> {
  const { accountId, executionId } = principal;
  if (!(await deps.notes.hasAny(accountId))) return undefined;
  const found = await findOpenSession(deps.db, principal, session);
  const sessionId = found !== undefined && isSessionOf(found, principal) ? found.id : undefined;
  const agentId = readAgentId(principal);
  return deps.notes.take({ accountId, sessionId, agentId, executionId, takesAllSessions: false });
}

function findOpenSession(db: AnyDatabase, { accountId, apiKeyId }: Principal, session: CallSession) {
  if (session.kind === 'known') return readRuntimeSession(db, { accountId, sessionId: session.sessionId });
  const { sourceType: sessionSourceType, source } = session;
  return findCurrentSession(db, { accountId, sessionSourceType, source, apiKeyId });
}

function holdForTurn(deps: TurnNotesDeps, { path, principal, session, traceparent }: Turn, held: HeldNotes): TurnNotes {
  async function giveBack(): Promise<void> {
    await endsWithin(held.giveBack(), MOST_MS);
  }
  return {
    giveBack,
    async dial(body, first, dial) {
      const edits = placeNotes(body, path, frameNotes(held.notes));
      if (edits === undefined) {
        await giveBack();
        return dial([]);
      }
      let dialled: Dialled;
      try {
        dialled = await dial(edits);
      } catch (error) {
        await giveBack();
        throw error;
      }
      const { statusCode, body: answer } = dialled.answer;
      if (statusCode >= 200 && statusCode < 300) {
        const delivered = held.deliver('gateway', traceparent, () => deps.findSession(principal, session));
        // A client that has the answer may ask at once whether the note was delivered.
        await endsWithin(delivered, MOST_MS);
        return dialled;
      }
      await giveBack();
      // Another model has taken the call over, and its room in the budgets: it is not begun anew.
      if (!MAY_BE_OURS.has(statusCode) || dialled.model !== first) return dialled;
      // Passed on only if the call itself is refused: a word to an agent must not be what stops it.
      answer.resume();
      const again = await dial([]);
      return { ...again, attempts: dialled.attempts + again.attempts };
    },
  };
}
