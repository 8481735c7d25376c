import { Type } from '@sinclair/typebox';
import {
  decodeCursor,
  defineRoute,
  encodeCursor,
  nullable,
  pageOf,
  PlainPageQuery,
  readLimit,
  toPage,
  type Route,
} from '@steward/http';
import type { WorkspaceTool } from '@steward/flows';
import { listToolChoices, type ToolChoice, exposeName } from '@steward/tool-servers';
import { listAllTrackers, listTrackerTools, offerTrackerTool, TRACKER_SERVER, TRACKER_TOOLS } from '@steward/trackers';
import type { FlowDeps } from '../flow-deps.ts';

const ToolAnswer = Type.Object({
  name: Type.String({ description: 'Name of the tool in `allowed_tools` of a flow.' }),
  source: Type.Unsafe<'workspace' | 'service' | 'tracker' | 'server'>({
    type: 'string',
    enum: ['workspace', 'service', 'tracker', 'server'],
    description: 'Origin of the tool: the built-in agent, this service, a tracker of the account, or a tool server.',
  }),
  server: nullable(
    Type.String(),
    'Name by which policies refer to the tool server, or "tracker"; null for other tools.',
  ),
  tool: Type.String({ description: 'Name of the tool in policies and on its server.' }),
  description: nullable(
    Type.String(),
    'Description of the tool; for a tool of a tool server, the beginning of the description that the server provides.',
  ),
  changed: Type.Boolean({ description: 'Whether the definition of the tool changed since it was accepted.' }),
});

interface Choice extends ToolChoice {
  readonly source: 'workspace' | 'service' | 'tracker' | 'server';
}

const IN_WORKSPACE: Readonly<Record<WorkspaceTool, string>> = {
  read_file: 'Reads a file of the workspace.',
  write_file: 'Writes a file into the workspace.',
  list_files: 'Lists files of the workspace.',
  run_shell: 'Runs a command in the workspace.',
};
const OF_SERVICE = {
  ask_operator: 'Asks a person, who sees the question as an approval request.',
  search_sessions: 'Searches the content of sessions.',
};

/** Server name of tools without a server; it sorts before the names of all servers. */
const NO_SERVER = '';

const describeOwn = (source: 'workspace' | 'service', tools: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(tools).map(([name, description]) => ({
    server: NO_SERVER,
    name,
    source,
    description,
    isChanged: false,
  }));
const OWN_TOOLS = [...describeOwn('workspace', IN_WORKSPACE), ...describeOwn('service', OF_SERVICE)];

/** Lists the tools of the built-in agent and of this service, and those for the account's trackers. */
async function listOwnTools(db: FlowDeps['db'], accountId: string): Promise<Choice[]> {
  const names = listTrackerTools(await listAllTrackers(db, accountId));
  const ofTrackers = names.map((name) => ({
    server: NO_SERVER,
    name: offerTrackerTool(name),
    source: 'tracker' as const,
    description: TRACKER_TOOLS[name],
    isChanged: false,
  }));
  return [...OWN_TOOLS, ...ofTrackers];
}

export function createListFlowToolsRoute({ db }: Pick<FlowDeps, 'db'>): Route {
  return defineRoute({
    operationId: 'listFlowTools',
    method: 'get',
    path: '/api/v1/flows/tools',
    permissions: ['view_flows'],
    summary:
      'List the tools that a flow may allow its agent: first the tools of the built-in agent, of this service and for trackers, then those of tool servers, sorted by server and tool name.',
    description: 'The policy decides which of these tools an agent may call.',
    query: PlainPageQuery,
    responses: { 200: { description: 'A page of tools.', name: 'ToolChoice', schema: pageOf(ToolAnswer) } },
    handler: async ({ query, principal: { accountId } }) => {
      const limit = readLimit(query);
      const cursor = decodeCursor(query.cursor);
      const after = cursor === undefined ? undefined : { server: cursor.sortKey, name: cursor.id };
      const first = listOwnBehind(await listOwnTools(db, accountId), after);
      const rest = await listToolChoices(db, {
        accountId,
        after: after?.server === NO_SERVER ? undefined : after,
        limit,
      });
      const choices = [...first, ...rest.map((choice) => ({ ...choice, source: 'server' as const }))];
      const body = toPage(choices.slice(0, limit + 1), limit, {
        item: presentChoice,
        cursor: ({ server, name }) => encodeCursor(server, name),
      });
      return { status: 200, body };
    },
  });
}

/**
 * Returns those tools without a server that come after a cursor. If the cursor contains an unknown name, the list
 * starts at the first tool.
 */
function listOwnBehind(own: Choice[], after: Pick<Choice, 'server' | 'name'> | undefined): Choice[] {
  if (after === undefined) return own;
  if (after.server !== NO_SERVER) return [];
  return own.slice(own.findIndex(({ name }) => name === after.name) + 1);
}

function presentChoice({ server, name, source, description, isChanged }: Choice) {
  const isOfServer = source === 'server';
  return {
    name: isOfServer ? exposeName(server, name) : name,
    source,
    server: isOfServer ? server : source === 'tracker' ? TRACKER_SERVER : null,
    tool: source === 'tracker' ? name.slice(offerTrackerTool('').length) : name,
    description,
    changed: isChanged,
  };
}
