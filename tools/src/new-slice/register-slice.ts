import { nameMigrations, nameSchema, type NewSlice } from './slice-files.ts';

type Edit = (text: string) => string;

/** Returns the files of the workspace in which a slice is registered, and the edits to them. */
export function listRegistrations({ name, tier }: NewSlice): Readonly<Record<string, Edit>> {
  const project = `@steward/${name}`;
  const migrations = nameMigrations(name);
  return {
    'tsconfig.json': addReference(`./libs/contexts/${name}`),
    'libs/migrations/tsconfig.json': addReference(`../contexts/${name}`),
    'libs/migrations/package.json': editJson((settings: { dependencies: Record<string, string> }) => {
      settings.dependencies[project] = '*';
    }),
    'libs/migrations/src/migrate-all.ts': (text) =>
      insertAfter(
        insertAfter(
          text,
          /^import \{ \w+Migrations \} from '@steward\/.*';\n(?!import \{ \w+Migrations)/m,
          `import { ${migrations} } from '${project}';\n`,
        ),
        /^export const ALL_SLICES[^;]*?Migrations,\n(?=\];)/m,
        `  ${migrations},\n`,
      ),
    'libs/migrations/src/grants.int.test.ts': (text) =>
      text.replace(/(steward_api_gateway: )\[([^\]]*)\]/, (_match, head: string, list: string) => {
        const names = [
          ...list
            .split(',')
            .map((entry) => entry.trim())
            .filter((entry) => entry !== ''),
          `'${nameSchema(name)}'`,
        ];
        return `${head}[${names.sort().join(', ')}]`;
      }),
    'deploy/Dockerfile': (text) =>
      insertAfter(
        text,
        /(?:^COPY libs\/contexts\/[^\n]*\n)+/m,
        `COPY libs/contexts/${name}/package.json libs/contexts/${name}/\n`,
      ),
    'docs/develop/architecture/README.md': (text) =>
      insertAfter(
        text,
        /^\| context [^\n]*\n(?:\|[^\n]*\n)+/m,
        `| \`${name}\` | ${tier} | schema \`${nameSchema(name)}\` | api-gateway | nobody yet |\n`,
      ),
  };
}

/**
 * Inserts text after the match of a pattern.
 * @throws Error if the position no longer exists, in which case the generator has to be updated
 */
function insertAfter(text: string, place: RegExp, added: string): string {
  const match = place.exec(text);
  if (match === null) throw new Error(`no line matches ${place.source}`);
  const end = match.index + match[0].length;
  return text.slice(0, end) + added + text.slice(end);
}

function addReference(path: string): Edit {
  return editJson((settings: { references: { path: string }[] }) => settings.references.push({ path }));
}

function editJson<T>(change: (settings: T) => unknown): Edit {
  return (text) => {
    const settings = JSON.parse(text) as T;
    change(settings);
    return `${JSON.stringify(settings, null, 2)}\n`;
  };
}
