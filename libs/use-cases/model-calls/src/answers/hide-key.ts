/** Minimum length of a key that is hidden: shorter keys may also occur in ordinary text. */
const SHORTEST_KEY = 8;

/** Masks the key in a provider's response, piece by piece. */
export interface KeyHider {
  /**
   * Returns the bytes that may be sent. If the end of the piece may be the beginning of the key, this end is held back
   * until the next piece.
   */
  pass(piece: Buffer): Buffer;
  /** Returns the part that was still held back. */
  end(): Buffer;
  /** Masks the key in a response that was received as a whole. */
  hideWhole(bytes: Buffer): Buffer;
  /** Masks the key in the value of a header. */
  hideText(text: string): string;
}

/**
 * Creates a filter that masks the key of a request in its response. Some servers repeat the key, in refusals and
 * elsewhere: unchanged, in base64, percent-encoded or escaped. It must never reach a client or stored data (GW-5). The
 * key is replaced by the same number of asterisks, so that the length remains the one that the provider declared.
 * Returns undefined if there is no key, or if the key is too short or only a mask.
 */
export function createKeyHider(key: string | undefined): KeyHider | undefined {
  if (key === undefined || key.length < SHORTEST_KEY) return undefined;
  // A mask was saved instead of a key, so there is nothing to hide.
  if (/^\*+$/.test(key)) return undefined;
  const texts = listForms(key);
  const forms = texts.map((text) => Buffer.from(text));
  const shortest = Math.min(...texts.map(({ length }) => length));
  let measureBeginning: ReturnType<typeof createMeasure> | undefined;
  let held: Buffer | undefined;
  return {
    pass(piece) {
      const bytes = hideForms(held === undefined ? piece : Buffer.concat([held, piece]), forms);
      measureBeginning ??= createMeasure(forms);
      const kept = measureBeginning(bytes);
      // The rest is copied, because a view would keep the whole piece in memory.
      held = kept === 0 ? undefined : Buffer.from(bytes.subarray(bytes.byteLength - kept));
      return kept === 0 ? bytes : bytes.subarray(0, bytes.byteLength - kept);
    },
    end() {
      const rest = held ?? Buffer.alloc(0);
      held = undefined;
      return rest;
    },
    hideWhole: (bytes) => hideForms(bytes, forms),
    hideText: (text) =>
      text.length < shortest
        ? text
        : texts.reduce((hidden, form) => hidden.replaceAll(form, '*'.repeat(form.length)), text),
  };
}

/**
 * Lists the forms of the key in JSON, in URLs, and in base64 of the key itself or of a text that contains it (`Bearer
 * ...`).
 */
function listForms(key: string): string[] {
  const encoded = encodeURIComponent(key);
  const lowered = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const base64 = [0, 1, 2].map((before) => encodeWithin(key, before));
  const ofUrls = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([key, key.replaceAll('/', '\\/'), encoded, lowered, ...base64, ...ofUrls])];
}

/**
 * Returns the part of the key's base64 that is independent of the surrounding text.
 * @param before - Number of bytes before the key in the encoded text, modulo three
 */
function encodeWithin(key: string, before: number): string {
  const bytes = Buffer.from('\0'.repeat(before) + key);
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6));
}

/** Masks all forms of the key in a copy; if there are none, returns the given buffer itself. */
function hideForms(bytes: Buffer, forms: readonly Buffer[]): Buffer {
  let hidden = bytes;
  for (const form of forms) {
    for (let at = hidden.indexOf(form); at !== -1; at = hidden.indexOf(form, at + form.byteLength)) {
      if (hidden === bytes) hidden = Buffer.from(bytes);
      hidden.fill('*', at, at + form.byteLength);
    }
  }
  return hidden;
}

/** Creates the function that returns how many bytes at the end of a piece are the beginning of a form of the key. */
function createMeasure(forms: readonly Buffer[]): (bytes: Buffer) => number {
  /** Contains 1 for each byte with which a form begins. */
  const firsts = new Uint8Array(256);
  for (const [first = 0] of forms) firsts[first] = 1;
  const longest = Math.max(...forms.map(({ byteLength }) => byteLength));
  return (bytes) => {
    const { byteLength } = bytes;
    for (let at = Math.max(0, byteLength - longest + 1); at < byteLength; at += 1) {
      const byte = bytes[at] as number;
      if (firsts[byte] === 0) continue;
      const length = byteLength - at;
      for (const form of forms) {
        if (form[0] !== byte || length >= form.byteLength) continue;
        if (length > 1 && form[1] !== bytes[at + 1]) continue;
        if (bytes.compare(form, 0, length, at) === 0) return length;
      }
    }
    return 0;
  };
}
