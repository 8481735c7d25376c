import { runApp } from '@steward/process';
import { buildApp } from './app.ts';

await runApp('backfill-sweeper', () => buildApp(process.env));
