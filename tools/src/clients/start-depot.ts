import { Server } from '@modelcontextprotocol/server';
import { listenMcp, type ListeningServer } from '../demo/start-tool-server.ts';

export interface Depot extends ListeningServer {
  /** Returns the number of times that a tool has run with this parcel. */
  countRuns(tool: string, parcel: string): number;
  forget(): void;
}

const TOOLS = ['look', 'wipe', 'ship'];
const inputSchema = {
  type: 'object' as const,
  properties: { parcel: { type: 'string' } },
  required: ['parcel'],
};

/** Starts a tool server that counts the calls that it has executed. */
export async function startDepot(): Promise<Depot> {
  const ran: string[] = [];
  const listening = await listenMcp(0, () => {
    const server = new Server({ name: 'depot', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: TOOLS.map((name) => ({ name, description: `Would ${name} a parcel.`, inputSchema })),
    }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }) => {
      ran.push(`${name} ${String(given?.['parcel'])}`);
      return { content: [{ type: 'text', text: `${name}: done` }] };
    });
    return server;
  });
  return {
    ...listening,
    countRuns: (tool, parcel) => ran.filter((each) => each === `${tool} ${parcel}`).length,
    forget: () => void ran.splice(0),
  };
}
