import { runApp } from '@steward/process';
import { buildApp } from './app.ts';

await runApp('webhook-dispatcher', () => buildApp(process.env));
