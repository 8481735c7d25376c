import { celEnv, parse, plan } from '@bufbuild/cel';
import { checkDocument, compilePolicy, decide, type CompiledPolicy, type ToolCallFacts } from '@steward/policies';
import { printTable } from '../print-table.ts';
import { median, percentile } from '../statistics.ts';
import { measureCalls } from './measure-calls.ts';
import type { DecisionBenchOptions } from './options.ts';
import { printTargets, type Target } from './print-targets.ts';

const ROUNDS = 5;
const DECISIONS = 2_000;
const SIZES = [10, 200, 1_000] as const;
/** Targets for the median duration of a decision, by the number of rules; all rules apply to the tool. */
const MOST_MS: Readonly<Record<number, number>> = { 200: 0.4, 1000: 2 };
const NOW = new Date('2026-11-20T12:00:00Z');
const ARGUMENTS = {
  command: `git commit -m "${'a message of ordinary length '.repeat(8)}"`,
  paths: Array.from({ length: 20 }, (_, index) => `src/folder-${index}/file.ts`),
  environment: 'staging',
  count: 7,
};
const FACTS: ToolCallFacts = { tool: { server: 'shell', name: 'exec' }, args: ARGUMENTS, now: NOW };

/** Conditions of which none matches, so that a decision evaluates all rules for its tool. */
const CONDITIONS = [
  (index: number) => `has(args.command) && args.command.contains('forbidden-${index}')`,
  (index: number) => `has(args.command) && args.command.matches(r'(?i)drop\\s+table\\s+t${index}\\b')`,
  (index: number) => `has(args.paths) && args.paths.exists(p, p.startsWith('/etc/${index}'))`,
  (index: number) => `args.environment == 'production-${index}' && args.count > ${index}`,
  (index: number) => `agent.tags.exists(t, t == 'tag-${index}') || tool.name == 'other-${index}'`,
];

/** Runs `npm run bench -- decisions`: see `--help`. */
export async function runBench({ withCalls, withDecisions, reusesCallers }: DecisionBenchOptions): Promise<void> {
  if (withDecisions && !measureDecisions()) process.exitCode = 1;
  if (withCalls && !(await measureCalls(reusesCallers))) process.exitCode = 1;
}

/** Measures the decisions; returns false if a target is exceeded. */
function measureDecisions(): boolean {
  const targets: Target[] = [];
  console.log(`\n  ${DECISIONS} decisions a round, median of ${ROUNDS} rounds\n`);
  const rows = SIZES.flatMap((size) =>
    [1, 10].map((share) => {
      const policy = buildPolicy(size, share);
      measure(policy);
      const rounds = Array.from({ length: ROUNDS }, () => measure(policy));
      const of = (read: (round: Round) => number): number => median(rounds.map(read));
      const p50 = of(({ micros }) => percentile(micros, 0.5));
      const mostMs = share === 1 ? MOST_MS[size] : undefined;
      const what = `decision, p50, ${size} rules that all concern the tool`;
      if (mostMs !== undefined) targets.push({ what, measuredMs: p50 / 1000, mostMs });
      const asked = share === 1 ? 'all' : `every ${share}th`;
      const alone = share === 1 ? `${(p50 / median(measureAlone(size))).toFixed(2)} x` : '';
      return [size, asked, of(({ perSecond }) => perSecond), p50, of(({ micros }) => percentile(micros, 0.99)), alone];
    }),
  );
  printTable(['rules', 'of which for the tool', 'decisions/s', 'p50 us', 'p99 us', 'of the library alone'], rows);
  return printTargets(targets);
}

function buildPolicy(size: number, share: number): CompiledPolicy {
  const rules = listConditions(size).map((condition, index) => ({
    id: `rule-${index}`,
    description: 'a rule',
    match: { tools: [index % share === 0 ? 'shell/*' : `server-${index}/*`] },
    condition,
    action: 'deny',
  }));
  const { document, errors } = checkDocument(JSON.stringify({ version: '1', rules }));
  if (document === undefined) throw new Error(JSON.stringify(errors[0]));
  return compilePolicy(document, 1);
}

function listConditions(size: number): string[] {
  return Array.from({ length: size }, (_, index) => CONDITIONS[index % CONDITIONS.length]?.(index) ?? 'false');
}

interface Round {
  readonly perSecond: number;
  /** Duration of each decision, in microseconds. */
  readonly micros: readonly number[];
}

function measure(policy: CompiledPolicy): Round {
  const begun = performance.now();
  const micros = Array.from({ length: DECISIONS }, () => {
    const started = performance.now();
    if (decide(policy, FACTS).decision !== 'allow') throw new Error('a rule holds');
    return (performance.now() - started) * 1000;
  });
  return { perSecond: (DECISIONS / (performance.now() - begun)) * 1000, micros };
}

/** Evaluates the same conditions directly with the library; returns the microseconds per evaluation of all of them. */
function measureAlone(size: number): number[] {
  const environment = celEnv();
  const plans = listConditions(size).map((condition) => plan(environment, parse(condition)));
  const variables = { args: ARGUMENTS, agent: { tags: [] }, tool: { ...FACTS.tool } };
  return Array.from({ length: DECISIONS / 10 }, () => {
    const started = performance.now();
    for (const evaluate of plans) evaluate(variables);
    return (performance.now() - started) * 1000;
  });
}
