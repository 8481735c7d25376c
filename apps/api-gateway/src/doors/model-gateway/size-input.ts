const [QUOTE, COLON] = [0x22, 0x3a];
/** Smaller bodies hold no image whose size says anything wrong. */
const SMALL_BYTES = 20_000;
/** What an image is taken for, at 3.5 bytes a token: about 5,000 tokens, more than most models make of the largest one. */
const IMAGE_BYTES = 17_500;
/** How images in base64 begin as values: addresses of data, or PNG, JPEG, GIF and WebP as they are. */
const BEGINNINGS = ['"data:image/', '"iVBORw0KGgo', '"/9j/', '"R0lGOD', '"UklGR'].map((text) => Buffer.from(text));
/** The members that providers take images from: what stands elsewhere they read as text. */
const MEMBER = /"(?:url|image_url|data)"\s*$/;
const MEMBER_BYTES = 32;

/**
 * By how many bytes the input of a call is estimated: those of its body, but for images in base64, which cost what they show and
 * not what they weigh. Looked for without parsing: a body may have many megabytes.
 */
export function sizeInput(body: Buffer): number {
  if (body.byteLength <= SMALL_BYTES) return body.byteLength;
  return BEGINNINGS.reduce((size, beginning) => size - countSurplus(body, beginning), body.byteLength);
}

function countSurplus(body: Buffer, beginning: Buffer): number {
  let surplus = 0;
  for (let at = body.indexOf(beginning); at !== -1; at = body.indexOf(beginning, at + 1)) {
    if (!isImageMember(body, at)) continue;
    const end = body.indexOf(QUOTE, at + 1);
    if (end === -1) break;
    surplus += Math.max(0, end - at - IMAGE_BYTES);
    at = end;
  }
  return surplus;
}

function isImageMember(body: Buffer, start: number): boolean {
  const before = body.toString('latin1', Math.max(0, start - MEMBER_BYTES), start).trimEnd();
  return before.charCodeAt(before.length - 1) === COLON && MEMBER.test(before.slice(0, -1));
}
