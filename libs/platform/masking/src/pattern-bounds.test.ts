import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { COMMAND_RULES } from './command-rules.ts';
import { CONTEXT_RULES } from './context-rules.ts';
import { RUN_SHAPES } from './run-shapes.ts';
import { TOKEN_RULES } from './token-rules.ts';
import { VENDOR_RULE } from './vendor-rule.ts';

const PATTERNS: readonly (readonly [id: string, source: string])[] = [
  ...TOKEN_RULES.map(({ id, rest }) => [id, rest] as const),
  ...[...CONTEXT_RULES, VENDOR_RULE].map(({ id, pattern }) => [id, pattern.source] as const),
  ...COMMAND_RULES.map(({ id, option }) => [id, option.source] as const),
  ...RUN_SHAPES.map(({ id, pattern }) => [id, pattern.source] as const),
];

/** Number of repetitions up to which a part can match in only a few ways, for example `(?:-[A-Z0-9]{5,6}){2,4}`. */
const FEW = 4;

/**
 * Tests that the number of steps of each rule is bounded for any text, which may nearly match a rule many times
 * (MASK-13).
 */
describe('credential patterns', () => {
  it.each(PATTERNS)('%s: each repetition is bounded', (_id, source) => {
    expect(listQuantifiers(source).filter(({ max }) => max === Number.POSITIVE_INFINITY)).toEqual([]);
  });

  it.each(PATTERNS)('%s: no repetition occurs within another unbounded one', (_id, source) => {
    const nested = listQuantifiers(source).filter((quantifier) => quantifier.max > FEW && hasRepetition(quantifier));
    expect(nested.map(({ raw }) => raw)).toEqual([]);
  });
});

function listQuantifiers(source: string): AST.Quantifier[] {
  const quantifiers: AST.Quantifier[] = [];
  visitRegExpAST(new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source), {
    onQuantifierEnter: (quantifier) => quantifiers.push(quantifier),
  });
  return quantifiers;
}

function hasRepetition({ element }: AST.Quantifier): boolean {
  return listQuantifiers(element.raw).some(({ min, max }) => max > min && max > 1);
}
