import { runApp } from '@steward/process';
import { buildApp } from './app.ts';
import { closeInherited } from './runner/close-inherited.ts';

closeInherited();
await runApp('flow-trigger', () => buildApp(process.env));
