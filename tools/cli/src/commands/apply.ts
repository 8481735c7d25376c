import { appendFileSync, chmodSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countNoun } from '@steward/text';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import { exportDocuments } from '../apply/export-documents.ts';
import { KINDS, type KindName } from '../apply/kinds.ts';
import { makePlan, type Plan } from '../apply/plan.ts';
import { printPlan } from '../apply/print-plan.ts';
import { readDocuments, type Document } from '../apply/read-documents.ts';
import { runPlan } from '../apply/run-plan.ts';
import { readState, STATE_FILE, writeState, type State } from '../apply/state-file.ts';
import { holdState } from '../apply/state-lock.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { cleanText } from '../output.ts';
import { ask } from '../read-input.ts';

export interface ApplyOptions {
  readonly file: readonly string[];
  readonly state?: string;
  readonly plan?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly secretsFile?: string;
  readonly json?: boolean;
}

/** Exit code of a plan with changes, as in `terraform plan -detailed-exitcode`. */
const CHANGES = 2;

/** Runs `steward apply`; with `plan` it prints the changes without making them. */
export function runApply(context: CliContext, options: ApplyOptions): Promise<void> {
  return failAsOne(async () => {
    const documents = await readDocuments(options.file);
    const path = options.state ?? join(findFolder(options.file[0] ?? '.'), STATE_FILE);
    const run = (): Promise<void> => planAndApply(context, { options, documents, path });
    await (options.plan === true ? run() : holdState(path, run));
  });
}

interface Applied {
  readonly options: ApplyOptions;
  readonly documents: readonly Document[];
  readonly path: string;
}

async function planAndApply(context: CliContext, { options, documents, path }: Applied): Promise<void> {
  const client = createApiClient(context);
  const { body: me } = await client.call('GET', '/api/v1/users/me');
  const state = readState(path, String(me.account_id));
  const plan = await makePlan(context, client, { documents, state, prunes: options.prune === true });
  const changes = plan.steps.filter(({ action }) => action !== 'none').length;
  printPlan({ output: context.output, plan, json: options.json === true });
  if (options.plan === true) return context.setExitCode(changes > 0 ? CHANGES : EXIT.succeeded);
  await confirmDeletions(context, plan, options);
  await apply({ context, client, options, plan, state, path });
}

interface Applying {
  readonly context: CliContext;
  readonly client: ApiClient;
  readonly options: ApplyOptions;
  readonly plan: Plan;
  readonly state: State;
  readonly path: string;
}

async function apply({ context, client, options, plan, state, path }: Applying): Promise<void> {
  const { output } = context;
  if (options.secretsFile !== undefined) appendSecret(options.secretsFile, '');
  const unshown: string[] = [];
  await runPlan(state, {
    client,
    plan,
    save: (next) => writeState(path, next),
    onDone: ({ action, key }) => output.note(cleanText(`${key}: ${DONE[action]}`)),
    onSecret(key, secret) {
      output.keepSecret(secret);
      if (options.secretsFile === undefined) unshown.push(key);
      else appendSecret(options.secretsFile, `${JSON.stringify({ key, secret })}\n`);
    },
  });
  if (unshown.length > 0)
    output.note(
      cleanText(
        `the webhook secrets of ${unshown.join(', ')} are not shown; --secrets-file would have written them to a file. Rotate them to get new ones`,
      ),
    );
}

/**
 * Appends a secret to a file that is readable only by its owner. This is tried before anything is created, because the
 * service shows a secret only once.
 */
function appendSecret(path: string, line: string): void {
  try {
    appendFileSync(path, line, { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch (error) {
    throw refuse(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
  }
}

const DONE = { create: 'created', update: 'changed', replace: 'replaced', delete: 'deleted', none: '' } as const;

async function confirmDeletions(context: CliContext, plan: Plan, { yes }: ApplyOptions): Promise<void> {
  const deleted = plan.steps.filter(({ action }) => action === 'delete' || action === 'replace').map(({ key }) => key);
  if (deleted.length === 0 || yes === true) return;
  const question = `Delete ${deleted.join(', ')}? Type yes: `;
  if (context.stdin.isTTY !== true)
    throw refuse(`${countNoun(deleted.length, 'object')} would be deleted: confirm with --yes.`);
  if ((await ask(context, question)) !== 'yes') throw refuse('Nothing was changed.');
}

/** Returns the folder of the files, in which the state file is stored. */
function findFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

export interface ExportOptions {
  readonly kind?: readonly KindName[];
}

/** Runs `steward export`. */
export function runExport(context: CliContext, { kind = KINDS }: ExportOptions): Promise<void> {
  return failAsOne(async () => {
    const { stringify } = await import('yaml');
    const documents = await exportDocuments(createApiClient(context), kind);
    context.output.line(
      documents
        .map((document) => stringify(document))
        .join('---\n')
        .trimEnd(),
    );
  });
}

/** Makes errors end with exit code 1, so that pipelines can distinguish them from changes (2). */
async function failAsOne(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CliError) throw new CliError(EXIT.failed, error.message, { cause: error });
    throw error;
  }
}
