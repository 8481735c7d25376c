import { runApp } from '@steward/process';
import { buildApp } from './app.ts';

await runApp('search-indexer', () => buildApp(process.env));
