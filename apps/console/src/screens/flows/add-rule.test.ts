import { addRule, type GateRule } from './add-rule.ts';

const RULE: GateRule = {
  id: 'ask',
  description: 'People: are asked',
  match: { tools: ['ops/deploy'], flows: ['f-1'] },
  action: 'require_approval',
  workflow: 'people',
};
const LINE = JSON.stringify(RULE);
const yaml = (text: string) => addRule({ text, format: 'yaml', version: 3 }, RULE);

describe('a rule that is added to a policy', () => {
  it('is inserted before all others, and the existing text is retained', () => {
    expect(
      yaml('version: "1" # ours\nrules: # in order\n    # dear\n    - id: a\n      action: deny\ndefaults: {}\n'),
    ).toBe(
      `version: "1" # ours\nrules: # in order\n    - ${LINE}\n    # dear\n    - id: a\n      action: deny\ndefaults: {}\n`,
    );
    expect(yaml('version: "1"\nrules:\n- id: a\n')).toBe(`version: "1"\nrules:\n- ${LINE}\n- id: a\n`);
  });

  it('is the only rule of a policy that had none', () => {
    expect(yaml('version: "1"\nrules: []\ndefaults: {}\n')).toBe(`version: "1"\nrules:\n  - ${LINE}\ndefaults: {}\n`);
    expect(yaml('version: "1"\n')).toBe(`version: "1"\nrules:\n  - ${LINE}\n`);
    expect(addRule({ text: 'as shipped', format: 'yaml', version: 0 }, RULE)).toBe(
      `version: "1"\nrules:\n  - ${LINE}\n`,
    );
  });

  it('is JSON in a JSON document', () => {
    const text = JSON.stringify({ version: '1', rules: [{ id: 'a' }] });
    expect(JSON.parse(addRule({ text, format: 'json', version: 1 }, RULE) ?? '')).toEqual({
      version: '1',
      rules: [RULE, { id: 'a' }],
    });
  });

  it('has to be inserted by the user if the existing rules are written on one line', () => {
    expect(yaml('version: "1"\nrules: [{ id: a, action: deny }]\n')).toBeUndefined();
  });
});
