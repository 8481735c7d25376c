import { maskCredentials } from '@steward/masking';
import type { SessionContentEntry } from '../../content/rules/content-kinds.ts';
import { flattenText } from '../../content/rules/flatten-text.ts';
import { findPersonWords } from './person-words.ts';

/** Input for a title. */
export interface TitleFacts {
  readonly sessionSourceType: string;
  readonly sessionSourceId: string;
  readonly sessionReference: string | null;
  /** First words of a user; null if the session has none (or none may be stored). */
  readonly titleHint: string | null;
}

/**
 * Generates the title of a session whose client has not set one. A generator may use a model; the built-in one does
 * not.
 */
export interface TitleGenerator {
  generateTitle(facts: TitleFacts): string | Promise<string>;
}

/** Maximum length of a generated title, in characters. */
export const TITLE_MAX_LENGTH = 80;
/**
 * Maximum length of a stored `titleHint`: longer than a title, so that other generators have enough input, but small
 * enough for the session's row.
 */
const HINT_MAX_LENGTH = 500;

/**
 * The built-in generator. The title consists of the first words of the user, truncated at a word boundary; if there are
 * none, it names the source of the session.
 */
export const builtInTitleGenerator: TitleGenerator = {
  generateTitle(facts) {
    return makeTitle(facts);
  },
};

/** Derives the title of a session from its data. */
export function makeTitle(facts: TitleFacts): string {
  // The text is masked before it is truncated, because part of a credential would not match any rule.
  const words = facts.titleHint === null ? '' : findPersonWords(facts.titleHint);
  const hint = shortenText(maskCredentials(words), TITLE_MAX_LENGTH);
  return hint === '' ? buildFallbackTitle(facts) : hint;
}

/**
 * Returns whether the stored words can be used for a title: an earlier release also stored words written by programs.
 */
export function hasPersonWords(titleHint: string | null): titleHint is string {
  return titleHint !== null && findPersonWords(titleHint) !== '';
}

/**
 * Returns the title of a session that contains no words of a user. The title is replaced as soon as the session
 * contains such words.
 */
export function buildFallbackTitle(facts: Omit<TitleFacts, 'titleHint'>): string {
  const source = `${facts.sessionSourceType} ${facts.sessionReference ?? facts.sessionSourceId}`;
  return shortenText(maskCredentials(source), TITLE_MAX_LENGTH);
}

/**
 * Collapses white space and shortens a text to `maxLength` characters, truncated at a word boundary if there is one in
 * the second half.
 */
export function shortenText(text: string, maxLength: number): string {
  // Only the beginning of the text is processed; its length is sufficient for a title even if most of it is white
  // space.
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

/** Removes half of a surrogate pair at the end, which truncating by code units may leave. */
function dropHalfCharacter(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

const USER_ROLES: ReadonlySet<string> = new Set(['user', 'human']);

/**
 * Returns the first words of a user in new content, or null. Bodies that are not stored are skipped, because the hint
 * would store their words.
 */
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

/**
 * Returns the beginning of a text, with its credentials masked. `shortenText` may only be called afterwards, because it
 * removes the line breaks of a private key and truncates the text (MASK-5).
 */
function maskHead(text: string): string {
  return maskCredentials(text.trimStart().slice(0, HEAD_LENGTH));
}

const HEAD_LENGTH = 20_000;

function findUserWords(entry: SessionContentEntry, captureContent: boolean): string {
  if (entry.kind === 'transcript_message') {
    return USER_ROLES.has(entry.role.toLowerCase()) && entry.byProgram !== true ? readWords(entry.content) : '';
  }
  if (entry.kind === 'gateway_interaction' && captureContent) return findUserWordsOfRequest(entry.request);
  return '';
}

/**
 * Returns the words of a person in a request: those of the first user message that has any; if there is no such
 * message, those of a plain prompt.
 */
function findUserWordsOfRequest(request: unknown): string {
  if (typeof request === 'string') return findPersonWords(request);
  if (request === null || typeof request !== 'object') return '';
  if (Array.isArray(request)) return findWordsOfMessages(request);
  const { messages, input, prompt, contents } = request as Record<string, unknown>;
  for (const list of [messages, input, contents]) {
    const words = Array.isArray(list) ? findWordsOfMessages(list) : '';
    if (words !== '') return words;
  }
  const plain = [prompt, input].find((value) => typeof value === 'string');
  return plain === undefined ? '' : findPersonWords(plain);
}

/** Returns the first words of a person in a list of messages; LangChain uses nested lists. */
function findWordsOfMessages(list: readonly unknown[]): string {
  for (const value of list) {
    const message = toMessage(value);
    const words = Array.isArray(message) ? findWordsOfMessages(message) : readUserMessage(message);
    if (words !== '') return words;
  }
  return '';
}

function toMessage(value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'string' && value.length === 2
    ? { role: value[0], content: value[1] as unknown }
    : value;
}

function readUserMessage(value: unknown): string {
  if (value === null || typeof value !== 'object') return '';
  const { role, type, content, parts, text } = value as Record<string, unknown>;
  const said = [role, type].find((name) => typeof name === 'string');
  if (typeof said !== 'string' || !USER_ROLES.has(said.toLowerCase())) return '';
  return readWords(content ?? parts ?? text ?? { ...value, role: undefined, type: undefined });
}

/**
 * Returns the texts of a message, each without what the agent's program added; images, files and tool results are
 * skipped.
 */
function readWords(content: unknown): string {
  if (typeof content === 'string') return findPersonWords(content);
  if (!Array.isArray(content)) return findPersonWords(flattenText(content));
  return (content as unknown[])
    .map(readBlockText)
    .map((text) => findPersonWords(text))
    .filter((words) => words !== '')
    .join('\n');
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text']);

/**
 * Returns the text of a block, which may be `{type: "text", text}`, `{text}` (Gemini) or `{type: "text", content}`
 * (OpenTelemetry).
 */
function readBlockText(block: unknown): string {
  if (typeof block === 'string') return block;
  if (block === null || typeof block !== 'object') return '';
  const { type, text, content, synthetic } = block as Record<string, unknown>;
  // OpenCode marks the text that the program itself adds.
  const words =
    TEXT_TYPES.has(type) && synthetic !== true ? [text, content].find((value) => typeof value === 'string') : undefined;
  return typeof words === 'string' ? words : '';
}
