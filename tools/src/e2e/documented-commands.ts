import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

/**
 * Pages whose commands are tested. Pages for developers of the repository (docs/develop) are omitted, because CI runs
 * their commands anyway: install, test, commit.
 */
const GUIDES = '{README,docs/{use,operate,reference}/*}.md';

export interface DocumentedBlock {
  /** Path of the page: `docs/use/cli.md`, or `README.md`. */
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/**
 * Commands in the guides that no test of this file runs, with the reason. Each is identified by its page and the
 * beginning of a line; without a line, it is the whole block.
 */
export const NOT_RUN: readonly {
  readonly page: string;
  readonly begins: string;
  readonly why: string;
  readonly line?: true;
}[] = [
  { page: 'README.md', begins: 'npm ci && npm start', why: 'installs and starts everything: what CI does' },
  {
    page: 'docs/use/approvals.md',
    begins: 'MAIL_FROM=',
    why: 'starts a suite with a server of mail: approval-webhooks.e2e.test.ts',
  },
  {
    page: 'docs/use/apply.md',
    begins: 'steward plan',
    why: 'needs keys of providers and files: apply.e2e.test.ts has both',
  },
  { page: 'docs/use/cli.md', begins: 'steward export', why: 'the same' },
  {
    page: 'docs/use/identity.md',
    begins: 'aws s3 sync',
    why: 'needs a bucket with an export: export-audits.int.test.ts and audit-exported.int.test.ts have one',
  },
  {
    page: 'docs/use/notices.md',
    begins: 'curl -s -X POST $API/notice-channels',
    why: 'posts to Slack: notice-channels.int.test.ts',
    line: true,
  },
  { page: 'docs/use/notices.md', begins: 'npx steward notices test', why: 'the same', line: true },
  {
    page: 'docs/use/cli.md',
    begins: 'npm install -g',
    why: 'changes the machine: cli-build.e2e.test.ts installs it in a folder',
    line: true,
  },
  {
    page: 'docs/use/cli.md',
    begins: 'export STEWARD_WEBHOOK_SECRET',
    why: 'is the secret of a request that was signed: check-signature.test.ts',
    line: true,
  },
  { page: 'docs/use/cli.md', begins: 'steward webhooks verify', why: 'the same', line: true },
  {
    page: 'docs/use/flows.md',
    begins: `curl -s $API/flows -H "$AUTH" -H "$JSON" -d '{"name": "release"`,
    why: 'needs a model and a server of tools: gated-flow.e2e.test.ts has both',
  },
  {
    page: 'docs/use/identity.md',
    begins: 'steward audit export --after',
    why: 'continues a head of a log: audit.int.test.ts',
  },
  {
    page: 'docs/use/quickstart.md',
    begins: 'curl -s http://127.0.0.1:8000/webhooks/flows',
    why: 'has ids of the answers above it: cli-flows.e2e.test.ts',
    line: true,
  },
  {
    page: 'docs/use/quickstart.md',
    begins: 'curl -s "$API/flows/executions/EXECUTION_ID',
    why: 'the same',
    line: true,
  },
  {
    page: 'docs/use/trackers.md',
    begins: 'GITHUB_TOKEN=',
    why: 'asks GitHub: the command line of trackers is tested with a played host',
  },
  {
    page: 'docs/use/trackers.md',
    begins: 'steward flow create review',
    why: 'names the tracker that the block above made',
  },
  {
    page: 'docs/use/search.md',
    begins: 'curl -s -X PUT $API/session-search/grants',
    why: 'is of the enterprise edition: search-grants.int.test.ts',
  },
  {
    page: 'docs/use/import.md',
    begins: 'opencode export',
    why: 'is a program of somebody else: npm run clients runs it',
    line: true,
  },
  {
    page: 'docs/use/mcp.md',
    begins: 'claude mcp add',
    why: 'is a program of somebody else: npm run clients runs it',
    line: true,
  },
  {
    page: 'docs/use/mcp.md',
    begins: 'npx steward mcp connect',
    why: 'waits for a person at the page of somebody else: tool-logins.browser.test.ts',
    line: true,
  },
  {
    page: 'docs/use/mcp.md',
    begins: 'npx steward mcp add-program',
    why: 'needs a worker that hosts programs: program-tools.e2e.test.ts has one',
  },
  {
    page: 'docs/use/model-gateway.md',
    begins: 'claude',
    why: 'is a program of somebody else: npm run clients runs it',
    line: true,
  },
  {
    page: 'docs/use/model-gateway.md',
    begins: 'qwen',
    why: 'is a program of somebody else: npm run clients runs it',
    line: true,
  },
  { page: 'docs/use/otlp.md', begins: 'pip install', why: 'installs packages of Python' },
  { page: 'docs/use/otlp.md', begins: 'from openinference', why: 'needs packages of Python' },
  {
    page: 'docs/use/otlp.md',
    begins: "import { NodeSDK } from '@opentelemetry/sdk-node'",
    why: 'needs packages that nothing else here needs: npm run clients runs it',
  },
  {
    page: 'docs/use/otlp.md',
    begins: 'import { LangfuseSpanProcessor }',
    why: 'needs packages that nothing else here needs: npm run clients runs it',
  },
  {
    page: 'docs/use/otlp.md',
    begins: '// Version 7, with @ai-sdk/otel',
    why: 'needs packages that nothing else here needs: npm run clients runs it with versions 4 to 7',
  },
  { page: 'docs/use/model-gateway.md', begins: 'from openai import', why: 'needs packages of Python' },
  { page: 'docs/use/model-gateway.md', begins: 'from langchain_openai', why: 'needs packages of Python' },
  {
    page: 'docs/use/model-gateway.md',
    begins: "import { createAnthropic } from '@ai-sdk/anthropic'",
    why: 'needs packages that nothing else here needs: npm run clients runs it',
  },
  { page: 'docs/operate/kubernetes.md', begins: 'KEYS=', why: 'needs a cluster; chart.test.ts renders the chart' },
  { page: 'docs/operate/chaos.md', begins: 'npm run chaos', why: 'breaks a suite of its own for 20 minutes' },
  { page: 'docs/operate/upgrade.md', begins: 'npm run upgrade-test', why: 'starts suites of two revisions of a clone' },
  { page: 'docs/operate/monitoring.md', begins: 'docker compose', why: 'needs an engine and images' },
  ...['npm install http', 'pip install http', 'STEWARD_API_KEY=', 'curl -s $API/auth/api-keys'].map((begins) => ({
    page: 'docs/use/sdk.md',
    begins,
    why: 'installs a package in a folder: sdk.e2e.test.ts does it',
  })),
  ...['import { createServer }', 'const page = await', 'const { execution_id }'].map((begins) => ({
    page: 'docs/use/sdk.md',
    begins,
    why: 'needs the package that the service serves: sdk.e2e.test.ts runs the first program, steward.test.ts the calls',
  })),
  {
    page: 'docs/use/sdk.md',
    begins: 'import os',
    why: 'needs the package that the service serves: sdk.e2e.test.ts runs it',
  },
  {
    page: 'docs/use/webhook-portal.md',
    begins: 'import express',
    why: 'needs the package that the service serves, and the login of a reader’s own application',
  },
  { page: 'docs/use/quickstart.md', begins: 'npm install http', why: 'installs a package: sdk.e2e.test.ts does it' },
  {
    page: 'docs/use/quickstart.md',
    begins: "import { Steward } from '@steward/sdk'",
    why: 'needs the package that the service serves: sdk.e2e.test.ts has it',
  },
  { page: 'docs/operate/production.md', begins: 'pg_dump', why: 'backup.e2e.test.ts runs it' },
  { page: 'docs/operate/production.md', begins: 'createdb', why: 'backup.e2e.test.ts runs it' },
  { page: 'docs/operate/production.md', begins: 'docker compose', why: 'check:containers runs the same on an engine' },
];

/** Lists all fenced code blocks in the guides and the README. */
export function listBlocks(): readonly DocumentedBlock[] {
  return globSync(GUIDES, { cwd: WORKSPACE_ROOT })
    .sort()
    .flatMap((page) => {
      const text = readFileSync(resolve(WORKSPACE_ROOT, page), 'utf8');
      return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```/gms)].map(([, indent = '', language = '', body = '']) => ({
        page,
        language,
        text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
      }));
    });
}

/** Removes the listed lines; returns an empty string if no line remains. */
export function withoutNotRun({ page, text }: DocumentedBlock): string {
  const kept = NOT_RUN.filter((one) => one.page === page);
  if (kept.some(({ begins, line }) => line !== true && text.split('\n').some((each) => each.startsWith(begins))))
    return '';
  return text
    .split('\n')
    .filter((each) => !kept.some(({ begins, line }) => line === true && each.startsWith(begins)))
    .join('\n');
}
