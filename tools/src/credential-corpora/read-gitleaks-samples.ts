import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CredentialSample } from '@steward/testing';

const RULES = 'cmd/generate/config/rules';
const UTILS = 'cmd/generate/config/utils';
const MODULE = 'github.com/zricethezav/gitleaks/v8';

/**
 * Reads the test samples of the rules in a checkout of gitleaks. The rules are Go programs that generate most of their
 * samples from regular expressions. They are compiled with replacement packages (`gitleaks/` in this folder) that print
 * the samples instead of testing them.
 */
export function readGitleaksSamples(checkout: string): CredentialSample[] {
  const folder = mkdtempSync(join(tmpdir(), 'gitleaks-samples-'));
  try {
    const stubs = resolve(import.meta.dirname, 'gitleaks');
    for (const part of ['go.mod', 'config', 'regexp'])
      cpSync(join(stubs, part), join(folder, part), { recursive: true });
    cpSync(join(stubs, 'secrets'), join(folder, 'cmd/generate/secrets'), { recursive: true });
    cpSync(join(checkout, RULES), join(folder, RULES), { recursive: true });
    cpSync(join(stubs, 'utils'), join(folder, UTILS), { recursive: true });
    for (const file of ['generate.go', 'patterns.go']) cpSync(join(checkout, UTILS, file), join(folder, UTILS, file));
    mkdirSync(join(folder, 'print'));
    writeFileSync(join(folder, 'print/main.go'), renderMain(checkout));
    const printed = execFileSync('go', ['run', './print'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CredentialSample);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function renderMain(checkout: string): string {
  const main = readFileSync(join(checkout, 'cmd/generate/config/main.go'), 'utf8');
  const calls = [...main.matchAll(/^\s+(rules\.\w+\(\)),/gm)].map((hit) => hit[1] ?? '');
  return `package main\n\nimport "${MODULE}/${RULES}"\n\nfunc main() {\n${calls.join('\n')}\n}\n`;
}
