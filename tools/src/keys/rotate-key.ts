import { parseArgs } from 'node:util';
import { secureDatabaseUrl } from '@steward/database';
import { resealAll, type ResealReport } from '@steward/migrations';
import { fileVariable, loadSettings, readDatabaseTls, setting, tlsSettings } from '@steward/process';
import { loadStackSecrets, readStackDatabaseUrl } from '../stack/stack-files.ts';

const HELP = `npm run rotate-key [-- options]

Encrypts every secret of the database that was encrypted with a previous SECRET_KEY again with the current one. Can run while apps
run; if interrupted, it continues where it stopped. Then it reports whether the previous key is still needed.

  --dry-run   counts, changes nothing
  --help      print this help

Reads SECRET_KEY, SECRET_KEY_PREVIOUS (the previous keys) and DATABASE_URL (as the owner of the tables), or the files
named by SECRET_KEY_FILE, ...; values that are not set are those of the stack that npm start runs. Every app needs both keys before
you run this; the order is described in docs/operate/keys.md.`;

const rotateSettings = {
  secretKey: setting.secret('SECRET_KEY', { minLength: 32, description: 'The current key.' }),
  previousSecretKeys: setting.secretList('SECRET_KEY_PREVIOUS', { minLength: 32, description: 'The earlier keys.' }),
  databaseUrl: setting.serverUrl('DATABASE_URL', {
    protocols: ['postgres', 'postgresql'],
    description: 'The database, as the owner of its tables.',
  }),
  ...tlsSettings.database,
} as const;

/** Runs `npm run rotate-key`. */
export async function runRotateKey(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const settings = loadSettings(rotateSettings, withStack(process.env));
  const { secretKey, previousSecretKeys } = settings;
  const databaseUrl = secureDatabaseUrl(settings.databaseUrl, readDatabaseTls(settings));
  const dryRun = values['dry-run'];
  const secretKeys = [secretKey, ...previousSecretKeys] as const;
  const reports = await resealAll({ databaseUrl, secretKeys, dryRun, log: (line) => console.log(line) });
  for (const report of reports) console.log(describeReport(report));
  const unopened = reports.flatMap((report) => report.unopened);
  const left = reports.reduce((sum, report) => sum + report.left, 0) - unopened.length;
  console.log(conclude({ dryRun, left, unopened: unopened.length, hasPrevious: previousSecretKeys.length > 0 }));
  if (unopened.length > 0) process.exitCode = 1;
}

/** Adds the database and the keys of the local stack if none have been given. */
function withStack(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isGiven = (variable: string): boolean =>
    environment[variable] !== undefined || environment[fileVariable(variable)] !== undefined;
  const databaseUrl = readStackDatabaseUrl();
  if (isGiven('DATABASE_URL') || databaseUrl === undefined) return environment;
  if (isGiven('SECRET_KEY')) return { ...environment, DATABASE_URL: databaseUrl };
  const { secretKey, previousSecretKeys = [] } = loadStackSecrets();
  return { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKeys.join(','), DATABASE_URL: databaseUrl };
}

function describeReport({ table, column, total, old, unopened }: ResealReport): string {
  const lost =
    unopened.length === 0
      ? ''
      : `, ${unopened.length} under a key that was not given (${unopened.slice(0, 5).join(', ')})`;
  return `${table}.${column}: ${total} sealed, ${old} of them under an earlier key${lost}`;
}

function conclude(facts: {
  readonly dryRun: boolean;
  readonly left: number;
  readonly unopened: number;
  readonly hasPrevious: boolean;
}): string {
  if (facts.unopened > 0) {
    return 'KEEP every earlier key, and add the one that is missing to SECRET_KEY_PREVIOUS: some secrets could not be decrypted.';
  }
  if (facts.left > 0) {
    return facts.dryRun
      ? 'KEEP the earlier key: run this without --dry-run first.'
      : 'Some secrets were changed in the meantime by an app that encrypts with the earlier key. Give every app the current key and run this again.';
  }
  if (!facts.hasPrevious) return 'Everything is encrypted with SECRET_KEY.';
  return 'Everything is encrypted with SECRET_KEY. SECRET_KEY_PREVIOUS may be dropped ACCESS_TOKEN_EXPIRE_MINUTES after every gateway has the new key; before that, access tokens of the earlier key have to be refreshed. After a leak, remove it now.';
}
