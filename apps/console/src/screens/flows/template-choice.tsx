import type { FlowTemplate } from '../../api/answers.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { KINDS } from '../trackers/tracker-kinds.ts';
import type { FlowDraft } from './flow-draft.ts';

interface Props {
  readonly templates: readonly FlowTemplate[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

const NONE = '';

/** Ready-made flows to start with; a flow that needs a tracker is offered for each supported tracker. */
export function TemplateChoice({ templates, chosen, onChoose }: Props) {
  const options = templates.flatMap(({ name, title, variants }) =>
    variants.map(({ tracker_kind: kind }) => [keyOf(name, kind), kind === null ? title : `${title} (${KINDS[kind]})`]),
  );
  const template = templates.find(({ name }) => chosen.startsWith(`${name} `));
  const toSet = template?.to_set.length === 0 ? '' : ` Before the first run, set ${template?.to_set.join(', ')}.`;
  return (
    <SelectField
      label="Start from a template"
      name="template"
      options={{ [NONE]: 'None (an empty flow)', ...Object.fromEntries(options) }}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
      hint={template && `${template.description}${toSet}`}
    />
  );
}

/** Returns the initial values of the form for the chosen template; undefined if none is chosen. */
export function findDraft(templates: readonly FlowTemplate[], chosen: string): FlowDraft | undefined {
  for (const { name, title, variants } of templates)
    for (const { tracker_kind: kind, flow } of variants)
      if (keyOf(name, kind) === chosen) return { name: title, ...flow } as FlowDraft;
  return undefined;
}

const keyOf = (name: string, kind: string | null): string => `${name} ${kind ?? ''}`;
