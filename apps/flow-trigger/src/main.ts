import { runApp } from '@steward/runtime';
import { buildApp } from './app.ts';

await runApp('flow-trigger', () => buildApp(process.env));
