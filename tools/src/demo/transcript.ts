import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import type { Api } from './api.ts';

interface MessageLine {
  readonly type: 'message';
  readonly external_id: string;
  readonly role: string;
  readonly content: string;
  readonly occurred_at: string;
}

interface ToolCallLine {
  readonly type: 'tool_call';
  readonly tool_name: string;
  readonly arguments: unknown;
  readonly result: unknown;
  readonly status: string;
  readonly occurred_at: string;
}

interface InteractionLine {
  readonly type: 'interaction';
  readonly model_alias: string;
  readonly provider_name: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly usage: unknown;
  readonly status: string;
  readonly occurred_at: string;
}

export type TranscriptLine = MessageLine | ToolCallLine | InteractionLine;

/** Reads the recorded session of a coding agent: see tools/demo/README.md. */
export function readTranscript(): TranscriptLine[] {
  const file = resolve(WORKSPACE_ROOT, 'tools/demo/transcript.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TranscriptLine);
}

/** Stores every line through the route of its kind. Returns the number of lines of each kind. */
export async function importTranscript(
  api: Api,
  sessionId: string,
  lines: readonly TranscriptLine[],
): Promise<{ messages: number; toolCalls: number; interactions: number }> {
  const path = `/api/v1/runtime-sessions/${sessionId}`;
  const messages = lines.filter((line) => line.type === 'message').map(({ type: _type, ...message }) => message);
  const imported = await api.call('POST', `${path}/transcript`, { body: { messages } });
  if (imported.status !== 201) throw new Error(`the transcript was refused: ${JSON.stringify(imported.body)}`);
  let toolCalls = 0;
  let interactions = 0;
  for (const line of lines) {
    if (line.type === 'message') continue;
    const { type, ...rest } = line;
    const { external_id: _id, ...body } = rest as Record<string, unknown>;
    const answer = await api.call('POST', `${path}/${type === 'tool_call' ? 'tool-calls' : 'interactions'}`, { body });
    if (answer.status !== 201) throw new Error(`a ${type} was refused: ${JSON.stringify(answer.body)}`);
    if (type === 'tool_call') toolCalls += 1;
    else interactions += 1;
  }
  return { messages: Number(imported.body.imported), toolCalls, interactions };
}
