import { runApp } from '@steward/runtime';
import { buildApp } from './app.ts';

await runApp('search-indexer', () => buildApp(process.env));
