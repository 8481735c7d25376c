// The build creates this file (vite.config.ts); it is not stored in this project.
// eslint-disable-next-line @nx/enforce-module-boundaries
import transcriptUrl from 'virtual:demo-transcript';
import { request } from '../../api/request.ts';

/** Text that is certain to occur in the recorded session. */
export const DEMO_QUERY = '"quoted field is never closed"';

interface Line {
  readonly type: 'message' | 'tool_call' | 'interaction';
  readonly external_id?: string;
}

const SOURCE = { session_source_type: 'demo', session_source_id: 'csv-to-sql' } as const;

/**
 * Stores the shipped transcript as one session: all messages with one request, and each call with a separate request.
 * Calls `onProgress` after each of these requests. Lines that are already stored are not stored again.
 */
export async function loadDemo(onProgress: (stored: number, total: number) => void): Promise<void> {
  const text = await (await fetch(transcriptUrl)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  const session = await request<{ readonly id: string }>('POST', '/api/v1/runtime-sessions', {
    body: { ...SOURCE, title: 'Recorded session: a CSV to SQL tool' },
  });
  const path = `/api/v1/runtime-sessions/${session.id}`;
  const messages = parsed.filter(({ type }) => type === 'message').map(({ type: _type, ...message }) => message);
  await request<unknown>('POST', `${path}/transcript`, { body: { messages } });
  let stored = messages.length;
  onProgress(stored, parsed.length);
  for (const { type, ...body } of parsed) {
    if (type === 'message') continue;
    await request<unknown>('POST', `${path}/${type === 'tool_call' ? 'tool-calls' : 'interactions'}`, { body });
    stored += 1;
    onProgress(stored, parsed.length);
  }
}
