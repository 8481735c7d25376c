import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { readTestEnvironment, scaleLimit } from '@steward/testing';
import { connectClient } from '../servers/connect-client.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { copyWorkspace, linkProject } from './copy-workspace.ts';
import { writeSlice } from './write-slice.ts';

const run = promisify(execFile);
const NAME = 'weather-reports';
const CHECK_TYPES = join(import.meta.dirname, 'check-types.ts');
/** By default, Nx starts a daemon, and a process for each plugin. */
const NX_IN_ONE_PROCESS = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
let root: string;
let written: string[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'steward-new-slice-'));
  copyWorkspace(WORKSPACE_ROOT, root);
  written = await writeSlice(root, { name: NAME, tier: 1 });
  for (const file of globSync('{apps,libs,tools}/**/package.json', { cwd: root })) {
    const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
    if (name.startsWith('@steward/')) linkProject(root, name, dirname(file));
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const inCopy = (command: string, ...args: string[]) =>
  run(command, args, { cwd: root, env: { ...process.env, ...NX_IN_ONE_PROCESS } }).catch(
    ({ stdout, stderr, message }: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${stdout ?? ''}${stderr ?? message}`);
    },
  );
interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly { readonly message: string }[];
}

const bin = (name: string): string => join(WORKSPACE_ROOT, 'node_modules/.bin', name);

describe('a generated context', () => {
  it('is written in the format of the workspace', async () => {
    expect(written.filter((file) => file.startsWith('libs/contexts/weather-reports/'))).toHaveLength(9);
    await inCopy(bin('prettier'), '--check', '--ignore-unknown', ...written);
  });

  it(
    'compiles with all its registrations, and its stores find their tables in the same way as other stores',
    async () => {
      const store = join(root, 'libs/contexts/weather-reports/src/first.store.ts');
      writeFileSync(
        store,
        `import type { AnyDatabase } from '@steward/database';\nimport { tables } from './schema.ts';\n\nexport const listTables = (db: AnyDatabase) => tables(db).introspection.getTables();\n`,
      );
      // The affected files are compiled as one program, because building every referenced project takes minutes.
      const affected = ['libs/contexts/weather-reports/**/*.ts', 'libs/migrations/src/migrate-all.ts'];
      const program = {
        extends: './tsconfig.base.json',
        compilerOptions: { composite: false, declaration: false, emitDeclarationOnly: false },
        include: affected,
      };
      writeFileSync(join(root, 'tsconfig.generated.json'), JSON.stringify(program));
      const checked = globSync(affected, { cwd: root });
      await inCopy(process.execPath, CHECK_TYPES, 'tsconfig.generated.json', ...checked);
      rmSync(store);
      const { stdout } = await inCopy(bin('tsc'), '--build', '--dry', 'libs/migrations');
      expect(stdout).toContain('libs/contexts/weather-reports/tsconfig.json');
    },
    scaleLimit(600_000),
  );

  it(
    'follows the lint rules, including those of its tier',
    async () => {
      // Without the project graph, the rule about tiers is skipped with a warning.
      await inCopy(bin('nx'), 'show', 'projects');
      const upward = join(root, 'libs/contexts/weather-reports/src/upward.ts');
      writeFileSync(
        upward,
        `import { EXECUTION_STATUSES } from '@steward/flows';\n\nexport const [first] = EXECUTION_STATUSES;\n`,
      );
      // All files are linted in one run, because most of the time is spent on reading the program.
      const files = ['libs/contexts/weather-reports', 'libs/migrations/src/migrate-all.ts'];
      const linted = await inCopy(bin('eslint'), '--format', 'json', ...files).catch((error: Error) => error);
      rmSync(upward);
      expect(linted).toBeInstanceOf(Error);
      const [report = ''] = /^\[.*\]$/m.exec((linted as Error).message) ?? [];
      const faults = (JSON.parse(report) as LintedFile[]).flatMap(({ filePath, messages }) =>
        messages.map(({ message }) => [filePath, message]),
      );
      expect(faults).toEqual([[upward, expect.stringContaining('can only depend on libs tagged with')]]);
    },
    scaleLimit(600_000),
  );

  it('is migrated with the other contexts: its schema exists, and only the gateway can access it', async () => {
    const admin = new pg.Client({ connectionString: readTestEnvironment().adminUrl });
    const name = `steward_new_slice_${randomBytes(6).toString('hex')}`;
    await admin.connect();
    try {
      await admin.query(`create database ${name}`);
      const url = new URL(readTestEnvironment().adminUrl);
      url.pathname = `/${name}`;
      const script = `import { migrateAll } from './libs/migrations/src/index.ts';
        await migrateAll({ databaseUrl: ${JSON.stringify(url.href)}, log: console.log });`;
      const { stdout } = await inCopy(process.execPath, '--input-type=module-typescript', '--eval', script);
      expect(stdout).toContain('applied weather_reports/0001_grant_schema');
      expect(await listReaders(url.href)).toEqual(['steward_api_gateway']);
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    }
  });

  it('is listed with the other contexts in the documents', () => {
    const read = (file: string): string => readFileSync(join(root, file), 'utf8');
    expect(read('docs/develop/architecture/README.md')).toMatch(
      /\| `weather-reports` +\| 1 +\| schema `weather_reports`/,
    );
    expect(read('deploy/Dockerfile')).toContain(
      'COPY libs/contexts/weather-reports/package.json libs/contexts/weather-reports/\n',
    );
    expect(read('libs/migrations/src/grants.int.test.ts')).toMatch(/steward_api_gateway: \[[^\]]*'weather_reports'/);
  });

  it.each([
    ['again', NAME, 1],
    ['under a name that is taken', 'sessions', 1],
    ['under the name of a schema', 'gateway', 0],
    ['under the name of another project', 'crypto', 1],
    ['under a name no schema can have', 'Tool Servers', 1],
    ['outside of its folder', '../sessions', 1],
    ['without a tier', 'approvals', Number.NaN],
    ['in a tier that is none', 'approvals', 3],
  ])('is not created %s, and nothing changes', async (_how, name, tier) => {
    const before = globSync('libs/contexts/**/*.ts', { cwd: root }).length;
    const registered = readFileSync(join(root, 'libs/migrations/src/migrate-all.ts'), 'utf8');
    await expect(writeSlice(root, { name, tier })).rejects.toThrow();
    expect(globSync('libs/contexts/**/*.ts', { cwd: root })).toHaveLength(before);
    expect(readFileSync(join(root, 'libs/migrations/src/migrate-all.ts'), 'utf8')).toBe(registered);
  });
});

async function listReaders(url: string): Promise<string[]> {
  const client = await connectClient(url);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select rolname as name from pg_roles
       where rolname ~ '^steward_' and has_schema_privilege(rolname, 'weather_reports', 'usage') order by 1`,
    );
    return rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}
