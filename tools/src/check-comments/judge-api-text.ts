import { judgeComment } from './judge-comment.ts';

/** Matches first words of a summary that is not an imperative. */
const NO_VERB =
  /^(?:the|an?|one|all|each|every|its|this|that|your|no|not|in|on|at|for|from|to|with|how|why|when|where|whether)\b/i;
/** Idioms that have a plain equivalent in a reference. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/\bleft out\b/i, 'omitted'],
  [/\btakes? \w+ away\b/i, 'remove'],
  [/\bput right\b/i, 'correct'],
  [/\bof one[’']s own\b/i, 'self-hosted, or your own'],
];

/** Returns the fault of a summary or a description in the OpenAPI document; undefined if there is none. */
export function judgeApiText(text: string, isSummary: boolean): string | undefined {
  for (const paragraph of text.split(/\n\n+/)) {
    const fault = judgeComment(paragraph);
    if (fault !== undefined) return fault;
    for (const [idiom, plain] of IDIOMS) {
      const found = idiom.exec(paragraph)?.[0];
      if (found !== undefined) return `says "${found}": ${plain}`;
    }
  }
  const noVerb = isSummary ? NO_VERB.exec(text)?.[0] : undefined;
  return noVerb === undefined ? undefined : `begins with "${noVerb}": begin with an imperative verb`;
}
