import { runApp } from '@steward/process';
import { buildProcess } from './build-process.ts';

await runApp('api-gateway', () => buildProcess(process.env));
