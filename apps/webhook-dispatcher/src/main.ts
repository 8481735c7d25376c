import { runApp } from '@steward/runtime';
import { buildApp } from './app.ts';

await runApp('webhook-dispatcher', () => buildApp(process.env));
