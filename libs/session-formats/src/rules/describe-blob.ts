/**
 * Minimum length of a base64 run that is removed while the text is still arriving: normal text always has a space
 * within this length.
 */
const LEAST_LEFT_OUT = 16 * 1024;
const MARK = /^\[base64:(\d{1,12})\]$/;
const OF_BASE64 = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Matches a slash, plus or equals sign as some programs escape it in JSON, and in JSON within JSON. */
const ESCAPED = /\\{1,4}(?:\/|u00(?:2[bBfF]|3[dD]))/y;
const EVERY_ESCAPED = new RegExp(ESCAPED.source, 'g');
const MOST_ESCAPED = 9;
/** Matches the beginning of such an escape sequence at the end of a part. */
const CUT_ESCAPED = /\\{1,4}(?:u(?:0(?:0[23]?)?)?)?$/;

/**
 * Omits long base64 from text that arrives in parts. Between two parts it buffers less than the minimum length of such
 * a run.
 */
export interface BlobFilter {
  push(part: string): string;
  end(): string;
}

/**
 * Creates a filter that replaces a long run of base64 at the beginning of a JSON string, or after the comma of a data
 * URL, with `[base64:N]`, where N is the number of its characters. Everything else is returned unchanged.
 * @param follows - The character before the text
 */
export function createBlobFilter(follows = ''): BlobFilter {
  let before = follows;
  let carried = '';
  let dropped = 0;
  let cut = '';

  /** Ends the run; returns its replacement, or the run itself if it is short. */
  function endRun(): string {
    const text = dropped > 0 ? `[base64:${dropped}]` : carried;
    carried = '';
    dropped = 0;
    return text;
  }
  function carry(run: string): void {
    if (dropped > 0) dropped += countSigns(run);
    else carried += run;
    if (dropped > 0 || carried.length < LEAST_LEFT_OUT || (before !== '"' && before !== ',')) return;
    dropped = countSigns(carried);
    carried = '';
  }
  /**
   * Returns the next part, including an escape sequence that began in the previous part, but without one that continues
   * in the part after it.
   */
  function join(next: string): string {
    const whole = cut + next;
    cut = CUT_ESCAPED.exec(whole.slice(-MOST_ESCAPED))?.[0] ?? '';
    return cut === '' ? whole : whole.slice(0, -cut.length);
  }
  return {
    push(next) {
      const part = join(next);
      let at = findRunEnd(part, 0);
      carry(part.slice(0, at));
      if (at === part.length) return before === '"' || before === ',' ? '' : endRun();
      const out = [endRun()];
      let from = at;
      while (at < part.length) {
        at = findRunStart(part, at);
        if (at === part.length) break;
        const start = at;
        at = findRunEnd(part, at);
        if (at < part.length && at - start < LEAST_LEFT_OUT) continue;
        out.push(part.slice(from, start));
        before = part[start - 1] ?? '';
        carry(part.slice(start, at));
        from = at;
        if (at < part.length) out.push(endRun());
      }
      if (at === part.length && from < at) {
        out.push(part.slice(from));
        before = part.at(-1) ?? '';
      }
      return out.join('');
    },
    end: () => endRun() + cut,
  };
}

/** Returns a complete value without long base64 in its strings, which are usually JSON. */
export function leaveOutBlobs(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.length < LEAST_LEFT_OUT) return value;
    const blobs = createBlobFilter('"');
    return blobs.push(value) + blobs.end();
  }
  if (Array.isArray(value)) return value.map(leaveOutBlobs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, leaveOutBlobs(entry)]));
}

function findRunStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isOfBase64(text.charCodeAt(at)) && measureEscaped(text, at) === 0) at += 1;
  return at;
}

function findRunEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && isOfBase64(text.charCodeAt(at))) at += 1;
    const length = measureEscaped(text, at);
    if (length === 0) return at;
    at += length;
  }
}

const BACKSLASH = 92;

function measureEscaped(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return 0;
  ESCAPED.lastIndex = at;
  return ESCAPED.exec(text)?.[0].length ?? 0;
}

function countSigns(run: string): number {
  return run.includes('\\') ? run.replace(EVERY_ESCAPED, '/').length : run.length;
}

function isOfBase64(code: number): boolean {
  return OF_BASE64[code] === 1;
}

/** Returns the number of removed base64 characters that a mark states; undefined for any other string. */
export function readBlobMark(text: string): number | undefined {
  const chars = MARK.exec(text)?.[1];
  return chars === undefined ? undefined : Number(chars);
}

/** Returns `[image/png, 2.1 MB]` for removed data, with the decoded size. */
export function describeBlob(media: string | undefined, chars: number): string {
  const bytes = Math.floor((chars * 3) / 4);
  return `[${media ?? 'base64'}, ${describeBytes(bytes)}]`;
}

function describeBytes(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} bytes`;
}
