import { chmodSync } from 'node:fs';
import { AGENT_KINDS, KEY_VARIABLE, type Enrollable, type Wishes } from '../agents/agent-kinds.ts';
import { editJson, type JsonObject } from '../agents/edit-json.ts';
import {
  createEnrollment,
  findSilence,
  reportRestored,
  reportValidation,
  tryAsAgent,
} from '../agents/enrollment-api.ts';
import { keepsEnrollment } from '../agents/keeps-enrollment.ts';
import { findHookProblem } from '../agents/prove-hook.ts';
import { editToml } from '../agents/edit-toml.ts';
import {
  applyEdit,
  compareToRecord,
  findRecordPath,
  putBack,
  readConfigFile,
  readRecord,
  type ConfigFile,
} from '../agents/enrollment-record.ts';
import type { CliContext } from '../cli-context.ts';
import { requireCredentials } from '../config/find-credentials.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText } from '../output.ts';

export interface EnrollOptions {
  readonly model?: string;
  /** Id of the agent in the registry. */
  readonly agentId?: string;
  readonly dryRun?: boolean;
  /**
   * Path of the settings that users of the machine cannot change, in which only the hook is enrolled; true for the
   * machine's default file.
   */
  readonly managed?: true | string;
}

/** Runs `steward agents enroll`: adds the service to the configuration of an agent on this machine. */
export async function runAgentsEnroll(
  context: CliContext,
  agent: Enrollable,
  { model, agentId, dryRun = false, managed }: EnrollOptions,
): Promise<void> {
  if (managed !== undefined)
    return enrollManaged(context, agent, {
      isAlone: model === undefined && agentId === undefined,
      dryRun,
      where: managed,
    });
  const { env, output } = context;
  const { name, canRouteModels, findConfig, hint, trust } = AGENT_KINDS[agent];
  if (model !== undefined && !canRouteModels)
    throw refuse(`The gateway URL cannot be set in the configuration of ${name}. Omit --model.`);
  const recordPath = findRecordPath(env, agent);
  if (readRecord(recordPath) !== undefined)
    throw refuse(`${name} is already enrolled. Restore its configuration first: steward agents restore ${agent}`);
  const file = readConfigFile(findConfig(env));
  const wishes = { url: requireCredentials(context).url, model };
  const edited = editFile(file, AGENT_KINDS[agent].format, (config) => AGENT_KINDS[agent].enroll(config, wishes));
  if (edited === file.bytes?.toString('utf8')) return output.note(`${file.path} already contains all settings.`);
  if (dryRun) {
    output.note(`${file.path} would become:`);
    return output.line(cleanText(edited.trimEnd()));
  }
  if (agentId === undefined) applyEdit(recordPath, file, { edited, wishes });
  else await applyRecorded(context, { agent, agentId, recordPath, file, edited, wishes });
  output.line(`${name} is enrolled: ${file.path}`);
  if (trust !== undefined) output.note(trust);
  if (agentId !== undefined)
    output.note(
      `Next, log in as a user and validate the enrollment with the key of the agent: ${KEY_VARIABLE}=... steward agents validate ${agent}`,
    );
  output.note(
    `A key that is bound to the agent can use sessions, models and tools, but cannot change policies or settings.`,
  );
  output.note(`The agent reads its key from ${KEY_VARIABLE}. To undo: steward agents restore ${agent}`);
  if (hint !== undefined) output.note(hint);
}

/**
 * Enrolls the hook in managed settings: the calls of all users' agents on this machine are checked, and no user has to
 * trust the hook.
 */
function enrollManaged(
  { env, output }: CliContext,
  agent: Enrollable,
  { isAlone, dryRun, where }: { readonly isAlone: boolean; readonly dryRun: boolean; readonly where: true | string },
): void {
  const { name, format, managed } = AGENT_KINDS[agent];
  if (managed === undefined) throw refuse(`${name} has no managed settings that support hooks.`);
  if (!isAlone) throw refuse('Managed settings contain only the hook: omit --model and --agent-id.');
  const recordPath = findRecordPath(env, `${agent}-managed`);
  if (readRecord(recordPath) !== undefined)
    throw refuse(
      `${name} is already enrolled in managed settings. Restore the original settings first: steward agents restore ${agent} --managed`,
    );
  const file = readConfigFile(typeof where === 'string' ? where : managed.findConfig(process.platform));
  const edited = editFile(file, format, managed.enroll);
  if (edited === file.bytes?.toString('utf8')) return output.note(`${file.path} already contains the hook.`);
  if (dryRun) {
    output.note(`${file.path} would become:`);
    return output.line(cleanText(edited.trimEnd()));
  }
  applyEdit(recordPath, file, { edited });
  // The file is readable for everyone, because the agents of all users read it.
  if (file.bytes === undefined) chmodSync(file.path, 0o644);
  output.line(
    `${name} now asks Steward for permission before each tool call, for all users of this machine. Settings file: ${file.path}`,
  );
  output.note(
    `${name} needs "steward" on the PATH of each user and ${KEY_VARIABLE} in their environment. To undo: steward agents restore ${agent} --managed`,
  );
}

