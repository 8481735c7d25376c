import { AppError } from '@steward/contracts';
import { findMembers, type MemberRange } from './find-members.ts';

/** What is known of a call before it is passed on. */
export interface CallBody {
  readonly bytes: Buffer;
  /** As the client named it. */
  readonly model: string;
  readonly modelRanges: readonly MemberRange[];
}

const NAMES: ReadonlySet<string> = new Set(['model']);

/** @throws malformed_json for what is no object, invalid_request without a model */
export function readCall(bytes: Buffer): CallBody {
  const modelRanges = findMembers(bytes, NAMES);
  if (modelRanges === undefined) throw new AppError('malformed_json');
  const last = modelRanges.at(-1);
  const model = last === undefined ? undefined : parse(bytes.subarray(last.start, last.end));
  if (typeof model !== 'string') {
    throw new AppError('invalid_request', {
      message: 'Send the alias of a model as "model".',
      detail: { field: 'model' },
    });
  }
  return { bytes, model, modelRanges };
}

/** The body for a provider: another model, and every other byte as it came (GW-4). */
export function nameModel({ bytes, model, modelRanges }: CallBody, identifier: string): Buffer {
  if (model === identifier && modelRanges.length === 1) return bytes;
  const name = Buffer.from(JSON.stringify(identifier));
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of modelRanges) {
    parts.push(bytes.subarray(at, start), name);
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new AppError('malformed_json');
  }
}
