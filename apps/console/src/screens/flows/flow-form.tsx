import { useRef, useState, type FormEvent } from 'react';
import type { Flow } from '../../api/answers.ts';
import { toApiError, type ApiError } from '../../api/api-error.ts';
import type { FlowChoices } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Steps } from '../../ui/steps.tsx';
import { ApprovalFields } from './approval-fields.tsx';
import { findStep, type FlowDraft, type FlowValues } from './flow-draft.ts';
import { PromptFields, StartFields } from './flow-fields.tsx';
import styles from './flows.module.css';
import { ReviewFlow } from './review-flow.tsx';
import { ToolFields } from './tool-fields.tsx';

interface Props {
  /** The flow to change, with all its fields shown at once; undefined for a new one, which is created step by step. */
  readonly flow: Flow | undefined;
  /** Initial values of a new flow. */
  readonly draft?: FlowDraft | undefined;
  readonly choices: FlowChoices;
  /** Saves the flow. @throws ApiError, which is shown at the rejected field, even if the field is in another step */
  readonly onSend: (values: FlowValues) => Promise<void>;
}

const STEPS = ['Start', 'Prompt', 'Tools', 'Approval', 'Review'] as const;
const [TOOLS, APPROVAL, REVIEW] = [2, 3, 4];

/** Initial values of an empty form. */
const NOTHING: FlowDraft = {};

export function FlowForm({ flow, draft, choices, onSend }: Props) {
  const begun = flow ?? draft ?? NOTHING;
  const form = useRef<HTMLFormElement>(null);
  const [at, setAt] = useState(0);
  const [agent, setAgent] = useState<string>(begun.agent_type ?? 'builtin');
  const [gated, setGated] = useState<readonly string[]>([]);
  const [reviewed, setReviewed] = useState<FlowValues>({});
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const isNew = flow === undefined;
  const isLeftOut = (step: number): boolean =>
    (step === TOOLS && agent !== 'builtin') ||
    (step === APPROVAL && (!isNew || agent !== 'builtin' || gated.length === 0)) ||
    (step === REVIEW && !isNew);
  const steps = STEPS.map((_name, step) => step).filter((step) => !isLeftOut(step));
  const isLast = !isNew || at === REVIEW;
  const errorOf = (field: string) =>
    error?.field === field || error?.field?.startsWith(`${field}.`) === true ? error.message : undefined;
  const go = (by: 1 | -1): void => {
    const next = steps[steps.indexOf(at) + by] ?? at;
    if (form.current !== null) setReviewed(readValues(form.current));
    setAt(next);
  };

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isBusy) return;
    if (!isLast) return go(1);
    setBusy(true);
    setError(undefined);
    onSend(readValues(event.currentTarget))
      .catch((thrown: unknown) => {
        const refused = toApiError(thrown);
        setError(refused);
        const step = findStep(refused.field);
        if (isNew && step !== undefined && !isLeftOut(step)) setAt(step);
      })
      .finally(() => setBusy(false));
  }

  /**
   * Returns the attributes of a step. Later steps are disabled, so that they are not validated yet; earlier steps are
   * hidden, but their values are sent.
   */
  const part = (step: number) => ({
    className: styles['step'],
    hidden: isNew && step !== at,
    disabled: isLeftOut(step) || (isNew && step > at),
    'aria-label': STEPS[step],
  });
  const fields = { flow: begun, choices, errorOf };
  return (
    <form ref={form} className={styles['form']} onSubmit={submit}>
      {isNew && <Steps name="Steps" steps={steps.map((step) => STEPS[step] ?? '')} at={steps.indexOf(at)} />}
      <fieldset {...part(0)}>
        <StartFields {...fields} onAgent={setAgent} />
      </fieldset>
      <fieldset {...part(1)}>
        <PromptFields {...fields} />
      </fieldset>
      <fieldset {...part(TOOLS)}>
        <ToolFields tools={choices.tools} allowed={begun.allowed_tools ?? []} onGated={isNew ? setGated : undefined} />
      </fieldset>
      <fieldset {...part(APPROVAL)}>
        <ApprovalFields workflows={choices.workflows} errorOf={errorOf} />
      </fieldset>
      <fieldset {...part(REVIEW)}>{at === REVIEW && <ReviewFlow values={reviewed} />}</fieldset>
      {error !== undefined && findStep(error.field) === undefined && <ErrorState error={error} />}
      <div className={styles['actions']}>
        {isNew && at > 0 && <Button onClick={() => go(-1)}>Back</Button>}
        <Button type="submit" look="primary" aria-busy={isBusy}>
          {isLast ? (isNew ? 'Create flow' : 'Save flow') : 'Next'}
        </Button>
      </div>
    </form>
  );
}

function readValues(form: HTMLFormElement): FlowValues {
  return Object.fromEntries(
    [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
