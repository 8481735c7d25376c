import { readFileSync } from 'node:fs';
import {
  compactBase64,
  describePathProblem,
  MAX_FILE_BASE64_BYTES,
  MAX_FILES,
  MAX_TOTAL_BASE64_BYTES,
} from '@steward/flows/workspace-files';
import { refuse } from '../exit-codes.ts';
import type { Attachment } from './find-attachments.ts';
import { countBase64Bytes, describeCollisions, MAX_BODY_BYTES } from './workspace-rules.ts';

type JsonObject = Record<string, unknown>;

export interface PackedPayload {
  /** Request body; it has the same bytes on every attempt, since the idempotency key is bound to them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileCount: number;
}

/**
 * Adds the attachments to the payload's `workspace_files` and checks every limit of the result before anything is sent.
 * @throws refused with one line per problem, each with the limit, the actual size and the excess.
 */
export function packPayload(
  given: string,
  attachments: readonly Attachment[],
  options: { readonly unwrap: boolean },
): PackedPayload {
  // Windows editors begin a file with a byte order mark.
  const text = given.replace(/^\uFEFF/, '');
  const body = parseObject(text);
  const payload = options.unwrap ? findManualPayload(body) : body;
  const declared = readDeclared(payload);
  const problems = [...checkCounts(declared, attachments), ...checkPaths(declared, attachments)];
  if (problems.length > 0) throw refuse(`Nothing was sent:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  if (attachments.length > 0) payload.workspace_files = [...declared, ...attachments.map(encode)];
  // Without attachments the caller's own bytes are sent: parsing would change numbers beyond 2^53.
  const bytes = new Uint8Array(Buffer.from(attachments.length > 0 ? JSON.stringify(body) : text, 'utf8'));
  if (bytes.length > MAX_BODY_BYTES)
    throw refuse(`Nothing was sent: the payload ${describeOverage(bytes.length, MAX_BODY_BYTES, 'bytes')}`);
  return { bytes, fileCount: declared.length + attachments.length };
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message quotes the text around the error, which may be confidential.
    const where = /position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0];
    throw refuse(`The payload is not valid JSON${where === undefined ? '' : ` at ${where}`}.`);
  }
  if (isObject(value)) return value;
  throw refuse('The payload must be a JSON object.');
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * Returns the object to which files are added. The manual route unwraps a body that contains only `payload`; files next
 * to it would prevent that, so they are added inside.
 */
function findManualPayload(body: JsonObject): JsonObject {
  return isObject(body.payload) && Object.keys(body).length === 1 ? body.payload : body;
}

interface DeclaredFile {
  readonly path?: unknown;
  readonly content_base64?: unknown;
}

function readDeclared(payload: JsonObject): readonly DeclaredFile[] {
  const declared = payload.workspace_files;
  if (declared === undefined) return [];
  if (!Array.isArray(declared)) throw refuse('workspace_files of the payload must be an array of files.');
  return declared as DeclaredFile[];
}

function checkCounts(declared: readonly DeclaredFile[], attachments: readonly Attachment[]): string[] {
  const problems: string[] = [];
  const sizes = [
    ...declared.map((file) => ({ name: String(file.path), bytes: measure(file.content_base64) })),
    ...attachments.map((file) => ({ name: file.path, bytes: countBase64Bytes(file.sizeBytes) })),
  ];
  if (sizes.length > MAX_FILES) problems.push(`workspace_files ${describeOverage(sizes.length, MAX_FILES, 'files')}`);
  for (const { name, bytes } of sizes) {
    if (bytes > MAX_FILE_BASE64_BYTES)
      problems.push(`"${name}" ${describeOverage(bytes, MAX_FILE_BASE64_BYTES, 'base64 bytes')}`);
  }
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_TOTAL_BASE64_BYTES)
    problems.push(`workspace_files ${describeOverage(total, MAX_TOTAL_BASE64_BYTES, 'base64 bytes in total')}`);
  return problems;
}

function measure(encoded: unknown): number {
  return typeof encoded === 'string' ? compactBase64(encoded).length : 0;
}

function describeOverage(actual: number, limit: number, unit: string): string {
  return `has ${actual} ${unit}; the limit is ${limit} (${actual - limit} over)`;
}

function checkPaths(declared: readonly DeclaredFile[], attachments: readonly Attachment[]): string[] {
  const paths = [...declared.map((file) => String(file.path)), ...attachments.map((file) => file.path)];
  const problems = paths.flatMap((path) => {
    const problem = describePathProblem(path);
    return problem === undefined ? [] : [`the destination "${path}" ${problem}`];
  });
  return problems.length > 0 ? problems : describeCollisions(paths);
}

/** Encodes a file in strict base64, as the service requires: standard alphabet, padded, on one line. */
function encode({ source, path, sizeBytes }: Attachment): DeclaredFile {
  const content = readFileSync(source);
  if (content.length !== sizeBytes) throw refuse(`--attach ${source}: the file was changed while it was read`);
  return { path, content_base64: content.toString('base64') };
}
