import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../demo/api.ts';

/** Iteration of the load, recorded when all of its requests have received a response. */
export interface AnsweredTurn {
  readonly word: string;
  readonly sessionId: string;
  readonly executionId: string;
}

export interface BackupLoad {
  /** Iterations that have been completed so far. */
  readonly answered: readonly AnsweredTurn[];
  stop(): Promise<void>;
}

const WRITERS = 2;
/** Pause of a writer after each iteration: without it, hundreds of runs would wait that no test examines. */
const PAUSE_MS = 150;

/** Writes sessions, searches, ends sessions and triggers a flow, several times a second, until stopped. */
export function startBackupLoad(options: {
  readonly api: Api;
  readonly visitor: Api;
  readonly triggerPath: string;
}): BackupLoad {
  const { api, visitor, triggerPath } = options;
  const answered: AnsweredTurn[] = [];
  let stopped = false;
  let counter = 0;

  async function takeTurn(): Promise<AnsweredTurn> {
    counter += 1;
    const word = `backupword${counter}x`;
    const source = { session_source_type: 'load', session_source_id: word };
    const session = await api.call('POST', '/api/v1/runtime-sessions', { body: source });
    const path = `/api/v1/runtime-sessions/${String(session.body.id)}`;
    const content = { tool_name: 'grep', arguments: { pattern: word }, result: 'one line' };
    const accepted = [
      session,
      await api.call('POST', `${path}/tool-calls`, { body: content }),
      await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query: word } }),
      await api.call('POST', `${path}/end`, { body: {} }),
      await visitor.call('POST', triggerPath, { body: { subject: word } }),
    ];
    const refused = accepted.find(({ status }) => status >= 300);
    if (refused !== undefined) throw new Error(`the load got ${refused.status}: ${JSON.stringify(refused.body)}`);
    return { word, sessionId: String(session.body.id), executionId: String(accepted.at(-1)?.body.execution_id) };
  }

  const writers = Array.from({ length: WRITERS }, async () => {
    while (!stopped) {
      answered.push(await takeTurn());
      await delay(PAUSE_MS);
    }
  });
  return {
    answered,
    async stop() {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
