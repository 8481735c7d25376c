import { useState } from 'react';
import type { ToolChoice } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { describeTools } from './describe-tools.ts';
import { ALLOWED, GATED } from './flow-draft.ts';
import styles from './flows.module.css';

interface Props {
  readonly tools: readonly ToolChoice[];
  readonly allowed: readonly string[];
  /**
   * Called with the tools that need approval; undefined if approval cannot be set here, because the rules of an
   * existing flow are in the policy.
   */
  readonly onGated: ((names: readonly string[]) => void) | undefined;
}

/** Tools that the agent may call, and those that need approval before each call. */
export function ToolFields({ tools, allowed, onGated }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(allowed));
  const [gated, setGated] = useState<ReadonlySet<string>>(new Set());
  const refusals = [useRefusal('manage_policies'), useRefusal('manage_approval_workflows')];
  const refusal = refusals.find((reason) => reason !== undefined);
  const gate = (names: ReadonlySet<string>): void => {
    setGated(names);
    onGated?.([...names]);
  };
  if (tools.length === 0) return <p>There are no tools. Tools are provided by tool servers and trackers.</p>;
  return (
    <>
      <ul className={styles['tools']}>
        {tools.map(({ name, description, source }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                name={`${ALLOWED}${name}`}
                checked={ticked.has(name)}
                onChange={(event) => {
                  setTicked(toggle(ticked, name, event.currentTarget.checked));
                  if (!event.currentTarget.checked) gate(toggle(gated, name, false));
                }}
              />
              <code>{name}</code> {description}
            </label>
            {onGated !== undefined && (source === 'server' || source === 'tracker') && ticked.has(name) && (
              <label>
                <input
                  type="checkbox"
                  name={`${GATED}${name}`}
                  disabled={refusal !== undefined}
                  checked={gated.has(name)}
                  onChange={(event) => gate(toggle(gated, name, event.currentTarget.checked))}
                />
                Require approval for each call of {name}
                {refusal !== undefined && ` (${refusal})`}
              </label>
            )}
          </li>
        ))}
      </ul>
      {ticked.size === 0 && <p role="status">{describeTools([])}</p>}
    </>
  );
}

function toggle(names: ReadonlySet<string>, name: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(names);
  if (isOn) next.add(name);
  else next.delete(name);
  return next;
}
