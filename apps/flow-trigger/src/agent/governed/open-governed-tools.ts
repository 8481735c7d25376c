import { Client, type Tool } from '@modelcontextprotocol/client';
import { retry } from '@steward/async';
import { CallTransport } from '@steward/mcp-client';
import { RunFailure } from '../../run/run-failure.ts';
import type { AgentTool } from '../tools/tool.ts';
import { callGovernedTool } from './call-governed-tool.ts';
import { matchesAllowed } from './match-allowed.ts';

/**
 * Tools at `/mcp/v1` that the flow names: those of the account's tool servers and trackers, and those of the service
 * itself. The account's policy decides on each call.
 */
export interface GovernedTools {
  readonly tools: readonly AgentTool[];
  /**
   * Entries of the flow's `allowed_tools` that match no offered tool, for example because the tool does not exist or
   * the policy denies it to this run.
   */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

export interface GovernedToolsPlace {
  /** Base URL of the API; undefined if there is none. */
  readonly apiUrl: string | undefined;
  /** Token of the run. */
  readonly token: string;
  readonly signal: AbortSignal;
}

const INFO = { name: 'steward-flow', version: '1' };
const CONNECT_MS = 15_000;
/** Delays before the retries; the API may be restarting. */
const DELAYS_MS = [1000, 3000, 10_000];
/** Characters that model APIs do not accept in the name of a function. */
const UNNAMEABLE = /[^A-Za-z0-9_-]/g;
const NONE: GovernedTools = { tools: [], missing: [], close: () => Promise.resolve() };

/**
 * Opens the tools that a flow names besides its workspace tools.
 * @param named exact names, or prefixes that end in `*`
 * @throws RunFailure `tool_error` if the tools cannot be listed
 */
export async function openGovernedTools(place: GovernedToolsPlace, named: readonly string[]): Promise<GovernedTools> {
  if (named.length === 0) return NONE;
  const { apiUrl, token, signal } = place;
  if (apiUrl === undefined) {
    const message = `The tools ${named.join(', ')} are not reachable: FLOW_AGENT_API_URL is not set to the address of the API.`;
    throw new RunFailure('tool_error', message);
  }
  const url = new URL('mcp/v1', `${apiUrl.replace(/\/+$/, '')}/`);
  const client = await retry(() => connect(url, token), { delaysMs: DELAYS_MS, mayRetry: () => !signal.aborted }).catch(
    fail,
  );
  try {
    const { tools } = await client.listTools(undefined, { signal }).catch(fail);
    const allowed = tools.filter((tool) => named.some((pattern) => matchesAllowed(pattern, tool)));
    return {
      tools: nameForModels(allowed).map(([name, tool]) => ({ ...describe(tool), name, ...buildCall(client, tool) })),
      missing: named.filter((pattern) => !tools.some((tool) => matchesAllowed(pattern, tool))),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function connect(url: URL, token: string): Promise<Client> {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${token}` }, redirect: 'error' as const };
  await client.connect(new CallTransport(url, { requestInit }), { timeout: CONNECT_MS });
  return client;
}

function fail(error: unknown): never {
  const { message } = error as Error;
  throw new RunFailure('tool_error', `The tools of the account could not be listed: ${message}`, { cause: error });
}

/** Gives each tool a unique name that model APIs accept. */
function nameForModels(tools: readonly Tool[]): [string, Tool][] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const plain = tool.name.replaceAll(UNNAMEABLE, '_');
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    taken.add(name);
    return [name, tool];
  });
}

function describe({ description = '', inputSchema }: Tool): Pick<AgentTool, 'description' | 'parameters'> {
  return { description, parameters: inputSchema };
}

function buildCall(client: Client, { name }: Tool): Pick<AgentTool, 'isRecorded' | 'run'> {
  return {
    isRecorded: true,
    run: (args, { signal, note }) => callGovernedTool(client, { name, arguments: args, signal, note }),
  };
}
