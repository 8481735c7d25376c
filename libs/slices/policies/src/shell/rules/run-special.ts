import { SHELL_SETTINGS } from './commands.ts';
import { placePath } from './list-writes.ts';
import { assignVariable, setPositionals, type Reading, type Run, type Runs } from './reading.ts';
import { runInput, runScript } from './run-code.ts';
import { listOperands, NO_INPUT, type Field } from './shell-program.ts';

/** Programs that run others in ways of their own. */
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
  fd: runFind,
  fdfind: runFind,
  su(run) {
    const isCommand = run.fields.some(({ text }) => /^(?:-[a-zA-Z]*c|--command)$/.test(text));
    if (isCommand) runOption(run, /^(?:-[a-zA-Z]*c|--command)$/);
    else runInput(run);
  },
  runuser: (run) => runOption(run, /^(?:-[a-zA-Z]*c|--command)$/),
  script: (run) => runOption(run, /^(?:-[a-zA-Z]*c|--command)$/),
  tmux: runTexts,
  hyperfine: runTexts,
  concurrently: runTexts,
  at: runInput,
  batch: runInput,
  awk: runAwk,
  gawk: runAwk,
  mawk: runAwk,
  cd: (run) => changeFolder(run.reading, listOperands(run.fields)[0]),
  pushd: (run) => changeFolder(run.reading, listOperands(run.fields)[0]),
  set(run) {
    if (run.fields[0]?.text === '--') setPositionals(run.reading, run.fields.slice(1));
  },
  read: readInput,
  git: runGit,
};

/** Arguments with blanks are commands. */
function runTexts(run: Run): void {
  for (const field of run.fields) if (/\s/.test(field.text)) runCode(run, field);
}

function runCode({ reading, streams }: Run, field: Field | undefined): void {
  if (field !== undefined) reading.readCode(field.text, streams.input);
}

function runEval(run: Run): void {
  const { reading, program, fields, streams } = run;
  const from = fields.flatMap((field) => field.from);
  // The settings of known tools are no program of somebody else.
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

/** Programs of awk start others by `system` and by pipes. */
function runAwk({ program, fields }: Run): void {
  program.unreadable ||= fields.some(({ text }) => /\bsystem\s*\(|\|\s*(?:getline|")|"\s*\|/.test(text));
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

/** Settings that make other commands of git, and programs that it runs. */
const GIT_SETTINGS =
  /^(?:alias\.|core\.(?:sshcommand|pager|editor|fsmonitor|hookspath)|credential\.helper|remote\..*\.(?:push|mirror)|push\.mirror|.*\.(?:command|textconv|cmd)\b)/i;

function runGit(run: Run, { runInto }: Runs): void {
  const { reading, program, fields, streams } = run;
  const texts = fields.map(({ text }) => text);
  const isSet = texts.some(
    (text, index) => (texts[index - 1] === '-c' && GIT_SETTINGS.test(text)) || text.startsWith('--config-env'),
  );
  program.unreadable ||= isSet;
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
  if (program.subcommand === 'rebase') runOption(run, /^(?:-x|--exec)$/);
}
