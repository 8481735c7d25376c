import { SHELL_SETTINGS } from './commands.ts';
import { isGitSetting, noteGitConfig } from './code-settings.ts';
import { readAwk, readMakefile, runsOfSed, startsPrograms } from './foreign-code.ts';
import { placePath } from './list-writes.ts';
import { assignVariable, setPositionals, type Reading, type Run, type Runs } from './reading.ts';
import { runInput, runScript } from './run-code.ts';
import { listOperands, NO_INPUT, type Field } from './shell-program.ts';
import { findWritten, runFetched } from './written-files.ts';

/**
 * Handles programs with rules of their own: those that run code or other programs, and those that change the folder or
 * the variables of the shell.
 */
export function runSpecial(run: Run, runs: Runs): void {
  const { program } = run.program;
  if (Object.hasOwn(SPECIAL, program)) SPECIAL[program]?.(run, runs);
}

const SPECIAL: Readonly<Record<string, (run: Run, runs: Runs) => void>> = {
  eval: runEval,
  trap: (run) => runCode(run, listOperands(run.fields)[0]),
  alias(run) {
    for (const { text } of run.fields)
      if (text.includes('=')) run.reading.readCode(text.slice(text.indexOf('=') + 1), NO_INPUT);
  },
  source: runSource,
  '.': runSource,
  find: runFind,
  gfind: runFind,
  bfs: runFind,
  fd: runFind,
  fdfind: runFind,
  su(run) {
    const isCommand = run.fields.some(({ text }) => /^(?:-[a-zA-Z]*c|--command)$/.test(text));
    if (isCommand) runOption(run, /^(?:-[a-zA-Z]*c|--command)$/);
    else runInput(run);
  },
  runuser(run, { runInto }) {
    const end = run.fields.findIndex(({ text }) => text === '--');
    if (end === -1) runOption(run, COMMAND);
    else runInto(run, end + 1);
  },
  sg: (run) => runOption(run, COMMAND),
  newgrp: runInput,
  script(run, { runInto }) {
    const [, second] = listOperands(run.fields);
    if (run.fields.some(({ text }) => COMMAND.test(text))) runOption(run, COMMAND);
    else if (second !== undefined) runInto(run, run.fields.indexOf(second));
  },
  expect: (run) => (run.fields.length === 0 ? runInput(run) : runOption(run, COMMAND)),
  'nix-shell': (run) => runOption(run, /^--(?:run|command)$/),
  rg: (run) => runOption(run, /^--pre$/),
  powershell: runPowerShell,
  pwsh: runPowerShell,
  iex: runEval,
  tar: runTar,
  make: runMake,
  gmake: runMake,
  sed: runSed,
  gsed: runSed,
  socat(run) {
    run.program.unreadable ||= run.fields.some(({ text }) => /^(?:exec|system|shell):/i.test(text));
  },
  crontab: runCrontab,
  mapfile: (run) => runOption(run, /^-C$/),
  readarray: (run) => runOption(run, /^-C$/),
  complete: (run) => runOption(run, /^-C$/),
  ...Object.fromEntries(['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'emacs'].map((name) => [name, runEditor])),
  tmux: runTexts,
  hyperfine: runTexts,
  concurrently: runTexts,
  at: runInput,
  batch: runInput,
  awk: runAwk,
  gawk: runAwk,
  nawk: runAwk,
  mawk: runAwk,
  cd: (run) => changeFolder(run.reading, listOperands(run.fields)[0]),
  pushd: (run) => changeFolder(run.reading, listOperands(run.fields)[0]),
  set(run) {
    if (run.fields[0]?.text === '--') setPositionals(run.reading, run.fields.slice(1));
  },
  read: readInput,
  git: runGit,
};

/** Treats each argument that contains white space as a command line. */
function runTexts(run: Run): void {
  for (const field of run.fields) if (/\s/.test(field.text)) runCode(run, field);
}

function runCode({ reading, streams }: Run, field: Field | undefined): void {
  if (field !== undefined) reading.readCode(field.text, streams.input);
}

function runEval(run: Run): void {
  const { reading, program, fields, streams } = run;
  const from = fields.flatMap((field) => field.from);
  // Settings printed by known tools are not treated as foreign code.
  if (from.length > 0 && from.every((name) => SHELL_SETTINGS.has(name)) && fields.length === 1) return;
  program.code_from.push(...new Set(from));
  const words = fields.map(({ text }) => text);
  reading.readCode((words[0] === '--' ? words.slice(1) : words).join(' '), streams.input);
}

function runSource(run: Run): void {
  const [file, ...others] = run.fields;
  if (file === undefined) return;
  if (file.from.length > 0 && file.from.every((name) => SHELL_SETTINGS.has(name))) return;
  if (!/^\/dev\/(?:stdin|fd\/0)$/.test(file.text)) return runScript(run, file, others);
  runInput(run);
}

/** Reads the commands that an awk program runs through `system` or through a pipe. */
function runAwk({ reading, program, fields }: Run): void {
  for (const { text } of fields) {
    const { commands, runsOthers } = readAwk(text);
    program.unreadable ||= runsOthers;
    for (const command of commands) reading.readCode(command, NO_INPUT);
  }
}

const COMMAND = /^(?:-[a-zA-Z]*c|--command)$/;

/** Reads PowerShell code as if it were shell code, unless the code contains `{`, `}`, `$` or `@`. */
function runPowerShell(run: Run): void {
  const at = run.fields.findIndex(({ text }) => /^-(?:c|command)$/i.test(text));
  const code =
    at === -1
      ? ''
      : run.fields
          .slice(at + 1)
          .map(({ text }) => text)
          .join(' ');
  run.program.unreadable ||= startsPrograms('pwsh', code) || /\b(?:iex|invoke-expression|start-process)\b/i.test(code);
  if (!/[{}$@]/.test(code)) run.reading.readCode(code, run.streams.input);
}

function runTar(run: Run): void {
  for (const [index, { text }] of run.fields.entries()) {
    const [, code] =
      /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command|info-script)=(.*)$/s.exec(text) ?? [];
    if (code !== undefined) run.reading.readCode(code, run.streams.input);
    else if (/^(?:-I|--to-command|--use-compress-program)$/.test(text)) runCode(run, run.fields[index + 1]);
  }
}

/** Reads the recipes of a Makefile that the command line contains or has written. */
function runMake(run: Run): void {
  const { reading, program, fields, streams } = run;
  for (const [index, field] of fields.entries()) {
    const before = fields[index - 1]?.text ?? '';
    const [, inline] = /^(?:--eval=|-E)(.+)$/s.exec(field.text) ?? [];
    if (inline !== undefined || /^(?:--eval|-E)$/.test(before))
      reading.readCode(readMakefile(inline ?? field.text), NO_INPUT);
    if (!/^(?:-f|--file|--makefile)$/.test(before)) continue;
    runFetched(reading, program, field);
    const text =
      (field.text === '-' || field.text === '/dev/stdin') && streams.input.kind === 'text'
        ? streams.input.text
        : findWritten(reading, field);
    if (text !== undefined) reading.readCode(readMakefile(text), NO_INPUT);
    else if (streams.input.kind === 'programs' && field.text === '-') runInput(run);
  }
}

function runSed({ program, fields }: Run): void {
  program.unreadable ||= fields.some(({ text }) => runsOfSed(text));
}

/**
 * Detects that an editor is told to run a shell command: by an exclamation mark, or by code in the language of the
 * editor.
 */
function runEditor({ program, fields, streams }: Run): void {
  const typed = streams.input.kind === 'text' ? streams.input.text.split('\n') : [];
  const commands = [...fields.map(({ text }) => text), ...typed];
  program.unreadable ||= commands.some((text) =>
    /^(?:\+|:|\s)*(?:sil\w*!?\s+)?(?:\d*r\s*|[%\d,.$]*w\s*)?!|\bsystem\(|\(shell-command/.test(text),
  );
}

/**
 * Reads the commands of a crontab on standard input; in each line, five time fields or a name such as `@daily` precede
 * the command.
 */
function runCrontab(run: Run): void {
  const { reading, program, fields, streams } = run;
  if (fields.length > 0 && !fields.some(({ text }) => text === '-')) return;
  if (streams.input.kind === 'programs') {
    program.code_from.push(...streams.input.names);
    program.unreadable = true;
  }
  if (streams.input.kind !== 'text') return;
  const commands = streams.input.text.split('\n').map((line) => line.replace(/^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+/, ''));
  reading.readCode(commands.join('\n'), NO_INPUT);
}

const FIND_RUNS = /^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/;

function runFind({ reading, fields }: Run, { runWords }: Runs): void {
  for (const [index, { text }] of fields.entries()) {
    if (!FIND_RUNS.test(text)) continue;
    const rest = fields.slice(index + 1);
    const end = rest.findIndex((field) => field.text === ';' || field.text === '+');
    runWords(reading, end === -1 ? rest : rest.slice(0, end), { input: NO_INPUT, writes: [], writesUnknown: false });
  }
}

function runOption(run: Run, option: RegExp): void {
  const at = run.fields.findIndex(({ text }) => option.test(text));
  if (at !== -1) runCode(run, run.fields[at + 1]);
}

function changeFolder(reading: Reading, field: Field | undefined): void {
  const home: Field = { text: '~', isKnown: true, isGlob: false, from: [], mayBeOption: false };
  if (field?.text === '-') reading.folder = undefined;
  else reading.folder = placePath(reading, field ?? home);
}

function readInput({ reading, fields, streams }: Run): void {
  const texts = streams.input.kind === 'text' ? [streams.input.text.trim()] : [];
  for (const { text } of listOperands(fields))
    if (/^[A-Za-z_]\w*$/.test(text) && texts.length > 0) assignVariable(reading, text, { texts, isKnown: true });
}

function runGit(run: Run, { runInto }: Runs): void {
  const { reading, program, fields, streams } = run;
  const texts = fields.map(({ text }) => text);
  const isSet = texts.some(
    (text, index) => (texts[index - 1] === '-c' && isGitSetting(text)) || text.startsWith('--config-env'),
  );
  program.unreadable ||= isSet;
  if (program.subcommand === 'config')
    program.unreadable ||= noteGitConfig(reading, texts.slice(texts.indexOf('config') + 1));
  if (program.subcommand === 'remote') program.unreadable ||= texts.some((text) => /^--mirror(?:=push)?$/.test(text));
  if (program.subcommand === 'filter-branch') runOption(run, /^--[a-z]+-filter$/);
  const at = texts.indexOf(program.subcommand);
  if (program.subcommand === 'submodule' && texts[at + 1] === 'foreach')
    return reading.readCode(
      texts
        .slice(at + 2)
        .filter((text) => !/^--?(?:recursive|q|quiet)$/.test(text))
        .join(' '),
      streams.input,
    );
  if (program.subcommand === 'bisect' && texts[at + 1] === 'run') return runInto(run, at + 2);
  if (program.subcommand !== 'rebase') return;
  runOption(run, /^(?:-x|--exec)$/);
  for (const text of texts)
    if (text.startsWith('--exec=')) reading.readCode(text.slice('--exec='.length), streams.input);
}
