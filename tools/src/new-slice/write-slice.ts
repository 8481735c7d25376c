import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { listRegistrations } from './register-slice.ts';
import { nameSchema, renderSliceFiles } from './slice-files.ts';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST_NAME = 40;
/** Names that Postgres or this workspace already uses. */
const TAKEN = ['public', 'gateway', 'steward'];

export interface SliceRequest {
  readonly name: string;
  readonly tier: number;
}

/**
 * Writes an empty context and registers it. All content is computed before the first file is written, so that a refusal
 * leaves no files behind.
 *
 * @returns the files written and changed, relative to the root
 * @throws Error for an invalid name or tier, and for an existing slice
 */
export async function writeSlice(root: string, { name, tier }: SliceRequest): Promise<string[]> {
  if (!NAME.test(name) || name.length > LONGEST_NAME)
    throw new Error(`"${name}" is no name for a slice: small letters, digits and dashes, as in tool-servers`);
  if (![0, 1, 2].includes(tier)) throw new Error('--tier is 0, 1 or 2; docs/develop/adr/0026 says which');
  const folder = `libs/contexts/${name}`;
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  if (
    TAKEN.includes(nameSchema(name)) ||
    existsSync(resolve(root, folder)) ||
    read('package-lock.json').includes(`"node_modules/@steward/${name}"`)
  )
    throw new Error(`there is ${name} already; nothing was changed`);
  const { dependencies } = JSON.parse(read('libs/platform/database/package.json')) as {
    dependencies: Record<string, string>;
  };
  const slice = { name, tier, kysely: dependencies['kysely'] ?? '*' };
  const changed = Object.entries(listRegistrations(slice)).map(([file, edit]) => [file, edit(read(file))] as const);
  const added = Object.entries(renderSliceFiles(slice)).map(([file, text]) => [`${folder}/${file}`, text] as const);
  const files = await Promise.all(
    [...added, ...changed].map(async ([file, text]) => [file, await formatFile(root, file, text)] as const),
  );
  for (const [file, text] of files) {
    mkdirSync(dirname(resolve(root, file)), { recursive: true });
    writeFileSync(resolve(root, file), text);
  }
  return files.map(([file]) => file);
}

/** Formats the content in the style of the workspace, if the formatter supports its language. */
async function formatFile(root: string, file: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(file);
  if (inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(resolve(root, file))), filepath: file });
}
