import { maskCredentials } from '@steward/masking';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import { flattenText } from '../../content/rules/flatten-text.ts';

/** What a title may be derived from. */
export interface TitleFacts {
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference: string | null;
  /** First words of a user; null while the session has none (or none may be kept). */
  readonly titleHint: string | null;
}

/** Makes the title of a session whose client gave none. A model may stand behind it; the built-in one needs none. */
export interface TitleGenerator {
  generateTitle(facts: TitleFacts): string | Promise<string>;
}

/** Longest generated title, in characters. */
export const TITLE_MAX_LENGTH = 80;
/** More than a title, so that another generator has something to work on; small enough to live in the session's row. */
const HINT_MAX_LENGTH = 500;

/** The built-in generator: the first words of the user, cut at a word border; else where the session came from. */
export const builtInTitleGenerator: TitleGenerator = {
  generateTitle(facts) {
    // Masked before it is cut: half of a credential has no shape.
    const hint = facts.titleHint === null ? '' : shortenText(maskCredentials(facts.titleHint), TITLE_MAX_LENGTH);
    return hint === '' ? buildFallbackTitle(facts) : hint;
  },
};

/** The title of a session that has no words of a user yet. It is replaced once there are some. */
export function buildFallbackTitle(facts: Omit<TitleFacts, 'titleHint'>): string {
  const source = `${facts.sessionSourceType} ${facts.sessionReference ?? facts.sessionSourceId}`;
  return shortenText(maskCredentials(source), TITLE_MAX_LENGTH);
}

/** White space collapsed; at most `maxLength` characters, cut at a word border when there is one in the second half. */
export function shortenText(text: string, maxLength: number): string {
  // Enough of a long text to fill the title even when half of it is white space.
  const collapsed = text
    .trimStart()
    .slice(0, maxLength * 20)
    .replace(/\s+/gu, ' ')
    .trim();
  if (collapsed.length <= maxLength) return dropHalfCharacter(collapsed);
  const head = collapsed.slice(0, maxLength);
  const border = collapsed[maxLength] === ' ' ? maxLength : head.lastIndexOf(' ');
  const cut = border >= maxLength / 2 ? head.slice(0, border) : dropHalfCharacter(head);
  return cut.trimEnd();
}

/** A cut by code units may leave the first half of a surrogate pair behind. */
function dropHalfCharacter(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);

/** The first words of a user among new content, or null. Held-back bodies give none: the hint would store them. */
export function findTitleHint(
  entries: readonly SessionContentEntry[],
  options: { readonly captureContent: boolean },
): string | null {
  for (const entry of entries) {
    const words = shortenText(maskHead(findUserWords(entry, options.captureContent)), HINT_MAX_LENGTH);
    if (words !== '') return words;
  }
  return null;
}

/** Before the line breaks of a private key are gone, and before anything is cut that can be shown (MASK-5). */
function maskHead(text: string): string {
  return maskCredentials(text.trimStart().slice(0, HEAD_LENGTH));
}

const HEAD_LENGTH = 20_000;

function findUserWords(entry: SessionContentEntry, captureContent: boolean): string {
  if (entry.kind === 'transcript_message') {
    return USER_ROLES.has(entry.role.toLowerCase()) ? flattenText(entry.content) : '';
  }
  if (entry.kind === 'gateway_interaction' && captureContent) return findUserWordsOfRequest(entry.request);
  return '';
}

/** The first user message of a chat request; else a plain prompt. */
function findUserWordsOfRequest(request: unknown): string {
  if (typeof request === 'string') return request;
  if (request === null || typeof request !== 'object' || Array.isArray(request)) return '';
  const { messages, input, prompt, contents } = request as Record<string, unknown>;
  for (const list of [messages, input, contents]) {
    if (!Array.isArray(list)) continue;
    const first = (list as unknown[]).find(isUserMessage);
    if (first !== undefined) return flattenText({ ...first, role: undefined });
  }
  const plain = [prompt, input].find((value) => typeof value === 'string');
  return plain ?? '';
}

function isUserMessage(value: unknown): value is Record<string, unknown> {
  const role = (value as { role?: unknown } | null)?.role;
  return typeof role === 'string' && USER_ROLES.has(role.toLowerCase());
}
