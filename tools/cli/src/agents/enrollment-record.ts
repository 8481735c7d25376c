import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findConfigPath } from '../config/config-file.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import type { Wishes } from './agent-kinds.ts';
import type { EnrollmentRef } from './enrollment-api.ts';

/** Backup of a changed configuration. */
export interface EnrollmentRecord {
  readonly path: string;
  /** The previous file, byte for byte; null if there was none. */
  readonly before_base64: string | null;
  readonly mode: number;
  /** Hash of the file that was written. */
  readonly after_sha256: string;
  /** Enrollment in the registry; undefined if the agent of the configuration is unknown. */
  readonly enrollment?: EnrollmentRef & { readonly gateway_routed: boolean; readonly mcp_rewritten: boolean };
  /** Settings that were written; undefined in the records of earlier releases. */
  readonly wishes?: Wishes;
}

export interface ConfigFile {
  /** Path of the actual file, even if the configured path is a link to it. */
  readonly path: string;
  /** Content of the file; undefined if it does not exist. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
}

const OWNER_ONLY = 0o600;

export function readConfigFile(path: string): ConfigFile {
  try {
    const real = realpathSync(path);
    return { path: real, bytes: readFileSync(real), mode: statSync(real).mode & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, bytes: undefined, mode: OWNER_ONLY };
    throw refuse(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Returns the path of the record, next to the login: `…/steward/enrollments/claude-code.json`. */
export function findRecordPath(env: CliContext['env'], agent: string): string {
  return join(dirname(findConfigPath(env)), 'enrollments', `${agent}.json`);
}

export function readRecord(path: string): EnrollmentRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as EnrollmentRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refuse(`The backup ${path} cannot be read.`);
  }
}

/** Writes the backup, then the file: if the command is interrupted, the file is either unchanged or can be restored. */
export function applyEdit(
  recordPath: string,
  { path, bytes, mode }: ConfigFile,
  { edited, enrollment, wishes }: { readonly edited: string } & Pick<EnrollmentRecord, 'enrollment' | 'wishes'>,
): void {
  const record: EnrollmentRecord = {
    path,
    before_base64: bytes?.toString('base64') ?? null,
    mode,
    after_sha256: hash(Buffer.from(edited)),
    ...(enrollment === undefined ? {} : { enrollment }),
    ...(wishes === undefined ? {} : { wishes }),
  };
  replaceFile(recordPath, Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`), OWNER_ONLY);
  const now = readConfigFile(path).bytes;
  if (now?.toString('base64') !== bytes?.toString('base64')) {
    rmSync(recordPath);
    throw refuse(`${path} was changed meanwhile. Nothing was written; try again.`);
  }
  replaceFile(path, Buffer.from(edited), mode);
}

export type RestoreState = 'as_enrolled' | 'as_before' | 'changed';

/** Compares the file with its backup. */
export function compareToRecord(record: EnrollmentRecord): RestoreState {
  const { bytes } = readConfigFile(record.path);
  if ((bytes?.toString('base64') ?? null) === record.before_base64) return 'as_before';
  return bytes !== undefined && hash(bytes) === record.after_sha256 ? 'as_enrolled' : 'changed';
}

/** Restores the previous file, and deletes the backup. */
export function putBack(recordPath: string, { path, before_base64: before, mode }: EnrollmentRecord): void {
  if (before === null) rmSync(path, { force: true });
  else replaceFile(path, Buffer.from(before, 'base64'), mode);
  rmSync(recordPath);
}

/** Replaces the file atomically, so that no process reads a partial file. */
function replaceFile(path: string, bytes: Buffer, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, bytes, { mode, flag: 'wx' });
  renameSync(temporary, path);
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
