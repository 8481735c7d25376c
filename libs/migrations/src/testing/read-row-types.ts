import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** Category of the type of a column's value in code, as far as the driver determines it. */
export type TypeFamily = 'text' | 'number' | 'boolean' | 'time' | 'bytes' | 'array' | 'json';

export interface RowColumn {
  readonly family: TypeFamily;
  readonly isNullable: boolean;
}

export interface RowSource {
  /** Path of the file from the workspace's root. */
  readonly file: string;
  /** Name of the interface that lists the tables of the context. */
  readonly database: string;
}

const ROOT = resolve(import.meta.dirname, '../../../..');
const PROBE = resolve(import.meta.dirname, 'row-types.probe.ts');

/** Finds the `schema.ts` of every context that has one, so that no list of them has to be maintained. */
export function findRowSources(): RowSource[] {
  return globSync('libs/contexts/*/src/schema.ts', { cwd: ROOT })
    .sort()
    .map((file) => {
      const database = /^export interface (\w+Database) /m.exec(readFileSync(resolve(ROOT, file), 'utf8'))?.[1];
      if (database === undefined) throw new Error(`${file} names no tables`);
      return { file, database };
    });
}

/**
 * Returns the types of the columns of every table in a select, as determined by the compiler, by `schema.table` and
 * column.
 */
export function readRowTypes(sources: readonly RowSource[]): Map<string, Map<string, RowColumn>> {
  const { checker, probe } = compile(sources);
  const tables = new Map<string, Map<string, RowColumn>>();
  probe.forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node)) return;
    for (const table of checker.getTypeAtLocation(node.name).getProperties()) {
      const columns = checker.getTypeOfSymbol(table).getProperties();
      const described = columns.map((column) => {
        const type = checker.getTypeOfSymbol(column);
        return [column.name, describe(checker, type)] as const;
      });
      tables.set(table.name, new Map(described));
    }
  });
  return tables;
}

/** Compiles one type alias per context: its tables with the types that a select returns. */
function compile(sources: readonly RowSource[]) {
  const lines = sources.map(
    ({ file, database }) =>
      `import type { ${database} } from '${resolve(ROOT, file)}';\n` +
      `export type ${database}Rows = { [Table in keyof ${database}]: Selectable<${database}[Table]> };`,
  );
  const text = `import type { Selectable } from 'kysely';\n${lines.join('\n')}`;
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.base.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    resolve(name) === PROBE ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest) : readSource(name, ...rest);
  const program = ts.createProgram([PROBE], { ...options, noEmit: true, composite: false, incremental: false }, host);
  const probe = program.getSourceFile(PROBE);
  if (probe === undefined) throw new Error('the row types were not compiled');
  const problems = program.getSemanticDiagnostics(probe);
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, host));
  return { checker: program.getTypeChecker(), probe };
}

function describe(checker: ts.TypeChecker, type: ts.Type): RowColumn {
  const parts = type.isUnion() ? type.types : [type];
  const values = parts.filter((part) => (part.flags & ts.TypeFlags.Null) === 0);
  const families = new Set(values.map((value) => readFamily(checker, value)));
  const [family] = families;
  if (family === undefined || families.size > 1) throw new Error(`${checker.typeToString(type)} is of no one family`);
  // The type any is treated as nullable, since it does not show whether null is allowed.
  return { family, isNullable: values.length < parts.length || (type.flags & ts.TypeFlags.Unknown) !== 0 };
}

function readFamily(checker: ts.TypeChecker, type: ts.Type): TypeFamily {
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return 'text';
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return 'number';
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'boolean';
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'time';
  if (name === 'Buffer') return 'bytes';
  return checker.isArrayType(type) ? 'array' : 'json';
}
