import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createOwner, type Client } from '../client.ts';
import { drain, startLoad, type Counts, type Scenario } from './scenario.ts';

const WORKERS = 4;
const PAUSE_MS = 30;
const PATH = '/api/v1/runtime-sessions';

interface Stored {
  readonly word: string;
  readonly sessionId: string;
}

/**
 * Stores transcripts with unique words, and searches for each of them immediately, for earlier ones in between, and for
 * all at the end.
 */
export const searchScenario: Scenario = {
  name: 'search',
  apps: ['search-indexer', 'api-gateway', 'backfill-sweeper'],
  async start({ suite }) {
    const client = createClient(suite.url, await createOwner(suite.url));
    const stored: Stored[] = [];
    const wrong = { missed: 0, strange: 0, searches: 0 };
    const load = startLoad(WORKERS, async (_worker, { stopping, givingUp }) => {
      const one = await store(client, givingUp);
      if (one !== undefined) stored.push(one);
      for (const wanted of [one, stored[Math.floor(Math.random() * stored.length)]]) {
        const found = wanted && (await search(client, wanted, stopping));
        if (found === undefined) continue;
        wrong.searches += 1;
        if (found.isMissed) wrong.missed += 1;
        if (found.isStrange) wrong.strange += 1;
      }
      await delay(PAUSE_MS);
    });
    return {
      stop: () => load.stop(),
      count: () => countFound(client, stored, wrong),
    };
  },
};

/** Stores a transcript. Returns undefined if the service did not respond. */
async function store(client: Client, signal: AbortSignal): Promise<Stored | undefined> {
  const word = `w${randomUUID().replaceAll('-', '')}`;
  const session = { session_source_type: 'chaos', session_source_id: word };
  const opened = await client.callUntilAnswered('POST', PATH, session, signal);
  if (opened === undefined) return undefined;
  const sessionId = String(opened.body['id']);
  const messages = [
    { external_id: word, role: 'user', content: `What became of ${word}?`, occurred_at: new Date().toISOString() },
  ];
  const kept = await client.callUntilAnswered('POST', `${PATH}/${sessionId}/transcript`, { messages }, signal);
  return kept === undefined ? undefined : { word, sessionId };
}

interface Found {
  readonly isMissed: boolean;
  /** True if another session was found. */
  readonly isStrange: boolean;
}

async function search(client: Client, { word, sessionId }: Stored, signal: AbortSignal): Promise<Found | undefined> {
  const answer = await client.callUntilAnswered('POST', `${PATH}/search`, { query: word }, signal);
  if (answer === undefined) return undefined;
  const ids = (answer.body['results'] as readonly { readonly runtime_session_id: string }[]).map(
    ({ runtime_session_id: id }) => id,
  );
  return { isMissed: !ids.includes(sessionId), isStrange: ids.some((id) => id !== sessionId) };
}

async function countFound(
  client: Client,
  stored: readonly Stored[],
  wrong: { readonly missed: number; readonly strange: number; readonly searches: number },
): Promise<Counts> {
  const missing = new Set(stored);
  await drain(async () => {
    for (const one of missing) {
      const found = await search(client, one, AbortSignal.timeout(30_000));
      if (found?.isMissed === false) missing.delete(one);
    }
    return missing.size === 0;
  });
  return {
    done: stored.length,
    broken: {
      'stored words not found at the end': missing.size,
      'stored words missed by a search during the run': wrong.missed,
      'searches that found other sessions': wrong.strange,
      'answers with 500': client.countInternalErrors(),
    },
    noted: { searches: wrong.searches },
  };
}
