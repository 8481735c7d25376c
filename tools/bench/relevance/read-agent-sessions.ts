import { readFileSync } from 'node:fs';
import type { Collection, DocumentPart, JudgedDocument } from './collection.ts';

interface SessionLine {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly entries: readonly SessionEntry[];
}

interface SessionEntry {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly tool?: string;
  readonly text: string;
}

interface QueryLine {
  readonly class: string;
  readonly query: string;
  readonly relevant: Readonly<Record<string, number>>;
  readonly excluded?: readonly string[];
}

/** Reads our own collection: short sessions of agents in many professions, and queries by class. */
export function readAgentSessions(): Collection {
  return {
    name: 'agent sessions',
    documents: readLines<SessionLine>('sessions.ndjson').map(readSession),
    queries: readLines<QueryLine>('queries.ndjson').map((line) => ({
      text: line.query,
      queryClass: line.class,
      gains: new Map(Object.entries(line.relevant)),
      excluded: new Set(line.excluded),
    })),
  };
}

function readSession({ id, title, entries }: SessionLine): JudgedDocument {
  return { id, parts: [{ sourceKind: 'session_summary', role: null, text: title }, ...entries.map(readPart)] };
}

function readPart({ role, tool, text }: SessionEntry): DocumentPart {
  if (role !== 'tool') return { sourceKind: 'transcript_message', role, text };
  return { sourceKind: 'tool_call', role: null, text: `${tool ?? ''}\n${text}` };
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(`agent-sessions/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
