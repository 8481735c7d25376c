import { listFlowTemplates } from './flow-templates.ts';

const variants = listFlowTemplates().flatMap(({ name, variants: all }) =>
  all.map((variant) => [`${name} ${variant.tracker_kind ?? ''}`, variant] as const),
);

describe('flow templates (FLOW-73)', () => {
  it.each(variants)('%s has no unresolved placeholder in its prompt', (_name, { flow }) => {
    expect(String(flow['prompt_template'])).not.toMatch(/<[a-z]+>/);
  });

  it.each(variants)('%s allows the tools named in its prompt, and no other tracker tools', (_name, { flow }) => {
    const named = new Set(String(flow['prompt_template']).match(/tracker__\w+/g));
    const allowed = (flow['allowed_tools'] as string[]).filter((tool) => tool.startsWith('tracker__'));
    expect(allowed.sort()).toEqual([...named].sort());
  });
});
