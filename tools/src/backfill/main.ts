import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readStackDatabaseUrl } from '../stack/stack-files.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** `npm run backfill`: the sweeper's walk by hand, on the stack that npm start runs where no database is named. */
const isNamed = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((variable) => (process.env[variable] ?? '') !== '');
const databaseUrl = isNamed ? undefined : readStackDatabaseUrl();
if (databaseUrl !== undefined) process.env.DATABASE_URL = databaseUrl;
await import(pathToFileURL(resolve(WORKSPACE_ROOT, 'apps/backfill-sweeper/src/by-hand/main.ts')).href);
