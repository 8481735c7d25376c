import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readStackDatabaseUrl } from '../stack/stack-files.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Runs `npm run backfill`: runs the sweeper manually; if no database is given, on the stack of npm start. */
const isNamed = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((variable) => (process.env[variable] ?? '') !== '');
const databaseUrl = isNamed ? undefined : readStackDatabaseUrl();
if (databaseUrl !== undefined) process.env.DATABASE_URL = databaseUrl;
await import(pathToFileURL(resolve(WORKSPACE_ROOT, 'apps/backfill-sweeper/src/by-hand/main.ts')).href);
