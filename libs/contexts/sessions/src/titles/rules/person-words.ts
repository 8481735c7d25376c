import { BEFORE_WORDS, PERSON_BLOCKS, PROGRAM_BLOCKS, PROGRAM_MESSAGES, QUOTED_BLOCKS } from './agent-blocks.ts';

/**
 * Maximum number of characters that are searched after the leading blocks are removed: enough for the words and for
 * blocks between them.
 */
const MOST_CHARS = 20_000;
/** Maximum number of blocks before the words; processing a text that consists only of blocks must not take long. */
const MOST_BLOCKS = 100;

/**
 * Returns the part of a user message that a person wrote: without reminders, environment details, instructions and
 * wrappers added by the agent's program; empty if the program wrote all of it. The running time is linear in the length
 * of the text.
 */
export function findPersonWords(text: string): string {
  let rest = skipBefore(text.trimStart());
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks += 1) {
    if (isProgramMessage(rest)) {
      // The instructions may be in a separate block that is followed by words of the person.
      const instructions = /^# AGENTS\.md instructions[^\n]{0,1000}\s*<INSTRUCTIONS>/.exec(rest);
      const end = instructions === null ? -1 : rest.indexOf(CLOSING_INSTRUCTIONS, instructions[0].length);
      if (end < 0) return '';
      rest = skipBefore(rest.slice(end + CLOSING_INSTRUCTIONS.length).trimStart());
      continue;
    }
    const block = readBlock(rest);
    if (block === undefined) return findTypedWords(rest);
    const outcome = takeBlock(rest, block);
    if (outcome.words !== undefined) return outcome.words;
    rest = skipBefore(outcome.rest.trimStart());
  }
  return findTypedWords(rest);
}

const CLOSING_INSTRUCTIONS = '</INSTRUCTIONS>';

interface Block {
  readonly name: string;
  /** Text within the block; undefined if the block is not closed. */
  readonly inner: string | undefined;
  readonly rest: string;
}

const OPENING = /^<([A-Za-z][\w-]{0,63}(?: instructions)?)(?:\s[^<>]{0,300})?>/;

/** Parses the block at the beginning of a text. */
function readBlock(text: string): Block | undefined {
  const [opening, name] = OPENING.exec(text) ?? [];
  if (opening === undefined || name === undefined) return undefined;
  const closing = `</${name}>`;
  const end = text.indexOf(closing, opening.length);
  if (end < 0) return { name, inner: undefined, rest: '' };
  return { name, inner: text.slice(opening.length, end), rest: text.slice(end + closing.length) };
}

type Taken =
  { readonly words: string; readonly rest?: undefined } | { readonly words?: undefined; readonly rest: string };

function takeBlock(text: string, { name, inner, rest }: Block): Taken {
  if (name === 'command-name' || name === 'command-message') return { words: findCommandWords(text) };
  if (PROGRAM_BLOCKS.has(name)) return { rest };
  const after = rest.trim();
  if (inner === undefined) return { words: findTypedWords(text) };
  if (PERSON_BLOCKS.has(name)) return { rest: `${inner}\n${after}` };
  if (QUOTED_BLOCKS.has(name) && (after === '' || /\b(?:title|summar|topic)/i.test(after.slice(0, 500))))
    return { words: '' };
  // If text follows a document, the title is derived from this text; otherwise the document is used.
  const isDocument = isTag(name) || inner.length > LEAST_DOCUMENT_CHARS || inner.includes('\n');
  return after !== '' && isDocument ? { rest } : { words: findTypedWords(text) };
}

/** Maximum length of a one-line block that is read as part of the text after it; a longer block is a document. */
const LEAST_DOCUMENT_CHARS = 80;

/** Returns whether a tag name consists of several words, as the names of tags in prompts do. */
function isTag(name: string): boolean {
  return /[_-]/.test(name);
}

const OWN_COMMANDS =
  /^\/?(?:about|add-dir|agents|approvals|auth|bashes|bug|chat|clear|compact|config|context|copy|cost|diff|dir|directory|docs|doctor|editor|effort|exit|export|extensions|fast|help|hooks|ide|init|install-github-app|login|logout|mcp|memory|mode|model|new|output-style|permissions|plugin|plugins|privacy-settings|quit|release-notes|rename|reset|restore|resume|rewind|settings|share|stats|status|statusline|terminal-setup|theme|todos|tools|undo|upgrade|usage|vim)$/;

/** Matches a typed command; a name with a further slash is a path. */
const TYPED_COMMAND = /^(\/[A-Za-z][\w:.-]{0,100})(?:\s+([\s\S]*))?$/;

/** Matches placeholders for an image, a file or a long text that was pasted into the prompt. */
const PLACEHOLDERS =
  /\[(?:Image|Pasted text|Pasted|File|Audio|Video|PDF)(?: #?\d{1,6}(?: \+\d{1,9} lines)?| ~?\d{1,9} lines| [^\]\s]{1,200}\.[A-Za-z0-9]{2,5}|: [^\]\n]{1,400})\]|<\/?image(?: name=[^<>]{0,200})?>/g;

/** Returns the typed words without placeholders; empty for a built-in command, and for a command without arguments. */
function findTypedWords(text: string): string {
  const words = dropInner(text).replace(PLACEHOLDERS, ' ').trim();
  const [, name, given = ''] = TYPED_COMMAND.exec(words.slice(0, MOST_CHARS)) ?? [];
  return name !== undefined && (OWN_COMMANDS.test(name) || given.trim() === '') ? '' : words;
}

/**
 * Returns a custom command with its arguments. Returns an empty text for a built-in command, and for a custom command
 * with fewer than two words of arguments, because such a command does not describe the work.
 */
function findCommandWords(text: string): string {
  const head = text.slice(0, MOST_CHARS);
  const [, name = ''] = /<command-name>([^<]{0,200})<\/command-name>/.exec(head) ?? [];
  const [, given = ''] = /<command-args>([\s\S]{0,10000}?)<\/command-args>/.exec(head) ?? [];
  const words = given.trim();
  if (OWN_COMMANDS.test(name.trim()) || !/\s/.test(words)) return '';
  return `${name.trim()} ${words}`;
}

function skipBefore(text: string): string {
  for (const pattern of BEFORE_WORDS) {
    const found = pattern.exec(text.slice(0, 10 * MOST_CHARS));
    if (found !== null) return text.slice(found[0].length).trimStart();
  }
  return text;
}

function isProgramMessage(text: string): boolean {
  const head = text.slice(0, MOST_CHARS).trimEnd();
  return PROGRAM_MESSAGES.some((pattern) => pattern.test(head));
}

/** Removes program blocks among or after the words. */
function dropInner(text: string): string {
  const head = text.slice(0, MOST_CHARS);
  let kept = '';
  let from = 0;
  for (const { index, 0: opening, 1: name = '' } of head.matchAll(ANY_OPENING)) {
    if (index < from || !PROGRAM_BLOCKS.has(name) || !isTag(name)) continue;
    const closing = `</${name}>`;
    const end = head.indexOf(closing, index + opening.length);
    // If the whole text was searched, an opening tag without a closing one is only a mention of the name, not a block.
    if (end < 0 && head.length === text.length) continue;
    kept += head.slice(from, index);
    from = end < 0 ? head.length : end + closing.length;
  }
  return (kept + head.slice(from)).trim();
}

const ANY_OPENING = /<([A-Za-z][\w-]{0,63})(?:\s[^<>]{0,300})?>/g;
