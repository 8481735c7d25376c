import { endsWithin } from '@steward/async';
import type { Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { Logger } from '@steward/process';
import {
  findCurrentSession,
  frameNotes,
  readRuntimeSession,
  isSessionOf,
  readAgentId,
  type HeldNotes,
  type NoteHandOver,
  type CallSession,
  type FindSession,
} from '@steward/sessions';
import type { CallPath } from '@steward/model-calls';
import type { ProviderResponse } from '../dial-models.ts';
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

type Dial = (edits: readonly BodyEdit[]) => Promise<ProviderResponse>;

/** Waiting notes for an agent at this turn. */
export interface TurnNotes {
  /** Calls the provider, with the notes if there are any and the call has a position for them. */
  dial(body: Buffer, first: ProviderResponse['model'], dial: Dial): Promise<ProviderResponse>;
  release(): Promise<void>;
}

export type TakeTurnNotes = (turn: Turn) => Promise<TurnNotes>;

const NONE: TurnNotes = {
  dial: (_body, _first, dial) => dial([]),
  release: () => Promise.resolve(),
};

/**
 * Maximum time that a call waits until the outcome of its notes is stored: an unreachable database must not delay it.
 */
const MOST_MS = 1000;

/** Refusals that an added block may cause, if a provider only accepts texts. */
const MAY_BE_OURS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Looks for notes during the look-up of the model. An error here must not fail the call: the notes keep waiting. */
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
  async function release(): Promise<void> {
    await endsWithin(held.release(), MOST_MS);
  }
  return {
    release,
    async dial(body, first, dial) {
      const edits = placeNotes(body, path, frameNotes(held.notes));
      if (edits === undefined) {
        await release();
        return dial([]);
      }
      let dialled: ProviderResponse;
      try {
        dialled = await dial(edits);
      } catch (error) {
        await release();
        throw error;
      }
      const { statusCode, body: answer } = dialled.answer;
      if (statusCode >= 200 && statusCode < 300) {
        const delivered = held.deliver('gateway', traceparent, () => deps.findSession(principal, session));
        // A client that has the response may check at once whether the note was delivered.
        await endsWithin(delivered, MOST_MS);
        return dialled;
      }
      await release();
      // Another model has taken over the call and its budget reservation: it is not restarted.
      if (!MAY_BE_OURS.has(statusCode) || dialled.model !== first) return dialled;
      // Passed on only if the call without notes is refused as well: a note must not fail the call.
      answer.resume();
      const again = await dial([]);
      return { ...again, attempts: dialled.attempts + again.attempts };
    },
  };
}
