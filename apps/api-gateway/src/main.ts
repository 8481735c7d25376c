import { runApp } from '@steward/process';
import { buildApp } from './app.ts';

await runApp('api-gateway', () => buildApp(process.env));
