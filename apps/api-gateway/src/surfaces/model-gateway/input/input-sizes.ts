const COMMA = 0x2c;
/** The ratio that `estimateTokens` uses. */
const BYTES_PER_TOKEN = 3.5;
/**
 * Assumed size of an image, at 3.5 bytes per token: about 5,000 tokens, which is more than most models count for their
 * largest image.
 */
const IMAGE_BYTES = 17_500;
/**
 * Bytes of base64 per audio token: providers use ten to thirty tokens per second, and a second of speech takes a few
 * kilobytes.
 */
const SOUND_BYTES_PER_TOKEN = 100;
/**
 * Assumed number of tokens per page. Anthropic ("PDF support") counts 1,500 to 3,000 tokens for the text of a page, and
 * adds the tokens of an image of the page.
 */
const TOKENS_PER_PAGE = 3000;
/** Assumed number of bytes per page of a document that does not state its number of pages. */
const BYTES_PER_PAGE = 10_000;
const [LEAST_PAGES, USUAL_MOST_PAGES, MOST_PAGES] = [10, 100, 1000];
const PAGE_COUNT = /\/Count\s+(\d{1,6})/g;
const PAGE = /\/Type\s*\/Page\b(?!s)/g;

/**
 * Returns the assumed size of a base64 image with this many bytes: at most `IMAGE_BYTES`, because the tokens of an
 * image do not depend on its file size.
 */
export function sizeImage(bytes: number): number {
  return Math.min(bytes, IMAGE_BYTES);
}

export function sizeSound(bytes: number): number {
  return Math.ceil((bytes * BYTES_PER_TOKEN) / SOUND_BYTES_PER_TOKEN);
}

/**
 * Returns the assumed size of a base64 PDF: 3,000 tokens per page, based on its stated number of pages, or else on 10
 * to 100 pages depending on its bytes.
 */
export function sizePdf(base64: Buffer): number {
  const text = Buffer.from(base64.toString('latin1'), 'base64').toString('latin1');
  const counts = [...text.matchAll(PAGE_COUNT)].map(([, count]) => Number(count));
  const said = Math.max(0, text.match(PAGE)?.length ?? 0, ...counts.slice(0, MOST_PAGES));
  const guess = Math.min(USUAL_MOST_PAGES, Math.max(LEAST_PAGES, Math.ceil(text.length / BYTES_PER_PAGE)));
  const pages = said === 0 ? guess : Math.min(said, MOST_PAGES);
  return Math.ceil(pages * TOKENS_PER_PAGE * BYTES_PER_TOKEN);
}

/**
 * Returns the assumed size of an input that consists of token numbers; 0 for any other input. The number of tokens is
 * determined from the commas.
 */
export function sizeTokenNumbers(input: Buffer): number {
  const start = input.toString('latin1', 0, 64);
  if (!/^\[[\s[]*\d/.test(start)) return 0;
  let tokens = 1;
  for (let at = input.indexOf(COMMA); at !== -1; at = input.indexOf(COMMA, at + 1)) tokens += 1;
  return Math.ceil(tokens * BYTES_PER_TOKEN);
}
