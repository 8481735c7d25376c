import { runApp } from '@steward/runtime';
import { buildApp } from './app.ts';

await runApp('backfill-sweeper', () => buildApp(process.env));
