import { homedir, hostname, userInfo } from 'node:os';
import { buildReport, shorten } from '../agents/build-report.ts';
import { findAgents } from '../agents/find-agents.ts';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';

const PATH = '/api/v1/agents';
/** Number of retries. The request is safe to repeat: for known agents only the time changes. */
const RETRIES = 4;

/** Runs `steward agents discover`: prints the report, and sends it only if requested. */
export async function runAgentsDiscover(
  context: CliContext,
  { report = false }: { readonly report?: boolean },
): Promise<void> {
  const { env, output } = context;
  const found = findAgents(env);
  const home = env['HOME'] ?? homedir();
  for (const { name, version, configPath } of found)
    output.note(cleanText(`found: ${name} ${version ?? ''} (${shorten(configPath, home)})`));
  if (found.length === 0) return output.note('No agent is set up on this machine; nothing is sent.');
  const client = createApiClient(context);
  const workstation = { hostName: hostname(), userName: userInfo().username, home, platform: process.platform };
  const body = buildReport(found, workstation, readSalt((await client.call('GET', `${PATH}/discovery-salt`)).body));
  output.line(formatJson(body, 2));
  if (!report) return output.note('Nothing was sent. --report sends the data printed above, and nothing else.');
  const answer = (await client.call('POST', `${PATH}/discovery-reports`, { body, retries: RETRIES })).body;
  output.note(`agents sent: ${Number(answer['created'])} new, ${Number(answer['updated'])} known`);
}

/**
 * Returns the salt of the account. Hashes without a salt or with a short salt would be the same everywhere; in this
 * case nothing is hashed.
 */
function readSalt({ salt }: { readonly salt?: unknown }): string {
  if (typeof salt === 'string' && /^[0-9a-f]{64}$/.test(salt)) return salt;
  throw new CliError(EXIT.refused, 'The service returned no usable salt. Nothing was sent.');
}
