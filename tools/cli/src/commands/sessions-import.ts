import { countNoun } from '@steward/text';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { findSessionFiles } from '../import/find-session-files.ts';
import { createFileImporter, describeHidden, watchFiles, type ImportTotals } from '../import/import-files.ts';
import { createOpenCodeFinder } from '../import/opencode-sessions.ts';
import { packSessionFile } from '../import/pack-session-file.ts';
import { findSentPath, openSentFiles } from '../import/sent-files.ts';
import { cleanText } from '../output.ts';

export interface SessionsImportOptions {
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly label?: readonly string[];
}

/**
 * Runs `steward sessions import`: imports the sessions that agents store on this machine, without credentials, each
 * file once.
 */
export async function runSessionsImport(
  context: CliContext,
  paths: readonly string[],
  { watch = false, dryRun = false, label: labels = [] }: SessionsImportOptions,
): Promise<void> {
  const findOpenCode = createOpenCodeFinder(context.output.note);
  const find = () => findSessionFiles(paths, { env: context.env, findOpenCode });
  for (const label of labels)
    if (!/^[^:]+:.+$/.test(label)) throw refuse(`--label must have the form key:value, not ${label}`);
  if (dryRun) return showFiles(context, find());
  const client = createApiClient(context);
  const { body: me } = await client.call('GET', '/api/v1/users/me');
  const sent = openSentFiles(findSentPath(context.env, client.url, String(me['account_id'])));
  try {
    const importer = createFileImporter({ context, client, sent, labels, find });
    const totals = await importer.runRound().catch((error: unknown) => {
      if (watch && error instanceof CliError && error.exitCode === EXIT.timedOut) context.output.note(error.message);
      else throw error;
      return undefined;
    });
    if (totals !== undefined) context.output.note(describeTotals(totals));
    if (totals !== undefined && totals.failed > 0 && !watch) context.setExitCode(EXIT.refused);
    if (!watch) return;
    context.output.note('watching; stop with Ctrl-C');
    await watchFiles(importer, context);
  } finally {
    sent.close();
  }
}

async function showFiles({ output }: CliContext, files: ReturnType<typeof findSessionFiles>): Promise<void> {
  let count = 0;
  for await (const file of files) {
    const packed = await packSessionFile(file);
    output.line(`${cleanText(file.path)}: ${countNoun(packed.records, 'record')}${describeHidden(packed)}`);
    count += 1;
  }
  output.note(`${countNoun(count, 'file')}; nothing was sent`);
}

function describeTotals({ files, unchanged, sessions, entries, hidden, failed }: ImportTotals): string {
  const refused = failed === 0 ? '' : `, ${failed} refused or unreadable`;
  const found = [
    countNoun(sessions, 'session'),
    countNoun(entries, 'new entry', 'new entries'),
    `${countNoun(hidden, 'credential')} hidden`,
  ];
  return `${countNoun(files, 'file')}, ${unchanged} unchanged${refused}; ${found.join(', ')}`;
}
