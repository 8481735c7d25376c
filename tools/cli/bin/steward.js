#!/usr/bin/env node
import { existsSync } from 'node:fs';

/**
 * Inside the repository the sources run as they are (type stripping), so that a build left behind is never what runs;
 * the published package holds only the build.
 */
const source = new URL('../src/main.ts', import.meta.url);
const runsSource = existsSync(source) && Boolean(process.features.typescript);
await import(runsSource ? source.href : new URL('../dist/main.js', import.meta.url).href);
