/** Patterns of calls, in scripting languages, that start programs or delete folders. */
const STARTS = [
  /\bos\s*\.\s*(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|\bsubprocess\b|\bchild_process\b|\bpty\s*\.\s*spawn/,
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_tree|remove_entry\w*|popen|Open3|shell_exec|passthru|proc_open|pcntl_exec)\b/,
  /(?<![.\w])(?:system|spawn)\s*(?:[("'%]|q[qw]?\b)|(?<![.\w])exec\s*(?:\(?\s*["'`%]|q[qw]?\b)|%x[^\w\s]/,
  // The methods may belong to any object. The only harmless method with such a name, `platform.system()`, has no
  // argument, and the pattern requires an argument.
  /\.\s*(?:system|execSync|execFile|execFileSync|spawnSync)\s*\(\s*[^)\s]/,
  /\bKernel\s*\.\s*(?:system|spawn|exec|`)|\bprocess\s*\.\s*binding\b|\bdo shell script\b/,
  /\bBun\s*\.\s*(?:\$|spawn)|\bDeno\s*\.\s*(?:Command|run|remove)|\bFileUtils\s*\.\s*(?:rm|remove)/,
  /\brm\w{0,20}\s{0,9}\([^;]{0,300}\brecursive\b/,
];
/** Languages in which backticks run a command. */
const WITH_BACKTICKS = /^(?:perl|ruby|php)/;
const PERL = /\bqx\s*[({[<|!/"']|\bopen\b[^;|"']{0,60}["'][^;|"']{0,100}\|/;
const SHELL_OF_BUN = /\$\s*`/;
const TCL = /\bexec\b/;
const FETCHES =
  /\b(?:urlopen|urlretrieve|Net::HTTP|LWP|open-uri)\b|\b(?:requests|httpx|http|https|axios)\s*\.\s*get\b|\bfetch\s*\(|\bfile_get_contents\s*\(\s*["']https?:/;
const EVALUATES = /\b(?:exec|eval|compile|Function|instance_eval|runIn\w*Context)\b/;

/**
 * Returns whether code in another language starts programs, deletes folders, or executes what it downloads. This
 * function does not determine which programs or folders these are.
 */
export function startsPrograms(program: string, code: string): boolean {
  if (STARTS.some((start) => start.test(code)) || (FETCHES.test(code) && EVALUATES.test(code))) return true;
  if (WITH_BACKTICKS.test(program) && /`[^`]+`/.test(code)) return true;
  if (program.startsWith('perl')) return PERL.test(code);
  if (program === 'bun') return SHELL_OF_BUN.test(code);
  return program === 'tclsh' && TCL.test(code);
}

/** Returns whether a sed script executes commands, with `s///e` or the command `e`; for awk see `readAwk`. */
export function runsOfSed(script: string): boolean {
  const address = String.raw`(?:\d{1,9}|\$|/[^/]{0,99}/)`;
  const isCommand = new RegExp(
    String.raw`(?:^|[;{}\n])\s{0,9}(?:${address}(?:,\s{0,9}${address})?)?\s{0,9}e(?:\s|$)`,
  ).test(script);
  return isCommand || /s([/|#,@!])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiImM0-9]*e/.test(script);
}

/**
 * Returns the commands that an awk program runs, as far as they are string literals in the program, and whether the
 * program also runs other commands.
 */
export function readAwk(code: string): { readonly commands: readonly string[]; readonly runsOthers: boolean } {
  const commands: string[] = [];
  const take = (_whole: string, command: string): string => {
    commands.push(command.replaceAll(/\\(.)/g, '$1'));
    return ' ';
  };
  const text = String.raw`"((?:\\.|[^"\\]){0,400})"`;
  const rest = code
    .replaceAll(new RegExp(String.raw`\bsystem\s*\(\s*${text}\s*\)`, 'g'), take)
    .replaceAll(new RegExp(String.raw`${text}\s*\|&?\s*getline`, 'g'), take)
    .replaceAll(new RegExp(String.raw`(?<!\|)\|&?\s*${text}(?=\s*(?:[;}\n]|$))`, 'g'), take);
  return {
    commands,
    runsOthers: /\bsystem\s*\(|(?<!\|)\|&?(?!\|)\s*(?:getline\b|["(]|[A-Za-z_]\w*\s*(?:[;}\n]|$))/.test(rest),
  };
}

/**
 * Returns the code that a Makefile runs: the lines of recipes, with placeholders for the variables that make expands.
 */
export function readMakefile(text: string): string {
  return text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap(findRecipe)
    .map((line) =>
      line
        .trim()
        .replace(/^[@+-]+/, '')
        .replaceAll(/\$[({](\w+)[)}]/g, 'make_$1')
        .replaceAll('$$', '$'),
    )
    .join('\n');
}

/** Returns the recipe of a line: the whole line if it starts with a tab, or the part after the semicolon of a rule. */
function findRecipe(line: string): readonly string[] {
  if (line.startsWith('\t')) return [line];
  const end = line.indexOf(';');
  const rule = end === -1 ? '' : line.slice(0, end);
  return rule.includes(':') && !rule.includes('=') ? [line.slice(end + 1)] : [];
}
