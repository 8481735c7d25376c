const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c];
/** As `estimateTokens` takes them. */
const BYTES_PER_TOKEN = 3.5;
/** What an image is taken for, at 3.5 bytes a token: about 5,000 tokens, more than most models make of the largest one. */
const IMAGE_BYTES = 17_500;
/** How images in base64 begin as values: addresses of data, or PNG, JPEG, GIF and WebP as they are. */
const BEGINNING = /^"(?:data:image\/|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
const BEGINNING_BYTES = 16;
/** The members that providers take images from: what stands elsewhere they read as text. */
const MEMBER = /"(?:url|image_url|data)"\s*$/;
const MEMBER_BYTES = 32;

/**
 * By how many bytes the input of a call is estimated: those of its body, but for images in base64, which cost what they show and
 * not what they weigh. They are looked for where no quote is for as long as one is, which is seen without reading the rest: 30 MB
 * of text take about a millisecond.
 */
export function sizeInput(body: Buffer): number {
  let surplus = 0;
  for (let at = 0; at + IMAGE_BYTES < body.byteLength;) {
    const quote = body.lastIndexOf(QUOTE, at + IMAGE_BYTES);
    if (quote >= at) {
      at = quote + 1;
      continue;
    }
    const end = body.indexOf(QUOTE, at + IMAGE_BYTES);
    if (end === -1) break;
    if (isImage(body, at - 1)) surplus += end - at - IMAGE_BYTES;
    at = end + 1;
  }
  return body.byteLength - surplus;
}

/** Tokens that are sent as their numbers, of which a digit and a comma are one: by as many bytes as so many tokens have. */
export function sizeTokenNumbers(input: Buffer): number {
  const start = input.toString('latin1', 0, 64);
  if (!/^\[[\s[]*\d/.test(start)) return 0;
  let tokens = 1;
  for (let at = input.indexOf(COMMA); at !== -1; at = input.indexOf(COMMA, at + 1)) tokens += 1;
  return Math.ceil(tokens * BYTES_PER_TOKEN);
}

/** @param start - of the string */
function isImage(body: Buffer, start: number): boolean {
  if (!BEGINNING.test(body.toString('latin1', start, start + BEGINNING_BYTES))) return false;
  const before = body.toString('latin1', Math.max(0, start - MEMBER_BYTES), start).trimEnd();
  return before.charCodeAt(before.length - 1) === COLON && MEMBER.test(before.slice(0, -1));
}
