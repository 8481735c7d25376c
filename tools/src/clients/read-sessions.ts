import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../demo/api.ts';

export interface Entry {
  readonly kind: string;
  readonly tool_name: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly content: unknown;
}

export interface Session {
  readonly id: string;
  readonly session_source_type: string;
  readonly session_source_id: string;
  readonly title: string | null;
}

const TRY_EVERY_MS = 250;
const MOST_TRIES = 40;

/** Waits a few seconds for a value to become available. Returns the last value that was read. */
export async function eventually<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    const value = await read();
    if (tries >= MOST_TRIES || (value !== undefined && value !== false)) return value;
    await delay(TRY_EVERY_MS);
  }
}

export async function listSessions(api: Api, kind?: string): Promise<readonly Session[]> {
  const { body } = await api.call('GET', '/api/v1/runtime-sessions?limit=200');
  const items = (body.items ?? []) as unknown as Session[];
  return items.filter((session) => kind === undefined || session.session_source_type === kind);
}

export async function readEntries(api: Api, sessionId: string | undefined): Promise<readonly Entry[]> {
  if (sessionId === undefined) return [];
  const { body } = await api.call('GET', `/api/v1/runtime-sessions/${sessionId}/timeline?limit=200`);
  return (body.items ?? []) as unknown as Entry[];
}

export async function countFound(api: Api, query: string): Promise<number> {
  const { body } = await api.call('POST', '/api/v1/runtime-sessions/search', { body: { query } });
  return ((body.results ?? []) as unknown[]).length;
}

export const countOf = (entries: readonly Entry[], kind: string): number =>
  entries.filter((entry) => entry.kind === kind).length;
export const sumTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.output_tokens ?? 0), 0);
