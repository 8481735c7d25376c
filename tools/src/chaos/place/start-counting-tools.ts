import { setTimeout as delay } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/server';
import { listenMcp } from '../../demo/start-tool-server.ts';

/** A tool server that counts how often each job was done. */
export interface CountingTools {
  readonly url: string;
  count(job: string): number;
  close(): Promise<void>;
}

export const TOOL_NAME = 'work';
/** Long enough for a fault to occur during a call. */
const LONGEST_MS = 200;

export async function startCountingTools(): Promise<CountingTools> {
  const counts = new Map<string, number>();
  const listening = await listenMcp(0, () => {
    const server = new Server({ name: 'chaos', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: TOOL_NAME, description: 'Does a job.', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const job = String(params.arguments?.['job']);
      counts.set(job, (counts.get(job) ?? 0) + 1);
      await delay(Math.random() * LONGEST_MS);
      return { content: [{ type: 'text', text: `${job}: done` }] };
    });
    return server;
  });
  return { url: listening.url, count: (job) => counts.get(job) ?? 0, close: () => listening.close() };
}
