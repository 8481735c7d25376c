import { AGENT_KINDS, KEY_VARIABLE, type Enrollable } from '../agents/agent-kinds.ts';
import { editJson } from '../agents/edit-json.ts';
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
  readonly dryRun?: boolean;
}

/** `steward agents enroll`: the configuration of an agent of this machine asks the service from now on. */
export function runAgentsEnroll(
  context: CliContext,
  agent: Enrollable,
  { model, dryRun = false }: EnrollOptions,
): void {
  const { env, output } = context;
  const { name, canRouteModels, findConfig, hint } = AGENT_KINDS[agent];
  if (model !== undefined && !canRouteModels)
    throw refuse(`${name} cannot be told of another gateway in its configuration. Leave out --model.`);
  const recordPath = findRecordPath(env, agent);
  if (readRecord(recordPath) !== undefined)
    throw refuse(`${name} is enrolled. Put its configuration back first: steward agents restore ${agent}`);
  const file = readConfigFile(findConfig(env));
  const edited = editConfig(agent, file, { url: requireCredentials(context).url, model });
  if (edited === file.bytes?.toString('utf8')) return output.note(`${file.path} says all of it already.`);
  if (dryRun) {
    output.note(`${file.path} would be:`);
    return output.line(cleanText(edited.trimEnd()));
  }
  applyEdit(recordPath, file, edited);
  output.line(`${name} is enrolled: ${file.path}`);
  output.note(`It takes its key from ${KEY_VARIABLE}. Back to what it was: steward agents restore ${agent}`);
  if (hint !== undefined) output.note(hint);
}

function editConfig(
  agent: Enrollable,
  { path, bytes }: ConfigFile,
  wishes: { readonly url: string; readonly model: string | undefined },
): string {
  const { format, enroll } = AGENT_KINDS[agent];
  const edit = format === 'json' ? editJson : editToml;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return edit(bytes === undefined ? '' : text.decode(bytes), (config) => enroll(config, wishes));
  } catch (error) {
    // The parser's message would quote the file, and with it a credential.
    const why = error instanceof TypeError ? `: ${error.message}` : '';
    throw refuse(`${path} cannot be changed safely${why}. Nothing was written.`);
  }
}

export interface RestoreOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `steward agents restore`: byte for byte what it was before. */
export function runAgentsRestore(
  { env, output }: CliContext,
  agent: Enrollable,
  { force = false, dryRun = false }: RestoreOptions,
): void {
  const { name } = AGENT_KINDS[agent];
  const recordPath = findRecordPath(env, agent);
  const record = readRecord(recordPath);
  if (record === undefined) throw refuse(`${name} was not enrolled from here: there is no backup.`);
  if (compareToRecord(record) === 'changed' && !force)
    throw refuse(
      `${record.path} was changed since. --force puts back what it was before, and what was changed since is lost.`,
    );
  if (dryRun) return output.line(`${record.path} would be put back.`);
  putBack(recordPath, record);
  output.line(`${name} is as it was: ${record.path}`);
}
