import type { Find } from './credential.ts';

/** A word long enough to be a key without a beginning or a label. */
const RUN = /(?<![A-Za-z0-9+/=_.@-])[A-Za-z0-9+/_-]{32,}(?![A-Za-z0-9+/=_@-])/g;

const SHAPES: readonly {
  readonly id: string;
  readonly pattern: RegExp;
  readonly isCredential?: (run: string) => boolean;
}[] = [
  { id: 'aws-secret', pattern: /^[A-Za-z0-9/+]{40}$/, isCredential: isRandom },
  { id: 'mailchimp', pattern: /^[a-f0-9]{32}-us\d{1,2}$/ },
  { id: 'mailgun', pattern: /^[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}$/ },
  { id: 'newrelic', pattern: /^[a-f0-9]{32,40}NRAL$/ },
];

/** Keys told by their length and alphabet alone. */
export function findLongRuns(text: string, found: Find[]): void {
  RUN.lastIndex = 0;
  for (let hit = RUN.exec(text); hit !== null; hit = RUN.exec(text)) {
    const [run] = hit;
    if (run.length > LONGEST) continue;
    const shape = SHAPES.find(({ pattern, isCredential }) => pattern.test(run) && isCredential?.(run) !== false);
    if (shape !== undefined) found.push({ start: hit.index, end: hit.index + run.length, rule: shape.id });
  }
}

const LONGEST = 64;

/** Forty random characters of base64 hold most kinds of its alphabet; a path, a name and a digest do not. */
function isRandom(run: string): boolean {
  const count = (kind: RegExp): number => run.length - run.replaceAll(kind, '').length;
  const hasAll = count(/[A-Z]/g) >= 5 && count(/[a-z]/g) >= 5 && count(/\d/g) >= 1;
  return hasAll && new Set(run).size >= 22 && !/[a-z]{8}/.test(run);
}
