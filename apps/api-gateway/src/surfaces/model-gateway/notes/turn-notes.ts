import { endsWithin } from '@steward/async';
import { isFresh, type Principal } from '@steward/contracts';
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
import type { ProviderResponse } from '../call-providers.ts';
import type { BodyEdit } from '../read-call.ts';
import { placeNotes, takesNotes } from './place-notes.ts';

export interface TurnNotesDeps {
  readonly db: AnyDatabase;
  readonly logger: Logger;
  readonly notes: Pick<NoteHandOver, 'take'>;
  readonly findSession: FindSession;
}

/** A call that may be a turn. */
export interface Turn {
  readonly path: CallPath;
  readonly principal: Principal;
  readonly session: CallSession;
  readonly traceparent: string;
}

type CallProviders = (edits: readonly BodyEdit[]) => Promise<ProviderResponse>;

/** Pending notes for an agent at this model call. */
export interface TurnNotes {
  /** Calls the provider, with the notes if there are any and the call has a position for them. */
  callModel(body: Buffer, first: ProviderResponse['model'], callModel: CallProviders): Promise<ProviderResponse>;
  release(): Promise<void>;
}

export type TakeTurnNotes = (turn: Turn) => Promise<TurnNotes>;

const NONE: TurnNotes = {
  callModel: (_body, _first, callModel) => callModel([]),
  release: () => Promise.resolve(),
};

/**
 * Maximum time that a call waits until the outcome of its notes is stored: an unreachable database must not delay it.
 */
const MOST_MS = 1000;

/** Statuses of refusals that an added block may cause, for example if a provider only accepts strings. */
const MAY_BE_OURS: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Creates the function that takes the notes for a turn. The function runs while the model is looked up; an error in the
 * function must not fail the call: the notes remain pending.
 */
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
  const { accountId, executionId, revisions } = principal;
  if (isFresh(principal) && revisions?.hasNotes === false) return undefined;
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
    async callModel(body, first, callModel) {
      const edits = placeNotes(body, path, frameNotes(held.notes));
      if (edits === undefined) {
        await release();
        return callModel([]);
      }
      let called: ProviderResponse;
      try {
        called = await callModel(edits);
      } catch (error) {
        await release();
        throw error;
      }
      const { statusCode, body: answer } = called.answer;
      if (statusCode >= 200 && statusCode < 300) {
        const delivered = held.deliver('gateway', traceparent, () => deps.findSession(principal, session));
        // The delivery is stored before the response is sent, because the client may then check at once whether the
        // note was delivered.
        await endsWithin(delivered, MOST_MS);
        return called;
      }
      await release();
      // The call is not repeated without notes if another model has taken over the call and its budget reservation.
      if (!MAY_BE_OURS.has(statusCode) || called.model !== first) return called;
      // The refusal is passed on only if the call without notes is also refused: a note must not fail the call.
      answer.resume();
      const again = await callModel([]);
      return { ...again, attempts: called.attempts + again.attempts };
    },
  };
}
