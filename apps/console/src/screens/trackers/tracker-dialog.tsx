import { useState } from 'react';
import type { Tracker } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { TRACKERS_PATH, trackersKey } from '../../queries/trackers.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { KINDS } from './tracker-kinds.ts';

interface Props {
  /** The tracker to change; undefined for a new one. */
  readonly tracker: Tracker | undefined;
  readonly onClose: () => void;
}

export function TrackerDialog({ tracker, onClose }: Props) {
  const [kind, setKind] = useState<string>(tracker?.kind ?? 'github');
  const title = tracker === undefined ? 'Connect tracker' : `Edit ${tracker.name}`;
  const action = tracker === undefined ? 'Connect tracker' : 'Save tracker';
  return (
    <FormDialog
      title={title}
      action={action}
      onClose={onClose}
      onSend={(values) => save(tracker, kind, values)}
      touches={trackersKey}
    >
      {(errorOf) => (
        <>
          {tracker === undefined && (
            <SelectField
              label="Kind"
              name="kind"
              options={KINDS}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value)}
              error={errorOf('kind')}
            />
          )}
          <Field
            label="Name"
            name="name"
            hint="Name that agents use for this tracker in tool calls: a-z, 0-9 and -."
            required
            defaultValue={tracker?.name}
            error={errorOf('name')}
          />
          <Field
            label="Token"
            name="token"
            type="password"
            autoComplete="off"
            required={tracker === undefined}
            hint={
              tracker === undefined ? 'The token is stored encrypted.' : 'A token is stored. Leave empty to keep it.'
            }
            error={errorOf('token')}
          />
          {kind === 'jira' && (
            <Field
              label="Email address"
              name="username"
              hint="Email address of the token’s owner, for Jira Cloud. Empty for Data Center."
              defaultValue={tracker?.username ?? ''}
              error={errorOf('username')}
            />
          )}
          <Field
            label="URL"
            name="base_url"
            inputMode="url"
            required={kind === 'jira'}
            hint={
              kind === 'jira'
                ? 'Base URL of the Jira site.'
                : 'Base URL of a self-hosted tracker. Leave empty for the public service of GitHub, GitLab or Linear.'
            }
            defaultValue={tracker?.base_url}
            error={errorOf('base_url')}
          />
          <TextField
            label="Repositories or projects"
            name="repositories"
            rows={2}
            spellCheck={false}
            hint="Repositories or projects that flows and agents may use, one per line; acme/* includes everything below acme. Empty: all that the token can access."
            defaultValue={tracker?.repositories.join('\n')}
            error={errorOf('repositories')}
          />
        </>
      )}
    </FormDialog>
  );
}

function save(tracker: Tracker | undefined, kind: string, values: Readonly<Record<string, string>>): Promise<Tracker> {
  const read = (field: string): string => (values[field] ?? '').trim();
  const body = {
    name: read('name'),
    repositories: read('repositories')
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
    ...(read('token') !== '' && { token: read('token') }),
    ...(read('base_url') !== '' && { base_url: read('base_url') }),
    ...(kind === 'jira' && { username: read('username') || null }),
  };
  return saveItem<Tracker>(TRACKERS_PATH, tracker, tracker === undefined ? { ...body, kind } : body);
}
