import { runApp } from '@steward/runtime';
import { buildApp } from './app.ts';

await runApp('api-gateway', () => buildApp(process.env));
