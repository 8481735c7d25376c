const MOST = 72;
const FORM = /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./, -]+\))?!?: (?<subject>.+)$/;

/** Words with which a statement about the new state or a fragment may begin, but not an imperative. */
const NO_VERBS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'the', 'this', 'that', 'these', 'those', 'each', 'every', 'all', 'any', 'no', 'some', 'one', 'two'],
  ...['who', 'whoever', 'what', 'whatever', 'which', 'where', 'when', 'while', 'why', 'how', 'if', 'as', 'because'],
  ...['i', 'we', 'you', 'he', 'she', 'it', 'they', 'its', 'their', 'our', 'your', 'there', 'nobody', 'everybody'],
  ...['of', 'in', 'on', 'at', 'by', 'for', 'from', 'with', 'without', 'to', 'behind', 'beside', 'between', 'and', 'or'],
  ...['is', 'are', 'was', 'were', 'has', 'have', 'had', 'can', 'may', 'must', 'will', 'not', 'also', 'only', 'more'],
]);
/** Verbs whose imperative ends like a participle or a gerund. */
const VERBS: ReadonlySet<string> = new Set([
  'embed',
  'feed',
  'need',
  'seed',
  'shed',
  'speed',
  'bring',
  'ping',
  'string',
]);

/** Returns the error in a commit's title, as a sentence; undefined if there is none. */
export function judgeTitle(title: string): string | undefined {
  if (title.startsWith('Merge ') || title.startsWith('Revert "')) return undefined;
  if (title.length > MOST) return `has ${title.length} characters; ${MOST} are allowed`;
  const subject = FORM.exec(title)?.groups?.['subject'];
  if (subject === undefined) return 'does not start with a type of Conventional Commits, such as "fix(api-gateway): "';
  const [first = ''] = subject.toLowerCase().split(/[\s,:;]/);
  const isParticiple = /(?:ed|ing)$/.test(first) && !VERBS.has(first);
  if (NO_VERBS.has(first) || isParticiple) return `begins with "${first}": start with a verb in the imperative`;
  return subject.endsWith('.') ? 'ends with a full stop' : undefined;
}
