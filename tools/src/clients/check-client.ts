import type { Api } from '../demo/api.ts';
import { listBlocks } from '../e2e/documented-commands.ts';
import type { Client, Workplace } from './agents.ts';
import { checkDecisions, listDecidedSteps } from './check-decisions.ts';
import { checkInForce, checkWarningEnds } from './check-in-force.ts';
import { findBinary } from './install-clients.ts';
import { lastLine, tell, type Line } from './line.ts';
import { AGENT_TITLE, writePrompt } from './plan.ts';
import { preparePlace, runSteward, toEnvironment, type PlaceDeps } from './prepare-place.ts';
import {
  countFound,
  countOf,
  eventually,
  listSessions,
  readEntries,
  sumTokens,
  type Session,
} from './read-sessions.ts';
import { runProgram } from './run-program.ts';
import type { Depot } from './start-depot.ts';
import type { Reviewer } from './start-reviewer.ts';

export interface ClientDeps extends PlaceDeps {
  readonly depot: Depot;
  readonly reviewer: Reviewer;
}

/** Checks one running agent: its activity and the service's records of it, with one check per line. */
export async function checkClient(deps: ClientDeps, client: Client): Promise<readonly Line[]> {
  const { api, provider } = deps;
  const place = await preparePlace(deps, client);
  const inForce = await checkInForce(deps, client, place);
  const earlier = new Set((await listSessions(api)).map(({ id }) => id));
  const spent = provider.countOutput(place.model);
  const word = `heron${client.kind.replaceAll('_', '')}`;
  const asked = `Look after the ${word} please`;
  const steps = [
    ...listDecidedSteps(client),
    { tool: 'search_sessions', arguments: { query: 'nothing like this' } },
    { say: `the ${word} is fine` },
  ];
  const env = toEnvironment(client, place);
  const run = await runProgram([findBinary(client.binary), ...client.run(place, writePrompt(asked, steps))], {
    cwd: place.folder,
    env,
  });
  const listOwn = async () => (await listSessions(api, client.kind)).filter(({ id }) => !earlier.has(id));
  const session = await eventually(async () => (await listOwn())[0]);
  // Calls through the gateway are stored about one second later.
  await eventually(async () => countOf(await readEntries(api, session?.id), 'gateway_interaction') >= steps.length);
  const before = await readEntries(api, session?.id);
  const decisions = deps.reviewer.takeDecisions();
  const imported = await runSteward(place, ['sessions', 'import'], { env });
  const [titled, ...others] = await listOwn();
  const said = (await readEntries(api, session?.id)).filter(({ kind }) => kind !== 'gateway_interaction');
  const calls = await listServiceCalls(api);
  const exported = await checkExport(deps, client, { place, session, listOwn });
  const tokens = `${sumTokens(said)} of ${provider.countOutput(place.model) - spent}`;
  return [
    ...inForce,
    tell('runs and ends', run.code === 0, lastLine(run)),
    tell(
      'calls models through the gateway',
      countOf(before, 'gateway_interaction') >= steps.length,
      `${countOf(before, 'gateway_interaction')} calls of ${steps.length}: ${lastLine(run)}`,
    ),
    ...checkDecisions(client, { place, depot: deps.depot, decisions, told: JSON.stringify(before) }),
    await checkWarningEnds(deps, client, place),
    tell('calls a tool of the service through MCP', calls.length > 0, 'no call'),
    tell(
      'its tool call is stored once',
      client.namesToolCalls ? calls.length === 1 && calls[0] === session?.id : undefined,
      `in ${calls.join(', ')}`,
    ),
    tell(
      'its transcript is stored in its session',
      imported.code === 0 && said.length > 2 && others.length === 0,
      lastLine(imported),
    ),
    exported,
    tell('title', isTitled(client, titled?.title ?? '', asked), String(titled?.title)),
    tell('tokens', sumTokens(said) === provider.countOutput(place.model) - spent, tokens),
    tell('search', (await countFound(api, `"the ${word} is fine"`)) > 0, 'not found'),
  ];
}

const isTitled = ({ titlesItself }: Client, title: string, asked: string): boolean =>
  titlesItself === true ? title === AGENT_TITLE : title.startsWith(asked);

interface Exported {
  readonly place: Workplace;
  readonly session: Session | undefined;
  readonly listOwn: () => Promise<readonly Session[]>;
}

/**
 * Checks that importing the agent's own export, as described in docs/use/import.md, adds nothing to the earlier import.
 */
async function checkExport(
  { api, url }: ClientDeps,
  client: Client,
  { place, session, listOwn }: Exported,
): Promise<Line> {
  const check = 'its own export is stored once';
  if (client.exports !== true || session === undefined) return tell(check, undefined, 'it exports nothing');
  const countMessages = async () => countOf(await readEntries(api, session.id), 'message');
  const before = await countMessages();
  const block = listBlocks().find(
    ({ page, text }) => page === 'docs/use/import.md' && text.startsWith(`${client.binary} export`),
  );
  const send = `send() { curl -fsS -H "Authorization: Bearer $STEWARD_API_KEY" "$@"; }`;
  const line = block?.text.replaceAll('SESSION_ID', session.session_source_id) ?? 'exit 1';
  const env = { ...toEnvironment(client, place), STEWARD: url, JSON: 'content-type: application/json' };
  const script = `set -euo pipefail\n${send}\n${line}`;
  const run = await runProgram(['bash', '-c', script], { cwd: place.folder, env });
  const isOnce = (await countMessages()) === before && (await listOwn()).length === 1;
  return tell(
    check,
    run.code === 0 && isOnce,
    `${before} messages before, ${await countMessages()} after; ${lastLine(run)}`,
  );
}

/**
 * Returns the session of each tool call that the service recorded, in the format of the service or of the transcript.
 */
async function listServiceCalls(api: Api): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id } of await listSessions(api)) {
    const calls = (await readEntries(api, id)).filter(
      (entry) => entry.kind === 'tool_call' && (entry.tool_name ?? '').endsWith('search_sessions'),
    );
    found.push(...calls.map(() => id));
  }
  return found;
}
