import { readdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { WORKSPACE_ROOT } from '../workspace.ts';

/** Step as its CI system would run it: a shell script and its environment variables. */
export interface CiStep {
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
}

const FOLDER = resolve(WORKSPACE_ROOT, 'deploy/ci');

interface GithubAction {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
  };
}

/**
 * Reads the composite action with these inputs. Expressions are expanded only in environment variables, never in the
 * script.
 */
export function readGithubStep(given: Readonly<Record<string, string>>, eventPath: string): CiStep {
  const action = parse(read('github/trigger-flow/action.yml')) as GithubAction;
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default] as const);
  const inputs = { ...Object.fromEntries(defaults), ...given };
  const [step] = action.runs.steps;
  if (step === undefined || step.run.includes('${{')) throw new Error('the script holds an expression');
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_all, name: string) => {
      if (name === 'github.event_path') return eventPath;
      return fill(inputs[name.replace('inputs.', '')] ?? '');
    });
  const variables = Object.entries(step.env).map(([name, value]) => [name, fill(value)] as const);
  return { script: step.run, variables: Object.fromEntries(variables) };
}

type GitlabVariable = string | { readonly value: string; readonly expand: boolean };
interface GitlabJob {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, GitlabVariable>>;
}

/** Reads the component's job with these inputs, which GitLab substitutes in the parsed document. */
export function readGitlabStep(given: Readonly<Record<string, string>>): CiStep {
  const [header, body] = parseAllDocuments(read('gitlab/templates/trigger-flow.yml'));
  const { spec } = header?.toJS() as { spec: { inputs: Record<string, { default: unknown }> } };
  const fill = (text: string): string =>
    text.replaceAll(
      /\$\[\[ *inputs\.([\w-]+) *\]\]/g,
      (_all, name: string) => given[name] ?? String(spec.inputs[name]?.default),
    );
  const [job] = Object.values(body?.toJS() as Record<string, GitlabJob>);
  if (job === undefined || job.script.some((line) => line.includes('$[[')))
    throw new Error('the script holds an input');
  const variables = Object.entries(job.variables).map(
    ([name, value]) => [name, fill(typeof value === 'string' ? value : value.value)] as const,
  );
  return { script: job.script.join('\n'), variables: Object.fromEntries(variables) };
}

/** Reads the `sh` step of the Jenkinsfile. Groovy joins a line that ends in a backslash with the following line. */
export function readJenkinsStep(): CiStep {
  const text = read('jenkins/Jenkinsfile');
  const script = /sh '''\n(.*?)'''/s.exec(text)?.[1];
  if (script === undefined) throw new Error('the Jenkinsfile has no sh step');
  const variables = [...text.matchAll(/^ +(STEWARD_\w+) = '([^']*)'$/gm)].map(
    ([, name, value]) => [name, value] as const,
  );
  return { script: script.replaceAll('\\\n', ''), variables: Object.fromEntries(variables) };
}

export const SHELL_SCRIPT = resolve(FOLDER, 'shell/trigger-flow.sh');

/**
 * Finds the files of snippets and documents that would install one of our packages from a registry, although none is
 * published there.
 */
export function findRegistryFetches(): string[] {
  const fetches = /(?:npx (?:--yes |-y )?|npm (?:i|install|exec)\b[^\n]*)@steward\/|@steward\/cli@/;
  return ['deploy', 'docs', 'README.md', 'tools/cli/README.md', 'libs/webhook-verify/README.md'].flatMap((place) =>
    listFiles(resolve(WORKSPACE_ROOT, place)).filter((file) => fetches.test(readFileSync(file, 'utf8'))),
  );
}

function listFiles(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath, entry.name));
}

function read(path: string): string {
  return readFileSync(resolve(FOLDER, path), 'utf8');
}
