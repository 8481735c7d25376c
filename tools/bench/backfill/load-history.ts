import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { newId } from '@steward/crypto';
import { from as copyFrom } from 'pg-copy-streams';
import { connectClient } from '../../src/servers/connect-client.ts';
import { generateHistory, type HistoricSession } from './history.ts';

const SESSIONS_PER_WRITE = 200;
const SESSION_COLUMNS = `account_id, id, session_source_type, session_source_id, title, title_origin, started_at, last_activity_at,
  last_seen_at, created_at, updated_at`;
const CONTENT_COLUMNS = `account_id, id, runtime_session_id, kind, occurred_at, model_alias, provider_name, tool_name, content,
  content_captured, content_size_bytes, created_at`;

/** Stores an account's history as if indexing had been disabled: none of it is in the corpus, and that is recorded. */
export async function loadHistory(
  databaseUrl: string,
  account: { readonly id: string; readonly sessions: number; readonly seed: number },
): Promise<void> {
  const [sessions, content] = [await connectClient(databaseUrl), await connectClient(databaseUrl)];
  try {
    await sessions.query(`insert into gateway.account (id, name) values ($1, $2) on conflict do nothing`, [
      account.id,
      `history ${account.seed}`,
    ]);
    const into = {
      sessions: sessions.query(copyFrom(`copy gateway.runtime_session (${SESSION_COLUMNS}) from stdin`)),
      content: content.query(copyFrom(`copy gateway.session_content (${CONTENT_COLUMNS}) from stdin`)),
    };
    let lines: Lines = { sessions: [], content: [] };
    for (const session of generateHistory(account.sessions, account.seed)) {
      addLines(lines, account.id, session);
      if (lines.sessions.length < SESSIONS_PER_WRITE) continue;
      await send(into, lines);
      lines = { sessions: [], content: [] };
    }
    await send(into, lines);
    for (const stream of [into.sessions, into.content]) {
      stream.end();
      await once(stream, 'finish');
    }
    await sessions.query(
      `insert into gateway.unindexed_content (account_id, last_stored_at, latest_occurred_at)
       select $1, now() - interval '1 minute', max(last_activity_at) from gateway.runtime_session where account_id = $1`,
      [account.id],
    );
  } finally {
    await Promise.all([sessions.end(), content.end()]);
  }
}

interface Lines {
  readonly sessions: string[];
  readonly content: string[];
}

function addLines(lines: Lines, accountId: string, { title, startedAt, content }: HistoricSession): void {
  const id = newId();
  const start = startedAt.toISOString();
  const end = (content.at(-1)?.occurredAt ?? startedAt).toISOString();
  lines.sessions.push(`${[accountId, id, 'bench', id, title, 'client', start, end, end, start, end].join('\t')}\n`);
  for (const { kind, occurredAt, body } of content) {
    const json = JSON.stringify(body);
    const named = kind === 'tool_call' ? ['\\N', '\\N', 'shell'] : ['bench-model', 'bench-provider', '\\N'];
    const at = occurredAt.toISOString();
    const row = [accountId, newId(), id, kind, at, ...named, json.replaceAll('\\', '\\\\'), 't', json.length, at];
    lines.content.push(`${row.join('\t')}\n`);
  }
}

async function send(into: Readonly<Record<keyof Lines, Writable>>, lines: Lines): Promise<void> {
  for (const name of ['sessions', 'content'] as const)
    if (!into[name].write(lines[name].join(''))) await once(into[name], 'drain');
}
