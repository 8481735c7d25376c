import { countNoun } from '@steward/text';
import { createApiClient } from '../api/api-client.ts';
import { readAnswer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { EXIT } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';
import { failUnlessDone, readPolicyFile, type PolicyFile } from './policy-file.ts';

export const POLICIES_PATH = '/api/v1/policies';

interface JsonOption {
  readonly json?: boolean;
}

export interface PolicyApplyOptions extends JsonOption {
  readonly message?: string;
  readonly ifVersion?: number;
  readonly dryRun?: boolean;
}

interface Change {
  readonly kind: string;
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Runs `steward policy validate`: prints problems like a compiler. */
export async function runPolicyValidate(
  context: CliContext,
  path: string | undefined,
  { json = false }: JsonOption,
): Promise<void> {
  const file = await readPolicyFile(context, path);
  const { body } = await send(context, '/validate', file);
  const { output } = context;
  if (json) output.line(formatJson(body, 2));
  else file.print(output, body);
  if (body.valid !== true) return context.setExitCode(EXIT.failed);
  output.note('valid');
}

/** Runs `steward policy diff`. */
export async function runPolicyDiff(
  context: CliContext,
  path: string | undefined,
  { json = false }: JsonOption,
): Promise<void> {
  const file = await readPolicyFile(context, path);
  const { body } = await send(context, '/diff', file);
  if (json) context.output.line(formatJson(body, 2));
  else printChanges(context, body.changes as readonly Change[]);
}

/** Runs `steward policy apply`. */
export async function runPolicyApply(
  context: CliContext,
  path: string | undefined,
  { message, ifVersion, dryRun = false, json = false }: PolicyApplyOptions,
): Promise<void> {
  const file = await readPolicyFile(context, path);
  const query = new URLSearchParams({
    ...(dryRun ? { dry_run: '1' } : {}),
    ...(message === undefined ? {} : { message }),
  });
  const headers = ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` };
  const { body } = await send(context, `/apply?${query.toString()}`, file, headers);
  const { output } = context;
  if (json) return output.line(formatJson(body, 2));
  file.print(output, body);
  printChanges(context, body.changes as readonly Change[]);
  const version = String(body.version);
  if (dryRun) output.note(`version ${version} stays in force: this was a dry run`);
  else output.note(body.changed === true ? `version ${version} is in force` : `version ${version} is already in force`);
}

/** Runs `steward policy versions`. */
export async function runPolicyVersions(context: CliContext, options: PageOptions): Promise<void> {
  const query = new URLSearchParams(toPageQuery(options));
  const { body } = await createApiClient(context).call('GET', `${POLICIES_PATH}/versions?${query.toString()}`);
  const { output } = context;
  if (options.json === true) return output.line(formatJson(body, 2));
  const page = body as unknown as Page<Readonly<Record<string, unknown>>>;
  for (const version of page.items) {
    const { rolled_back_to: old, message } = version;
    const back = typeof old === 'number' ? `  (as version ${old})` : '';
    const words = typeof message === 'string' ? `  ${message}` : '';
    const rules = countNoun(Number(version.rules), 'rule');
    const line = `${String(version.version)}  ${formatMinute(String(version.created_at))}  ${rules}`;
    output.line(cleanText(`${line}${back}${words}`));
  }
  noteNextPage(context, page);
}

/** Runs `steward policy rollback`. */
export async function runPolicyRollback(
  context: CliContext,
  version: number,
  { message }: { readonly message?: string },
): Promise<void> {
  const path = `${POLICIES_PATH}/versions/${version}/rollback`;
  const { body } = await createApiClient(context).call('POST', path, {
    body: message === undefined ? {} : { message },
  });
  printChanges(context, body.changes as readonly Change[]);
  context.output.note(`version ${String(body.version)} is in force, with the content of version ${version}`);
}

async function send(
  context: CliContext,
  path: string,
  file: PolicyFile,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await createApiClient(context).send('POST', `${POLICIES_PATH}${path}`, {
    bytes: file.bytes,
    headers: { 'content-type': 'application/yaml', ...headers },
  });
  const answer = await readAnswer(response);
  failUnlessDone(context, answer, file);
  return answer;
}

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~', moved: '>' };

function printChanges({ output }: CliContext, changes: readonly Change[]): void {
  for (const { kind, path, before, after } of changes) {
    const detail = kind === 'changed' ? `: ${formatJson(before)} -> ${formatJson(after)}` : '';
    output.line(cleanText(`${SIGNS[kind] ?? '?'} ${path}${detail}`));
  }
  if (changes.length === 0) output.note('nothing changes');
}
