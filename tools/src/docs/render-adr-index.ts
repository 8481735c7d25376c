import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';

const TITLE = /^# (?<number>\d{4})\. (?<title>.+)$/m;
const FIELD = (name: string): RegExp => new RegExp(`^\\|\\s*${name}\\s*\\|\\s*(?<value>.*?)\\s*\\|$`, 'm');

/**
 * Renders a list of the decisions in docs/develop/adr, with one line for each.
 *
 * @throws for a decision without a valid title, date or status
 */
export function renderAdrIndex(): string {
  const rows = globSync('docs/develop/adr/[0-9]*.md', { cwd: WORKSPACE_ROOT }).sort().map(describeDecision);
  return [
    '# Decisions',
    '',
    'Generated from the heads of the files beside it by `npm run docs`. A new decision gets the next number and the format of the previous one; one that is',
    'superseded keeps its text and gets "superseded by" in its status.',
    '',
    '| decision | date | status |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function describeDecision(file: string): string {
  const text = readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
  const { number, title } = TITLE.exec(text)?.groups ?? {};
  const date = FIELD('Date').exec(text)?.groups?.['value'];
  const status = FIELD('Status').exec(text)?.groups?.['value'];
  if (number === undefined || title === undefined || date === undefined || status === undefined)
    throw new Error(`${file} needs "# NNNN. Title" and a table with Date and Status`);
  return `| [${number}. ${title}](${basename(file)}) | ${date} | ${status} |`;
}
