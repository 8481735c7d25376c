import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../exit-codes.ts';
import { isKind, KIND, KINDS, type KindName } from './kinds.ts';

export interface Document {
  /** Kind and name of the document: `flow/review`. */
  readonly key: string;
  readonly kind: KindName;
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Location of the document, for messages: `flows.yaml, document 2 (flow/review)`. */
  readonly where: string;
}

const FILES = /\.(?:ya?ml|json)$/i;

/**
 * Reads documents from files and folders.
 * @throws refused naming the document and the invalid field
 */
export async function readDocuments(paths: readonly string[]): Promise<Document[]> {
  const documents: Document[] = [];
  for (const path of paths.flatMap(listFiles)) documents.push(...(await readFile(path)));
  const seen = new Map<string, Document>();
  for (const document of documents) {
    const other = seen.get(document.key) ?? (document.kind === 'policy' ? findPolicy(seen) : undefined);
    if (other !== undefined) throw refuse(`${document.where}: this object is already defined in ${other.where}.`);
    seen.set(document.key, document);
  }
  return documents;
}

/** Finds the policy. An account has only one, whatever the name of its document. */
function findPolicy(seen: ReadonlyMap<string, Document>): Document | undefined {
  return [...seen.values()].find(({ kind }) => kind === 'policy');
}

function listFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => FILES.test(name) && !name.startsWith('.'));
    if (names.length === 0) throw refuse(`${path} contains no .yaml, .yml or .json file.`);
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw refuse(`${path} cannot be read (${code}).`);
  }
}

async function readFile(path: string): Promise<Document[]> {
  // The package is loaded with the first file, so that other commands start without it.
  const { parseAllDocuments } = await import('yaml');
  const text = readText(path);
  const parsed = parseAllDocuments(text, { maxAliasCount: 100 } as object);
  const documents: Document[] = [];
  for (const [index, document] of (Array.isArray(parsed) ? parsed : []).entries()) {
    const where = `${path}, document ${index + 1}`;
    const [error] = document.errors;
    if (error !== undefined) throw refuse(`${where}: ${error.message}`);
    const value: unknown = document.toJS();
    if (value !== null && value !== undefined) documents.push(readDocument(value, where));
  }
  return documents;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw refuse(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
  }
}

function readDocument(value: unknown, place: string): Document {
  if (!isObject(value)) throw refuse(`${place}: the document is not an object with kind, name and spec.`);
  const { kind, name, spec, ...rest } = value;
  if (!isKind(kind)) throw refuse(`${place}: kind must be one of ${KINDS.join(', ')}.`);
  if (typeof name !== 'string' || name.trim() === '')
    throw refuse(`${place} (${kind}): name must be a non-empty string.`);
  const where = `${place} (${kind}/${name})`;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw refuse(`${where}: unknown field "${unknown}"; a document has the fields kind, name and spec.`);
  if (!isObject(spec)) throw refuse(`${where}: spec must be an object.`);
  if (kind !== 'policy') checkFields(KIND[kind], { name, spec, where, kind });
  return { key: `${kind}/${name}`, kind, name, spec, where };
}

function checkFields(
  { fields, nameField, keyFields }: (typeof KIND)[keyof typeof KIND],
  { kind, spec, where }: Pick<Document, 'name' | 'spec' | 'where'> & { readonly kind: string },
): void {
  for (const field of Object.keys(spec)) {
    if (field === nameField)
      throw refuse(`${where}: spec.${field} is not allowed: the name of the document is used as its value.`);
    if (!fields.includes(field)) throw refuse(`${where}: spec.${field} is not a field of the kind ${kind}.`);
  }
  const missing = keyFields?.find((field) => spec[field] === undefined && (field === 'scope' || field === 'period'));
  if (missing !== undefined) throw refuse(`${where}: spec.${missing} is required.`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
