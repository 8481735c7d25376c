/** A key identified by length and alphabet, with no character of its alphabet next to it. */
export interface RunShape {
  readonly id: string;
  readonly pattern: RegExp;
  readonly isCredential?: (run: string) => boolean;
  /** True if the shape is unambiguous even as the value of a parameter or in an address. */
  readonly mayHaveNeighbours?: boolean;
}

const known = (id: string, pattern: RegExp, isCredential?: (run: string) => boolean): RunShape => ({
  id,
  pattern,
  mayHaveNeighbours: true,
  ...(isCredential === undefined ? {} : { isCredential }),
});

export const RUN_SHAPES: readonly RunShape[] = [
  { id: 'aws-secret', pattern: /^[A-Za-z0-9/+]{40}$/, isCredential: isRandom },
  known('mailchimp', /^[a-f0-9]{32}-us\d{1,2}$/),
  known('mailgun', /^[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}$/),
  known('newrelic', /^[a-f0-9]{32,40}NRAL$/),
  // These keys have 52 base32 characters, at least two of which are digits. Names of this length have no digits, and
  // hexadecimal strings contain digits that base32 lacks.
  known('azure-devops', /^[a-z2-7]{52}$/, (run) => count(run, /\d/g) >= 2 && new Set(run).size >= 16),
  known('azure-devops', /^[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}$/),
  // Azure keys contain a fixed sequence of four or five characters.
  known('azure-key', /^[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}$/),
  known('azure-key', /^[A-Za-z0-9+/]{76}(?:\+ASt|ACDb|\+ABa|\+AMC)[A-Za-z0-9+/]{5}[AQgw]==$/),
  known(
    'azure-key',
    /^[A-Za-z0-9+/]{33}(?:\+A(?:SbE|EhE|IoT|RmE)|AIoT|\+ASb|\+AEh|\+ARm|AzCa)[A-P][A-Za-z0-9+/]{5}=?$/,
  ),
  known('azure-key', /^[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw](?:==)?$/),
  known('azure-key', /^[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-D][A-Za-z0-9+/]{5}$/),
  known('ngrok', /^\d[A-Za-z0-9]{26}_\d[A-Za-z0-9]{19,22}$/, areHalvesMixed),
  known('ngrok', /^[A-Za-z0-9]{17,21}_[A-Za-z0-9]{19,22}$/, (run) => areHalvesMixed(run) && !/[a-z]{8}/.test(run)),
];

function count(run: string, kind: RegExp): number {
  return run.length - run.replaceAll(kind, '').length;
}

/**
 * Returns whether forty characters of base64 look random: they contain capital and lower-case letters, digits, and many
 * distinct characters. Paths, names and digests lack some of these.
 */
function isRandom(run: string): boolean {
  const hasAll = count(run, /[A-Z]/g) >= 5 && count(run, /[a-z]/g) >= 5 && count(run, /\d/g) >= 1;
  return hasAll && new Set(run).size >= 22 && !/[a-z]{8}/.test(run);
}

/**
 * Returns true if a string contains several digits, and each half of it several capital and several lower-case letters;
 * names have few digits and capital letters.
 */
function areHalvesMixed(run: string): boolean {
  const isMixed = (half: string): boolean => count(half, /[A-Z]/g) >= 3 && count(half, /[a-z]/g) >= 3;
  return count(run, /\d/g) >= 3 && run.split('_').every(isMixed);
}
