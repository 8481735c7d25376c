import { parseArgs } from 'node:util';
import pg from 'pg';
import { maskUrl } from '@steward/process';
import { readSecret } from '../read-secret.ts';
import { readStackDatabaseUrl } from '../stack/stack-files.ts';
import { checkCache, checkIndexes, checkPendingLists, checkStatistics } from './corpus-checks.ts';
import type { Finding } from './finding.ts';
import { checkMemory, checkTransactions, checkVersions } from './server-checks.ts';

const HELP = `npm run doctor [-- options]

Checks a database for causes of slow search and prints how to fix them. Does not change anything.

  --strict   exit 1 if there is something to do
  --help     print this help

Checks DATABASE_URL (preferably as the owner of the tables; another role has less access), or, if it is not set,
the database of the stack that npm start runs.`;

/** Runs `npm run doctor`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { strict: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const url = readSecret(process.env, 'DATABASE_URL') ?? readStackDatabaseUrl();
  if (url === undefined) throw new Error('set DATABASE_URL, or start the stack with npm start');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'steward-doctor',
  });
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Error(`${maskUrl(url)} cannot be reached: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const found = await client.query("select to_regclass('search.chunk') is not null as present");
    if (found.rows[0]?.present !== true)
      throw new Error(`${maskUrl(url)} holds no search corpus; run npm run migrate first`);
    const findings: Finding[] = [];
    const checks = [
      checkVersions,
      checkMemory,
      checkTransactions,
      checkStatistics,
      checkPendingLists,
      checkIndexes,
      checkCache,
    ];
    for (const check of checks) findings.push(...(await check(client)));
    print(findings);
    if (values.strict === true && findings.some((finding) => finding.advice !== undefined)) process.exitCode = 1;
  } finally {
    await client.end();
  }
}

function print(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map((finding) => finding.topic.length));
  for (const { topic, found, advice } of findings) {
    console.log(`${advice === undefined ? 'ok  ' : 'TODO'}  ${topic.padEnd(width)}  ${found}`);
    if (advice !== undefined) console.log(`      ${' '.repeat(width)}  -> ${advice}`);
  }
  const todo = findings.filter((finding) => finding.advice !== undefined).length;
  console.log(todo === 0 ? '\nnothing to do' : `\n${todo} to do`);
}

try {
  await main();
} catch (error) {
  console.error(`npm run doctor: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
