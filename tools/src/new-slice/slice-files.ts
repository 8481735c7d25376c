/** Parameters for a new context. */
export interface NewSlice {
  /** Name of the folder and of the project: `tool-servers`, `@steward/tool-servers`. */
  readonly name: string;
  /** Tier of the context, which may import contexts of lower tiers (ADR 0026). */
  readonly tier: number;
  /** Version of the query builder in the database library. */
  readonly kysely: string;
}

/** Returns the Postgres schema of `tool-servers`. */
export function nameSchema(name: string): string {
  return name.replaceAll('-', '_');
}

/**
 * Returns the name of the variable with a slice's migrations, for example `toolServersMigrations` for `tool-servers`.
 */
export function nameMigrations(name: string): string {
  return `${toCamelCase(name)}Migrations`;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/**
 * Renders the files of an empty context, keyed by their path within its folder. Only the gateway may use the schema of
 * the context.
 */
export function renderSliceFiles({ name, tier, kysely }: NewSlice): Readonly<Record<string, string>> {
  const schema = nameSchema(name);
  const camel = toCamelCase(name);
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  return {
    'package.json': toJson({
      name: `@steward/${name}`,
      version: '0.1.0',
      private: true,
      license: 'Apache-2.0',
      type: 'module',
      exports: { '.': './src/index.ts' },
      nx: {
        tags: ['type:context', `scope:${name}`, `tier:${tier}`],
        targets: { lint: {}, test: {}, 'test-int': {} },
      },
      dependencies: { '@steward/database': '*', kysely },
    }),
    'tsconfig.json': toJson({
      extends: '../../../tsconfig.base.json',
      compilerOptions: { outDir: './out-tsc', rootDir: '.', tsBuildInfoFile: './out-tsc/tsconfig.tsbuildinfo' },
      include: ['src/**/*.ts', 'migrations/**/*.ts'],
      references: [{ path: '../../platform/database' }],
    }),
    'README.md': `# ${title}

(What it owns, in one sentence.)

Tables (schema \`${schema}\`, in force in [docs/reference/schema/${schema}.sql](../../../docs/schema/${schema}.sql)): none yet.

Called by: nobody yet.

Contract: (its page).
`,
    'jest.config.js': renderJest('unitPreset', name),
    'jest.int.config.js': renderJest('intPreset', name),
    'migrations/index.ts': `import type { SliceMigrations } from '@steward/database';
import { grantSchema } from './0001_grant_schema.ts';

/** Listed by hand: the apps are bundled, so nothing can be read from a folder at run time. */
export const ${nameMigrations(name)}: SliceMigrations = {
  schema: '${schema}',
  migrations: { '0001_grant_schema': grantSchema },
};
`,
    'migrations/0001_grant_schema.ts': `import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Grants access to the schema itself; each later migration grants the privileges on the tables that it creates. */
export const grantSchema: Migration = {
  async up(db) {
    await sql\`grant usage on schema ${schema} to steward_api_gateway\`.execute(db);
    await sql\`grant select on ${schema}.schema_migration to steward_api_gateway\`.execute(db);
  },
};
`,
    'src/index.ts': `/**
 * ${pascal} context: (what it knows and decides, in one sentence).
 *
 * Not here: (what one would look for here, and where it is).
 * Used by: api-gateway.
 */
export { ${nameMigrations(name)} } from '../migrations/index.ts';
export type { ${pascal}Database } from './schema.ts';
`,
    'src/schema.ts': `import type { Kysely } from 'kysely';
import type { AnyDatabase } from '@steward/database';

/** Tables of the schema \`${schema}\`, as the query builder sees them: 'schema.table' -> columns. */
export type ${pascal}Database = Readonly<Record<never, never>>;

/** The caller's transaction (or database) with this context's tables in it. */
export const tables = (db: AnyDatabase): Kysely<${pascal}Database> => db;
`,
  };
}

function renderJest(preset: string, name: string): string {
  return `import { ${preset} } from '../../../jest.preset.js';

export default ${preset}('${name}');
`;
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