/** Updates the registry, then the file; corrects the registry if the file could not be written. */
async function applyRecorded(
  context: CliContext,
  edit: {
    readonly agent: Enrollable;
    readonly agentId: string;
    readonly recordPath: string;
    readonly file: ConfigFile;
    readonly edited: string;
    readonly wishes: Wishes;
  },
): Promise<void> {
  const { agent, agentId, recordPath, file, edited, wishes } = edit;
  const isRouted = wishes.model !== undefined;
  const { hasTools } = AGENT_KINDS[agent];
  const facts = { adapterKey: agent.replaceAll('-', '_'), isGatewayRouted: isRouted, isMcpRewritten: hasTools };
  const ref = await createEnrollment(context, agentId, facts);
  const enrollment = { ...ref, gateway_routed: isRouted, mcp_rewritten: hasTools };
  try {
    applyEdit(recordPath, file, { edited, enrollment, wishes });
  } catch (error) {
    await reportValidation(context, ref, { isOk: false, message: 'The configuration could not be written.' });
    throw error;
  }
}

/**
 * Runs `steward agents validate`: makes the agent's calls with its key, tests its hook, and reports the result to the
 * registry.
 */
export async function runAgentsValidate(context: CliContext, agent: Enrollable): Promise<void> {
  const { name, modelsPath, hasHook } = AGENT_KINDS[agent];
  const record = readRecord(findRecordPath(context.env, agent));
  if (record?.enrollment === undefined)
    throw refuse(
      `${name} was not enrolled on this machine as an agent of the registry. Run: steward agents enroll ${agent} --agent-id ID`,
    );
  const { agent_id: agentId, gateway_routed: isGatewayRouted, mcp_rewritten: isMcpRewritten } = record.enrollment;
  const problem = keepsEnrollment(agent, record)
    ? ((await tryAsAgent(context, agentId, { isGatewayRouted, isMcpRewritten, modelsPath })) ??
      (await findHookProblem(context, agent, record.path)) ??
      (agent === 'claude-code' ? await findSilence(context, agentId) : undefined))
    : 'The settings written by the enrollment have been changed since.';
  await reportValidation(context, record.enrollment, {
    isOk: problem === undefined,
    message: problem ?? (hasHook ? 'Calls reached the service, and the hook works.' : 'Calls reached the service.'),
  });
  if (problem !== undefined) throw refuse(`${name} is not ready: ${problem}`);
  const asks = hasHook ? ', and its hook asks for permission before tool calls' : '';
  context.output.line(`${name} is validated: its calls reach the service${asks}.`);
}

function editFile(
  { path, bytes }: ConfigFile,
  format: 'json' | 'toml',
  change: (config: JsonObject) => JsonObject,
): string {
  const edit = format === 'json' ? editJson : editToml;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return edit(bytes === undefined ? '' : text.decode(bytes), change);
  } catch (error) {
    // The parser's message would quote the file, which may contain a credential.
    const why = error instanceof TypeError ? `: ${error.message}` : '';
    throw refuse(`${path} cannot be changed safely${why}. Nothing was written.`);
  }
}

export interface RestoreOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** True for the managed settings of the agent. */
  readonly managed?: boolean;
}

/** Runs `steward agents restore`: restores the previous file byte for byte. */
export async function runAgentsRestore(
  context: CliContext,
  agent: Enrollable,
  { force = false, dryRun = false, managed = false }: RestoreOptions,
): Promise<void> {
  const { env, output } = context;
  const { name } = AGENT_KINDS[agent];
  const recordPath = findRecordPath(env, managed ? `${agent}-managed` : agent);
  const record = readRecord(recordPath);
  if (record === undefined) throw refuse(`${name} was not enrolled on this machine: there is no backup.`);
  if (compareToRecord(record) === 'changed' && !force)
    throw refuse(
      `${record.path} has been changed since the enrollment. --force restores the original and discards these changes.`,
    );
  if (dryRun) return output.line(`${record.path} would be restored.`);
  putBack(recordPath, record);
  output.line(`${name} is restored: ${record.path}`);
  if (record.enrollment === undefined) return;
  // Only the file is essential, so an unavailable service does not prevent the restore.
  await reportRestored(context, record.enrollment).catch((error: unknown) =>
    output.note(`The registry was not updated: ${error instanceof Error ? error.message : 'no response'}`),
  );
}
